import {
  type Expression,
  type JoinBuilder,
  type Nullable,
  type RawBuilder,
  type SelectQueryBuilder,
  sql,
} from 'kysely';
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

/** A table that tenants own, with its alias. */
type OwnTable<Name extends TableName, Alias extends string> = 'developer_id' extends keyof Tables[Name]
  ? `${Name} as ${Alias}`
  : never;

/**
 * {@link joinOwn} in a template.
 * @example sql`from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')}`
 */
export function ownJoin<const Name extends TableName, const Alias extends string>(
  table: OwnTable<Name, Alias>,
  own: `${Alias}.${keyof Tables[Name] & string}`,
  other: `${string}.${string}`,
): RawBuilder<unknown> {
  return sql.raw(`join ${table} on ${matched(own, other)}`);
}

/** {@link leftJoinOwn} in a template. */
export function ownLeftJoin<const Name extends TableName, const Alias extends string>(
  table: OwnTable<Name, Alias>,
  own: `${Alias}.${keyof Tables[Name] & string}`,
  other: `${string}.${string}`,
): RawBuilder<unknown> {
  return sql.raw(`left join ${table} on ${matched(own, other)}`);
}

/**
 * A condition in a template: two columns are the same, of the same tenant.
 * @example sql`update serials s set … from batches b where ${ownMatch('b.id', 's.batch_id')}`
 */
export function ownMatch(own: `${string}.${string}`, other: `${string}.${string}`): RawBuilder<boolean> {
  return sql.raw<boolean>(matched(own, other));
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

// names that the source has, in one piece: a template is put together for every page
const matched = (own: string, other: string) => `(${tenantOf(own)}, ${own}) = (${tenantOf(other)}, ${other})`;

/** The tenant’s column beside another. */
const tenantOf = (column: string) => `${column.slice(0, column.indexOf('.'))}.developer_id`;

function joined(query: unknown, join: 'innerJoin' | 'leftJoin', table: string, own: string, other: string): AnyQuery {
  // biome-ignore lint/suspicious/noExplicitAny: as above
  const on = (both: JoinBuilder<any, any>) => both.onRef(tenantOf(own), '=', tenantOf(other)).onRef(own, '=', other);
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
