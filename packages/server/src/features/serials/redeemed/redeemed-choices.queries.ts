import pg from 'pg';
import type { Database } from '#platform/db/database.ts';
import {
  COUNTED,
  choiceConditions,
  fits,
  type KindCount,
  LOOKED_AT,
  mostFrequent,
} from '#platform/db/statements/choices.ts';
import { BATCH_VALUES } from '../list/serial-filter.ts';
import { hitsOf, type RedeemedFilter } from './redeemed.queries.ts';
import { type RedeemedChoices, type RedeemedKind, redeemedValue, statusConditions } from './redeemed-filter.ts';

type RedeemedQuery = RedeemedChoices & { search?: string | undefined };

const LABELS: Record<RedeemedKind, string> = {
  product: BATCH_VALUES.product.label,
  reseller: BATCH_VALUES.reseller.label,
  batch: BATCH_VALUES.batch.label,
  country: 'null::text',
  status: 'null::text',
};

/** Sums of days, by what can be chosen. */
const SUMS: Partial<Record<RedeemedKind, { table: string; value: string }>> = {
  product: { table: 'ledger_days', value: 'd.product_id' },
  reseller: { table: 'ledger_days', value: "nullif(d.partnership_id, '00000000-0000-0000-0000-000000000000')" },
  country: { table: 'ledger_countries', value: "nullif(d.country, '')" },
};

/**
 * What can be chosen of filters, with how many each choice leaves. Products, resellers and countries come from the daily sums and
 * are exact; what the sums do not know is counted among the newest.
 * @param query as it was asked
 * @param filter the same, but for the states
 */
export async function redeemedChoiceCounts(
  db: Database,
  kinds: readonly RedeemedKind[],
  query: RedeemedQuery,
  filter: RedeemedFilter,
): Promise<KindCount<RedeemedKind>[]> {
  const summed = kinds.filter((kind) => isSummed(kind, query));
  const looked = kinds.filter((kind) => !summed.includes(kind));
  const sums = summed.map((kind) => ofSums(kind, query)).join(' union all ');
  const { from, to } = filter.days;
  return [
    ...(sums ? await db.query<KindCount<RedeemedKind>>(sums, [filter.developerId, from, to]) : []),
    ...(looked.length > 0 ? await amongNewest(db, looked, query, filter) : []),
  ];
}

/** Days know products and resellers together, and countries alone. */
function isSummed(kind: RedeemedKind, query: RedeemedQuery): boolean {
  const { product, reseller, batch, customer, country, status, search } = query;
  if (!SUMS[kind] || search || batch || customer || country || status) return false;
  return kind !== 'country' || !(product || reseller);
}

function ofSums(kind: RedeemedKind, query: RedeemedQuery): string {
  const { table, value } = SUMS[kind] as { table: string; value: string };
  const chosen = (['product', 'reseller'] as const).flatMap((each) =>
    choiceConditions(each, query[each], {
      value: SUMS[each]?.value ?? '',
      type: 'uuid',
      fits: each === 'product' ? fits.id : fits.idOrNone,
    }),
  );
  const where = [
    'd.developer_id = $1',
    '($2::date is null or d.day >= $2)',
    '($3::date is null or d.day <= $3)',
    ...chosen,
  ].join(' and ');
  const grouped = `select ${value}::text as value, sum(d.redemptions)::int as count, true as exact from ${table} d
    where ${where} group by 1 having sum(d.redemptions) > 0`;
  return mostFrequent(kind, grouped, LABELS[kind]);
}

/** One reading of the newest for all kinds. Each serial is looked up by its key, whatever is known of the tables. */
async function amongNewest(
  db: Database,
  kinds: readonly RedeemedKind[],
  { status }: RedeemedQuery,
  filter: RedeemedFilter,
): Promise<KindCount<RedeemedKind>[]> {
  const states = statusConditions(status);
  // a state may be rare; and as a part of the filter it would be looked for among all serials of everybody
  const most = states.length > 0 ? COUNTED : LOOKED_AT;
  const hits = await hitsOf(db, filter);
  const values = kinds.map((kind) => ({ kind, ...redeemedValue(kind) }));
  const serial = `cross join lateral (select * from serials x where x.developer_id = r.developer_id and x.id = r.serial_id offset 0) x
    cross join lateral (select * from batches b where b.developer_id = x.developer_id and b.id = x.batch_id offset 0) xb
    cross join lateral (select * from products p where p.developer_id = xb.developer_id and p.id = xb.product_id offset 0) xp`;
  const own = pg.escapeLiteral(filter.developerId);
  const each = values.map(({ kind }) =>
    mostFrequent(
      kind,
      `select ${kind}::text as value, count(*)::int as count, (select count(*) from hit) <= ${most} as exact from looked group by 1`,
      LABELS[kind].replace('$1', own),
    ),
  );
  return db.query<KindCount<RedeemedKind>>(
    `with hit as materialized (
       select distinct redeemed_at, id from (${hits.newest(most + 1)}) found order by redeemed_at desc, id desc limit ${most + 1}),
     looked as materialized (
       select ${values.map(({ kind, value }) => `${value} as ${kind}`).join(', ')}
       from (select id from hit order by redeemed_at desc, id desc limit ${most}) h
         cross join lateral (select * from redemptions r where r.developer_id = ${own} and r.id = h.id offset 0) r
         ${states.length > 0 || values.some(({ looks }) => looks) ? serial : ''}
       where ${['true', ...states].join(' and ')})
     ${each.join(' union all ')}`,
  );
}
