import { type EventData, objectIdsOf, partsOf, patternsFor, recordCtes } from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { RedemptionSource } from '../redemption.entity.ts';
import type { AdjustmentKind } from '../refunds/adjustments.entity.ts';
import {
  addAdjustments,
  addRedemptions,
  developerAdjustments,
  developerSums,
  partnerDayAdjustments,
  partnerDays,
  placeAdjustments,
} from './ledger-sums.ts';

export interface LedgerEntry {
  id: string;
  developerId: string;
  serialId: string;
  code: string;
  productId: string;
  partnershipId: string | null;
  customerId: string;
  redeemedAt: Date;
  source: RedemptionSource;
  finalPriceCents: number;
  commissionBps: number;
  commissionCents: number;
  usageCents: number;
  country: string | null;
}

const COLUMNS = `id, developer_id, serial_id, code, product_id, partnership_id, customer_id, redeemed_at, source,
    final_price_cents, commission_bps, commission_cents, country`;

const ENTER = `
  with entry as (
    insert into redemptions (${COLUMNS}, usage_cents) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning *
  ), ${addRedemptions('entry')}`;

const RECORD = `${ENTER}
  select count(*) from entry`;

/** The developer's event in the same statement: the account's usage stays locked for no further round trip. */
const RECORD_AND_TELL = `${ENTER}, ${recordCtes('entry', {
  account: '$2',
  type: "'serial.redeemed'",
  patterns: '$15',
  at: '$8',
  data: '$16',
  personal: '$17',
  objects: '$18',
})}
  select count(*), (select count(*) from recorded) as told from entry`;

/**
 * Until the transaction ends, the account's days keep their boundaries: a change of its time zone, which recalculates
 * all sums, waits for this transaction or commits before it.
 */
async function lockDays(sql: Sql, developerId: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 1))', [developerId]);
}

/**
 * Writes one redemption into the ledger and its sums, in the caller's transaction.
 * @param told what the developer's webhooks hear of it; null when none of them asks.
 */
export async function record(sql: Sql, row: LedgerEntry, told: EventData<'serial.redeemed'> | null): Promise<void> {
  await lockDays(sql, row.developerId);
  const entry = [
    row.id,
    row.developerId,
    row.serialId,
    row.code,
    row.productId,
    row.partnershipId,
    row.customerId,
    row.redeemedAt,
    row.source,
    row.finalPriceCents,
    row.commissionBps,
    row.commissionCents,
    row.country,
    row.usageCents,
  ];
  if (!told) {
    await sql.query(RECORD, entry);
    return;
  }
  const { shown, personal } = partsOf(told);
  await sql.query(RECORD_AND_TELL, [...entry, patternsFor('serial.redeemed'), shown, personal, objectIdsOf(told)]);
}

/** A change of the money of a redemption; amounts are signed. */
interface AdjustmentEntry {
  id: string;
  developerId: string;
  redemptionId: string;
  partnershipId: string | null;
  productId: string;
  kind: AdjustmentKind;
  revenueCents: number;
  commissionCents: number;
  reason: string;
  actorId: string;
  createdAt: Date;
  /** First day of the month (UTC) whose statement it belongs to. */
  month: string;
}

const ADJUST = `
  with entry as (
    insert into ledger_adjustments (id, developer_id, redemption_id, partnership_id, product_id, kind, revenue_cents,
      commission_cents, reason, actor_id, created_at, month)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *
  ), ${addAdjustments('entry')}
  select count(*) from entry`;

/** Writes one adjustment into the ledger and its sums, in the caller's transaction, which holds the redemption's row. */
export async function adjust(sql: Sql, row: AdjustmentEntry): Promise<void> {
  await lockDays(sql, row.developerId);
  await sql.query(ADJUST, [
    row.id,
    row.developerId,
    row.redemptionId,
    row.partnershipId,
    row.productId,
    row.kind,
    row.revenueCents,
    row.commissionCents,
    row.reason,
    row.actorId,
    row.createdAt,
    row.month,
  ]);
}

/**
 * Writes many redemptions in bulk.
 * @param rows a relation (a table or a sub-select) with the ledger's columns.
 * @returns how many.
 */
export async function recordAll(sql: Sql, developerId: string, rows: string): Promise<number> {
  await lockDays(sql, developerId);
  const [counted] = await sql.query<{ n: number }>(
    `with entry as (insert into redemptions (${COLUMNS}) select ${COLUMNS} from ${rows} as source_rows returning *),
       ${addRedemptions('entry')}
     select count(*) as n from entry`,
  );
  return counted?.n ?? 0;
}

/**
 * Recalculates an account's sums after its time zone changed in the same transaction, because its days now start
 * elsewhere.
 */
export async function rebuildSums(sql: Sql, developerId: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [developerId]);
  await sql.query('delete from ledger_days where developer_id = $1', [developerId]);
  await sql.query('delete from ledger_countries where developer_id = $1', [developerId]);
  await sql.query('delete from ledger_places where developer_id = $1', [developerId]);
  const own = developerSums(
    `(select * from redemptions r where developer_id = '${developerId}' and ${listOf('r', 'redeemed_at')})`,
  );
  await sql.query(own.days.insert);
  await sql.query(own.countries.insert);
  await sql.query(own.places.insert);
  const adjustments = `(select * from ledger_adjustments r where developer_id = '${developerId}' and ${listOf('r')})`;
  for (const { insert, add } of [developerAdjustments(adjustments), placeAdjustments(adjustments)])
    await sql.query(`${insert} ${add}`);
  await completeFrom(sql, developerId, EVER);
}

/** Earlier than any day of the ledger. */
const EVER = '0001-01-01';

async function completeFrom(sql: Sql, developerId: string, day: string): Promise<void> {
  await sql.query(
    `insert into ledger_place_counts (developer_id, complete_from) values ($1, $2)
     on conflict (developer_id) do update set complete_from = excluded.complete_from`,
    [developerId, day],
  );
}

/** What one transaction counts of the ledger, unless a single day has more. */
const AT_ONCE = 100_000;

/**
 * Counts some more of what an account sold before there were sums by country, from the newest day backward, in the caller's
 * transaction. Redemptions that come in meanwhile wait for it.
 * @returns false when nothing was left.
 */
export async function countPlaces(sql: Sql, developerId: string, most = AT_ONCE): Promise<boolean> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [developerId]);
  const [range] = await sql.query<{ from: string | null; to: string | null; first: string | null }>(
    `with days as (
       select day, sum(redemptions + adjustments) as n from ledger_days
       where developer_id = $1 and day < coalesce((select complete_from from ledger_place_counts where developer_id = $1), 'infinity')
       group by day
     ), reached as (select day, sum(n) over (order by day desc) as n from days)
     select coalesce(min(day) filter (where n <= $2), max(day))::text as from, max(day)::text as to, min(day)::text as first from reached`,
    [developerId, most],
  );
  if (range?.from && range.to) {
    const { from, to } = range;
    await sql.query('delete from ledger_places where developer_id = $1 and day >= $2 and day <= $3', [
      developerId,
      from,
      to,
    ]);
    // days of other zones are at most a day off; the exact day is compared below
    const rowsOf = (table: string, at: string) =>
      `(select x.* from ${table} x join users xu on xu.id = x.developer_id
        where x.developer_id = $1 and ${listOf('x', at)} and x.${at} >= $2::date::timestamptz - interval '2 days'
          and x.${at} < $3::date::timestamptz + interval '3 days'
          and (x.${at} at time zone xu.time_zone)::date between $2::date and $3::date)`;
    await sql.query(developerSums(rowsOf('redemptions', 'redeemed_at')).places.insert, [developerId, from, to]);
    const { insert, add } = placeAdjustments(rowsOf('ledger_adjustments', 'created_at'));
    await sql.query(`${insert} ${add}`, [developerId, from, to]);
  }
  const done = !range?.from || range.from === range.first;
  await completeFrom(sql, developerId, done ? EVER : (range.from as string));
  return !done;
}

/** Recalculates the days of a partnership in another time zone, in the caller's transaction. */
export async function recountPartnerDays(
  sql: Sql,
  { developerId, partnershipId, timeZone }: { developerId: string; partnershipId: string; timeZone: string },
): Promise<void> {
  await sql.query('select pg_advisory_xact_lock(hashtextextended($1, 1))', [developerId]);
  const own = [developerId, partnershipId];
  await sql.query(
    `insert into partner_calendars (developer_id, partnership_id, time_zone) values ($1, $2, $3)
     on conflict (developer_id, partnership_id) do update set time_zone = excluded.time_zone`,
    [...own, timeZone],
  );
  await sql.query('delete from partner_days where developer_id = $1 and partnership_id = $2', own);
  const rowsOf = (table: string) => `(select * from ${table} where developer_id = $1 and partnership_id = $2)`;
  await sql.query(partnerDays(rowsOf('redemptions')).insert, own);
  const { insert, add } = partnerDayAdjustments(rowsOf('ledger_adjustments'));
  await sql.query(`${insert} ${add}`, own);
}
