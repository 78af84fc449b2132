import type { Sql } from '#platform/db/database.ts';
import { choiceConditions, type KindCount, LOOKED_AT, mostFrequent } from '#platform/db/statements/choices.ts';
import { type EntryFilter, entriesOf, matchOf, partnersOf } from './entries.ts';
import { BY_PRODUCT, type Days, daysBy, valuesOf } from './figures.queries.ts';
import { PARTNERS } from './partners.ts';
import { columnOf, type TransactionChoice, type TransactionChoices } from './transaction-choices.ts';

const LABELS: Record<TransactionChoice, (from: string) => string> = {
  product: (from) =>
    `(select p.name from ${from} x join products p on (p.developer_id, p.id) = (x.developer_id, x.product_id)
      where x.product_id::text = v.value limit 1)`,
  developer: () => '(select t.developer_name from linked t where t.developer_id::text = v.value limit 1)',
  kind: () => 'null::text',
};

/** The sums know products and developers; which kind an entry is, and what a search finds, they do not. */
export const isSummed = (
  kind: TransactionChoice,
  query: TransactionChoices & { search?: string | undefined },
): boolean => kind !== 'kind' && !query.kind && !query.search;

/** Of the sums, exact. @param days null: of all time */
export async function choicesOfSums(
  sql: Sql,
  kinds: readonly TransactionChoice[],
  query: TransactionChoices,
  of: { resellerId: string; days: Days | null },
): Promise<KindCount<TransactionChoice>[]> {
  const { resellerId, days } = of;
  const chosen = (['product', 'developer'] as const)
    .flatMap((kind) => choiceConditions(kind, query[kind], columnOf(kind, 'd')))
    .map((condition) => ` and ${condition}`)
    .join('');
  const sums = days
    ? daysBy(BY_PRODUCT)
    : `(select t.developer_id, n.product_id, sum(n.redemptions + n.imports) as redemptions, sum(n.adjustments) as adjustments
        from linked t join partner_totals n on n.developer_id = t.developer_id and n.partnership_id = t.id group by 1, 2) d`;
  const each = kinds.map((kind) =>
    mostFrequent(
      kind,
      `select ${kind}_id::text as value, sum(n)::int as count, true as exact from sums group by 1`,
      LABELS[kind]('sums'),
    ),
  );
  return sql.query(
    `${PARTNERS}, sums as materialized (
       select d.developer_id, d.product_id, sum(d.redemptions + d.adjustments) as n from ${sums}
       where true${chosen} group by 1, 2 having sum(d.redemptions + d.adjustments) > 0)
     ${each.join(' union all ')}`,
    days ? valuesOf(days) : [resellerId],
  );
}

/**
 * Among the newest. Every partnership is looked at, but none further than its share of what is counted in all, so that a large one
 * hides no other. What an entry is about is looked up by its key.
 */
export async function choicesAmongNewest(
  sql: Sql,
  kinds: readonly TransactionChoice[],
  filter: EntryFilter,
): Promise<KindCount<TransactionChoice>[]> {
  const match = await matchOf(sql, filter);
  if (match.nothing) return [];
  const partners = partnersOf(filter.resellerId);
  const [linked] = await sql.query<{ n: number }>(`${partners} select count(*)::int as n from linked`);
  const count = linked?.n ?? 0;
  const share = Math.ceil(LOOKED_AT / Math.max(1, count));
  const most = 2 * (LOOKED_AT + count);
  const values: Record<TransactionChoice, string> = {
    product: 'r.product_id',
    developer: 'h.developer_id',
    kind: `coalesce((select a.kind from ledger_adjustments a where h.adjusted and a.developer_id = h.developer_id and a.id = h.id), 'redemption')`,
  };
  const redemption = `cross join lateral (
    select r.product_id from redemptions r where r.developer_id = h.developer_id and r.id = case when h.adjusted then (
      select a.redemption_id from ledger_adjustments a where a.developer_id = h.developer_id and a.id = h.id) else h.id end offset 0) r`;
  const names = { product: 'product_id', developer: 'developer_id', kind: 'kind' };
  const looked = kinds.includes('developer') ? kinds : [...kinds, 'developer' as const];
  const each = kinds.map((kind) =>
    mostFrequent(
      kind,
      `select ${names[kind]}::text as value, count(*)::int as count, bool_and(w.exact) as exact from looked, whole w group by 1`,
      LABELS[kind]('looked'),
    ),
  );
  return sql.query(
    `${partners}, hit as materialized (
       select * from (${entriesOf({ filter, match, limit: share + 1 })}) e limit ${most}),
     whole as materialized (
       select (select count(*) from hit) < ${most} and not exists (
         select 1 from hit group by developer_id, adjusted having count(*) > ${share}) as exact),
     looked as materialized (
       select ${looked.map((kind) => `${values[kind]} as ${names[kind]}`).join(', ')} from hit h ${kinds.includes('product') ? redemption : ''})
     ${each.join(' union all ')}`,
  );
}
