import { type Expression, sql } from 'kysely';
import { COUNTED, chosen, fits, type KindCount, LOOKED_AT, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { lookUpOwn } from '#platform/db/tenant.ts';
import { batchValues, UNNAMED } from '../list/serial-filter.ts';
import type { SerialsDb } from '../tables.ts';
import { hitsOf, type RedeemedFilter } from './redeemed.queries.ts';
import { type RedeemedChoices, type RedeemedKind, redeemedValue, statusConditions } from './redeemed-filter.ts';

type RedeemedQuery = RedeemedChoices & { search?: string | undefined };

/** The name of value `v`. */
function labelOf(developerId: string, kind: RedeemedKind): Expression<string | null> {
  return kind === 'country' || kind === 'status' ? UNNAMED : batchValues(developerId)[kind].label;
}

/** Sums of days, by what can be chosen. */
interface Sums {
  days: Expression<unknown>;
  value: Expression<string | null>;
}
const OF_PRODUCT: Sums = { days: sql`from ledger_days d`, value: sql`d.product_id` };
const OF_RESELLER: Sums = {
  days: sql`from ledger_days d`,
  value: sql`nullif(d.partnership_id, '00000000-0000-0000-0000-000000000000')`,
};
const SUMS: Partial<Record<RedeemedKind, Sums>> = {
  product: OF_PRODUCT,
  reseller: OF_RESELLER,
  country: { days: sql`from ledger_countries d`, value: sql`nullif(d.country, '')` },
};

/**
 * The choices of filters, with how many redemptions each choice leaves. Products, resellers and countries come from the
 * daily sums and are exact; choices that the sums do not know are counted among the newest.
 * @param query as it was asked
 * @param filter the same, but for the states
 */
export async function redeemedChoiceCounts(
  db: SerialsDb,
  kinds: readonly RedeemedKind[],
  query: RedeemedQuery,
  filter: RedeemedFilter,
): Promise<KindCount<RedeemedKind>[]> {
  const sums = kinds.flatMap((kind) => {
    const of = sumsOf(kind, query);
    return of ? [summed(kind, of, query, filter)] : [];
  });
  const looked = kinds.filter((kind) => !sumsOf(kind, query));
  const { rows } =
    sums.length > 0
      ? await sql<KindCount<RedeemedKind>>`${sql.join(sums, sql` union all `)}`.execute(db)
      : { rows: [] };
  return [...rows, ...(looked.length > 0 ? await amongNewest(db, looked, query, filter) : [])];
}

/** Days know products and resellers together, and countries alone. Undefined: they don't know what was asked. */
function sumsOf(kind: RedeemedKind, query: RedeemedQuery): Sums | undefined {
  const { product, reseller, batch, customer, country, status, search } = query;
  if (search || batch || customer || country || status) return undefined;
  return kind === 'country' && (product || reseller) ? undefined : SUMS[kind];
}

function summed(
  kind: RedeemedKind,
  { days, value }: Sums,
  query: RedeemedQuery,
  { developerId, days: { from, to } }: RedeemedFilter,
): Expression<unknown> {
  const where = [
    sql`d.developer_id = ${developerId}`,
    ...(from ? [sql`d.day >= ${from}::date`] : []),
    ...(to ? [sql`d.day <= ${to}::date`] : []),
    ...chosen('product', query.product, { value: OF_PRODUCT.value, type: 'uuid', fits: fits.id }),
    ...chosen('reseller', query.reseller, { value: OF_RESELLER.value, type: 'uuid', fits: fits.idOrNone }),
  ];
  const grouped = sql`select ${value}::text as value, sum(d.redemptions)::int as count, true as exact ${days}
    where ${sql.join(where, sql` and `)} group by 1 having sum(d.redemptions) > 0`;
  return mostFrequentOf(kind, grouped, labelOf(developerId, kind));
}

/** One reading of the newest for all kinds. Each serial is looked up by its key, whatever is known of the tables. */
async function amongNewest(
  db: SerialsDb,
  kinds: readonly RedeemedKind[],
  { status }: RedeemedQuery,
  filter: RedeemedFilter,
): Promise<KindCount<RedeemedKind>[]> {
  const { developerId } = filter;
  const states = statusConditions(status);
  // a state may be rare; and as a part of the filter it would be looked for among all serials of everybody
  const most = states.length > 0 ? COUNTED : LOOKED_AT;
  const hits = await hitsOf(db, filter);
  const values = kinds.map((kind) => ({ kind, ...redeemedValue(kind) }));
  const serial = sql`${lookUpOwn('serials as x', developerId, sql`r.serial_id`)}
    ${lookUpOwn('batches as xb', developerId, sql`x.batch_id`)} ${lookUpOwn('products as xp', developerId, sql`xb.product_id`)}`;
  const each = kinds.map((kind) => {
    const grouped = sql`select ${sql.ref(kind)}::text as value, count(*)::int as count,
      (select count(*) from hit) <= ${sql.lit(most)} as exact from looked group by 1`;
    return mostFrequentOf(kind, grouped, labelOf(developerId, kind));
  });
  const { rows } = await sql<KindCount<RedeemedKind>>`
    with hit as materialized (
      select distinct redeemed_at, id from (${hits.newest(most + 1)}) found
      order by redeemed_at desc, id desc limit ${sql.lit(most + 1)}),
    looked as materialized (
      select ${sql.join(values.map(({ kind, value }) => sql`${value} as ${sql.ref(kind)}`))}
      from (select id from hit order by redeemed_at desc, id desc limit ${sql.lit(most)}) h
        ${lookUpOwn('redemptions as r', developerId, sql`h.id`)}
        ${states.length > 0 || values.some(({ looks }) => looks) ? serial : sql``}
      where ${sql.join([sql`true`, ...states], sql` and `)})
    ${sql.join(each, sql` union all `)}`.execute(db);
  return rows;
}
