import { type RawBuilder, sql } from 'kysely';

/**
 * SQL that adds the customers that a query yields (`id, developer_id, email, email_key, first_name, last_name, created_at, import_id`),
 * for imports. Those who exist get the names that they lack.
 * @param touched `every` row is written and can be returned; of `incomplete` ones only those that lack a name.
 */
export function addingCustomers(source: RawBuilder<unknown>, touched: 'every' | 'incomplete'): RawBuilder<unknown> {
  return sql`insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, import_id) ${source}
    on conflict (developer_id, email_key) do update set
      first_name = coalesce(c.first_name, excluded.first_name), last_name = coalesce(c.last_name, excluded.last_name)
    ${touched === 'incomplete' ? sql`where c.first_name is null or c.last_name is null` : sql``}`;
}
