import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { chosen, type KindCount, LOOKED_AT, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { also, type EntryFilter, entriesOf, matchOf } from './entries.ts';
import { BY_PRODUCT, type Days, daysBy } from './figures.queries.ts';
import { partnersOf, type Seller } from './partners.ts';
import { tables } from './tables.ts';
import { columnOf, type TransactionChoice, type TransactionChoices } from './transaction-choices.ts';

/** The label of value `v`. */
const LABELS: Record<TransactionChoice, RawBuilder<string | null>> = {
  product: sql`(select p.name from named p where p.id::text = v.value limit 1)`,
  developer: sql`(select t.developer_name from linked t where t.developer_id::text = v.value limit 1)`,
  kind: sql`null::text`,
};

/** A part of a WITH: the products that a part before has, by the developers that they are of. */
const namedIn = (part: string, { developers }: Seller) => sql`named as materialized (
    select p.id, p.name from (select distinct developer_id, product_id from ${sql.table(part)}) x
      ${ownJoin('products as p', 'p.id', 'x.product_id')} where ${ofTenants('p', developers)})`;

/** The sums know products and developers; which kind an entry is, and what a search finds, they do not. */
export const isSummed = (
  kind: TransactionChoice,
  query: TransactionChoices & { search?: string | undefined },
): boolean => kind !== 'kind' && !query.kind && !query.search;

/** The column of each filter. */
const COLUMN: Record<TransactionChoice, string> = { product: 'product_id', developer: 'developer_id', kind: 'kind' };

/** Counted from the sums, exactly. @param days null: of all time */
export async function choicesOfSums(
  handle: Sql,
  kinds: readonly TransactionChoice[],
  query: TransactionChoices,
  { seller, days }: { seller: Seller; days: Days | null },
): Promise<KindCount<TransactionChoice>[]> {
  const conditions = (['product', 'developer'] as const).flatMap((kind) =>
    chosen(kind, query[kind], columnOf(kind, 'd')),
  );
  const sums = days
    ? daysBy(BY_PRODUCT, days)
    : sql`(select t.developer_id, n.product_id, sum(n.redemptions + n.imports) as redemptions, sum(n.adjustments) as adjustments
        from linked t ${ownJoin('partner_totals as n', 'n.partnership_id', 't.id')}
        where ${ofTenants('n', seller.developers)} group by 1, 2) d`;
  const each = kinds.map((kind) =>
    mostFrequentOf(
      kind,
      sql`select ${sql.ref(COLUMN[kind])}::text as value, sum(n)::int as count, true as exact from sums group by 1`,
      LABELS[kind],
    ),
  );
  const { rows } = await sql<KindCount<TransactionChoice>>`${partnersOf(seller)}, sums as materialized (
      select d.developer_id, d.product_id, sum(d.redemptions + d.adjustments) as n from ${sums}
      where true ${also(conditions)} group by 1, 2 having sum(d.redemptions + d.adjustments) > 0), ${namedIn('sums', seller)}
    ${sql.join(each, sql` union all `)}`.execute(tables.in(handle));
  return rows;
}

/**
 * Among the newest. Every partnership is looked at, but none further than its share of what is counted in all, so that a large one
 * hides no other.
 */
export async function choicesAmongNewest(
  handle: Sql,
  kinds: readonly TransactionChoice[],
  filter: EntryFilter,
): Promise<KindCount<TransactionChoice>[]> {
  const db = tables.in(handle);
  const match = await matchOf(handle, filter);
  if (match.nothing) return [];
  const partners = partnersOf(filter);
  const linked = await sql<{ n: number }>`${partners} select count(*)::int as n from linked`.execute(db);
  const count = linked.rows[0]?.n ?? 0;
  const share = Math.ceil(LOOKED_AT / Math.max(1, count));
  const most = 2 * (LOOKED_AT + count);
  const each = kinds.map((kind) =>
    mostFrequentOf(
      kind,
      sql`select ${sql.ref(COLUMN[kind])}::text as value, count(*)::int as count, bool_and(w.exact) as exact from hit, whole w group by 1`,
      LABELS[kind],
    ),
  );
  const { rows } = await sql<KindCount<TransactionChoice>>`${partners}, hit as materialized (
      select * from (${entriesOf({ filter, match, limit: share + 1, named: true })}) e limit ${most}),
    whole as materialized (
      select (select count(*) from hit) < ${most} and not exists (
        select 1 from hit group by developer_id, adjusted having count(*) > ${share}) as exact),
    ${namedIn('hit', filter)}
    ${sql.join(each, sql` union all `)}`.execute(db);
  return rows;
}
