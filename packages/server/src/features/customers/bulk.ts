import { type RawBuilder, sql } from 'kysely';

/** A name that is missing, and which import it came from. */
const filledIn = (name: 'first_name' | 'last_name') => {
  const [own, from, given] = [sql.ref(`c.${name}`), sql.ref(`${name}_from`), sql.ref(`excluded.${name}`)];
  return sql`${sql.ref(name)} = coalesce(${own}, ${given}),
      ${from} = case when ${own} is null and ${given} is not null then excluded.import_id else c.${from} end`;
};

/**
 * SQL that adds the customers that a query yields (`id, developer_id, email, email_key, first_name, last_name, created_at, import_id`),
 * for imports. Those who exist get the names that they lack.
 * @param touched `every` row is written and can be returned; of `incomplete` ones only those that lack a name.
 */
export function addingCustomers(source: RawBuilder<unknown>, touched: 'every' | 'incomplete'): RawBuilder<unknown> {
  return sql`insert into customers as c (id, developer_id, email, email_key, first_name, last_name, created_at, import_id) ${source}
    on conflict (developer_id, email_key) do update set ${filledIn('first_name')}, ${filledIn('last_name')}
    ${touched === 'incomplete' ? sql`where c.first_name is null or c.last_name is null` : sql``}`;
}
