import { type Expression, type JoinBuilder, type Nullable, type SelectQueryBuilder, sql } from 'kysely';
import type { TableName, Tables } from './tables.ts';

/** A column of a table that a tenant owns, beside which the tenant itself has a column. */
type TenantColumn<DB, TB extends keyof DB> = {
  [Alias in TB & string]: 'developer_id' extends keyof DB[Alias] ? `${Alias}.${keyof DB[Alias] & string}` : never;
}[TB & string];

// biome-ignore lint/suspicious/noExplicitAny: a query of any tables, which its caller knows
type AnyQuery = SelectQueryBuilder<any, any, any>;

/**
 * Joins a table of the same tenant to a query: `developer_id` is compared, whatever else is.
 * @param own the joined table’s column @param other the column of a table that the query has
 * @example sql.selectFrom('serials as s').$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
 */
export function joinOwn<
  const Name extends TableName,
  const Alias extends string,
  const Other extends `${string}.${string}`,
>(table: `${Name} as ${Alias}`, own: `${Alias}.${keyof Tables[Name] & string}`, other: Other) {
  return <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) =>
    joined(query, 'innerJoin', table, own, other) as unknown as Other extends TenantColumn<DB, TB>
      ? SelectQueryBuilder<DB & { [A in Alias]: Tables[Name] }, TB | Alias, O>
      : { unknownColumn: Other };
}

/** {@link joinOwn} for what may be missing. */
export function leftJoinOwn<
  const Name extends TableName,
  const Alias extends string,
  const Other extends `${string}.${string}`,
>(table: `${Name} as ${Alias}`, own: `${Alias}.${keyof Tables[Name] & string}`, other: Other) {
  return <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) =>
    joined(query, 'leftJoin', table, own, other) as unknown as Other extends TenantColumn<DB, TB>
      ? SelectQueryBuilder<DB & { [A in Alias]: Nullable<Tables[Name]> }, TB | Alias, O>
      : { unknownColumn: Other };
}

/** Joins a table that all tenants share, such as `users`. */
export function joinShared<
  const Name extends TableName,
  const Alias extends string,
  const Other extends `${string}.${string}`,
>(
  table: 'developer_id' extends keyof Tables[Name] ? never : `${Name} as ${Alias}`,
  own: `${Alias}.${keyof Tables[Name] & string}`,
  other: Other,
) {
  return <DB, TB extends keyof DB, O>(query: SelectQueryBuilder<DB, TB, O>) =>
    (query as AnyQuery).innerJoin(table as never, own, other) as unknown as SelectQueryBuilder<
      DB & { [A in Alias]: Tables[Name] },
      TB | Alias,
      O
    >;
}

/**
 * Joins in a template, to each row of a page, the one row that it names by its key: looked up one by one, in the order that is
 * written. Of a tenant that the statistics don't know yet PostgreSQL expects a row or two of everything, and would begin with its
 * products, and read all of their serials again for each row of the page.
 * @param table with its alias, which no other row has @param id where the row is named
 * @example sql`from page h ${lookUpOwn('serials as s', developerId, sql`h.serial_id`)}`
 */
export function lookUpOwn(table: `${TableName} as ${string}`, developerId: string, id: Expression<unknown>) {
  const alias = sql.ref(table.slice(table.lastIndexOf(' ') + 1));
  return sql`cross join lateral (
    select * from ${sql.table(table.slice(0, table.indexOf(' ')))} ${alias}
    where ${alias}.developer_id = ${developerId} and ${alias}.id = ${id} offset 0) ${alias}`;
}

function joined(query: unknown, join: 'innerJoin' | 'leftJoin', table: string, own: string, other: string): AnyQuery {
  const tenant = (column: string) => `${column.slice(0, column.indexOf('.'))}.developer_id`;
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const on = (both: JoinBuilder<any, any>) => both.onRef(tenant(own), '=', tenant(other)).onRef(own, '=', other);
  const begun = query as AnyQuery;
  return join === 'innerJoin' ? begun.innerJoin(table, on) : begun.leftJoin(table, on);
}

/** Every machine has some of more tenants than these. */
const FEW_TENANTS = 100;

/**
 * A condition in a template that limits a table to some tenants. A statement about several tenants has it wherever it
 * reads one of their tables, so that only the machines of these tenants are asked. Which tenant each row belongs to has
 * to follow from other conditions, unless there is only one tenant.
 *
 * For several tenants, an empty list is compared as well, so that no index is read by the list. Rows are found by the
 * other conditions; by the list, PostgreSQL would look up all of its tenants again for each row that the table is
 * joined to.
 * @param alias the table’s alias
 */
export function ofTenants(alias: string, tenants: readonly string[]) {
  const tenant = sql.ref(`${alias}.developer_id`);
  if (tenants.length > FEW_TENANTS) return sql<boolean>`${acrossTenants('every machine has some of so many')} true`;
  if (tenants.length === 1) return sql<boolean>`${tenant} = any(${tenants}::uuid[])`;
  return sql<boolean>`(${tenant} = any(${tenants}::uuid[]) or ${tenant} = any('{}'::uuid[]))`;
}

/** The reason why a statement serves all tenants at once, which the tests demand. @example query.modifyEnd(acrossTenants('housekeeping')) */
export const acrossTenants = (reason: string) => sql.raw(`/* across tenants: ${reason} */`);
