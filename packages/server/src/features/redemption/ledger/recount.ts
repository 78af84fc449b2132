import { type RawBuilder, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { tables } from '../tables.ts';
import { ACCOUNT, accountOf, holdDays } from './account-days.ts';
import {
  developerAdjustments,
  developerSums,
  type LedgerRows,
  partnerDayAdjustments,
  partnerDays,
  partnerSums,
  placeAdjustments,
  whole,
} from './ledger-sums.ts';

/** Sums by {@link ACCOUNT}. In a part of their own: many machines send a whole INSERT, with the part before it, to the machine of its rows. */
const byAccount = (developerId: string, insert: RawBuilder<unknown>) =>
  sql`with ${accountOf(developerId)}, summed as (${insert}) select 1`;

/** Sums by the account's days. */
const SUMS = ['ledger_days', 'ledger_countries', 'ledger_places'] as const;

type RowsOf = (table: 'redemptions' | 'ledger_adjustments', at: 'redeemed_at' | 'created_at') => LedgerRows;

/** Writes the {@link SUMS} of rows for which there are none. */
async function countAll(db: Sql, developerId: string, rowsOf: RowsOf): Promise<void> {
  const { days, countries, places } = developerSums(rowsOf('redemptions', 'redeemed_at'));
  for (const { insert } of [days, countries, places]) await byAccount(developerId, insert).execute(tables.in(db));
  const adjustments = rowsOf('ledger_adjustments', 'created_at');
  for (const sum of [developerAdjustments(adjustments), placeAdjustments(adjustments)])
    await byAccount(developerId, whole(sum)).execute(tables.in(db));
}

/** The rows of a partnership, in either table. */
const ofPartnership =
  (developerId: string, partnershipId: string) =>
  (table: 'redemptions' | 'ledger_adjustments'): LedgerRows => ({
    developerId,
    rows: sql`(select * from ${sql.table(table)} where developer_id = ${developerId} and partnership_id = ${partnershipId})`,
  });

/**
 * Recalculates an account's sums after its time zone changed in the same transaction, because its days now start
 * elsewhere.
 */
export async function rebuildSums(handle: Sql, developerId: string): Promise<void> {
  const db = tables.in(handle);
  await holdDays(db, developerId);
  for (const table of SUMS) await db.deleteFrom(table).where('developer_id', '=', developerId).execute();
  await countAll(db, developerId, (table, at) => ({
    developerId,
    account: ACCOUNT,
    rows: sql`(select * from ${sql.table(table)} r where r.developer_id = ${developerId} and ${inList(`r.${at}`)})`,
  }));
  await completeFrom(db, developerId, EVER);
}

/** Earlier than any day of the ledger. */
export const EVER = '0001-01-01';

async function completeFrom(handle: Sql, developerId: string, day: string): Promise<void> {
  await tables
    .in(handle)
    .insertInto('ledger_place_counts')
    .values({ developer_id: developerId, complete_from: day })
    .onConflict((on) => on.column('developer_id').doUpdateSet({ complete_from: day }))
    .execute();
}

/**
 * A recount waits only briefly: a long import locks the account's days, and redemptions would queue up behind the
 * recount.
 */
export const BRIEFLY = { lock_timeout: '250ms' };

/** The rows of the ledger that one transaction counts, unless a single day has more. */
const AT_ONCE = 100_000;

/**
 * Counts some more of what an account sold before there were sums by country, from the newest day backward, in the caller's
 * transaction. Redemptions that come in meanwhile wait for it.
 * @returns false when nothing was left.
 */
export async function countPlaces(handle: Sql, developerId: string, most = AT_ONCE): Promise<boolean> {
  const db = tables.in(handle);
  await holdDays(db, developerId);
  const found = await sql<{ from: string | null; to: string | null; first: string | null }>`
    with days as (
      select day, sum(redemptions + adjustments) as n from ledger_days
      where developer_id = ${developerId}
        and day < coalesce((select complete_from from ledger_place_counts where developer_id = ${developerId}), 'infinity')
      group by day
    ), reached as (select day, sum(n) over (order by day desc) as n from days)
    select coalesce(min(day) filter (where n <= ${most}), max(day))::text as from, max(day)::text as to, min(day)::text as first
    from reached`.execute(db);
  const range = found.rows[0];
  if (range?.from && range.to) {
    const { from, to } = range;
    await db
      .deleteFrom('ledger_places')
      .where('developer_id', '=', developerId)
      .where('day', '>=', from)
      .where('day', '<=', to)
      .execute();
    const rowsOf = onDays(developerId, { from, to });
    const { insert } = developerSums(rowsOf('redemptions', 'redeemed_at')).places;
    await byAccount(developerId, insert).execute(db);
    const adjustments = placeAdjustments(rowsOf('ledger_adjustments', 'created_at'));
    await byAccount(developerId, whole(adjustments)).execute(db);
  }
  const done = !range?.from || range.from === range.first;
  await completeFrom(db, developerId, done ? EVER : (range.from as string));
  return !done;
}

/** The rows of some days, both inclusive, on the account's clock. */
const onDays =
  (developerId: string, { from, to }: { from: string; to: string }): RowsOf =>
  (table, column) => {
    const at = sql.ref(`x.${column}`);
    // days of other zones are at most a day off; the exact day is compared after that
    const rows = sql`(select x.* from ${sql.table(table)} x join ${ACCOUNT} xu on xu.id = x.developer_id
      where x.developer_id = ${developerId} and ${inList(`x.${column}`)}
        and ${at} >= ${from}::date::timestamptz - interval '2 days' and ${at} < ${to}::date::timestamptz + interval '3 days'
        and (${at} at time zone xu.time_zone)::date between ${from}::date and ${to}::date)`;
    return { developerId, rows, account: ACCOUNT };
  };

/** Counts some days of an account anew, both inclusive, in the caller's transaction, which holds the days. */
export async function recountDays(
  handle: Sql,
  developerId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  const db = tables.in(handle);
  for (const table of SUMS) {
    await sql`
      delete from ${sql.table(table)} where developer_id = ${developerId} and day between ${from}::date and ${to}::date`.execute(
      db,
    );
  }
  await countAll(db, developerId, onDays(developerId, { from, to }));
}

/** Counts all sums of a partnership anew, in the caller's transaction, which holds the days. */
export async function recountPartnership(handle: Sql, developerId: string, partnershipId: string): Promise<void> {
  const db = tables.in(handle);
  for (const table of ['partner_totals', 'partner_months', 'partner_days'] as const) {
    await sql`
      delete from ${sql.table(table)} where developer_id = ${developerId} and partnership_id = ${partnershipId}`.execute(
      db,
    );
  }
  const rowsOf = ofPartnership(developerId, partnershipId);
  const [sold, made] = [rowsOf('redemptions'), rowsOf('ledger_adjustments')];
  for (const sum of [...partnerSums(sold, made), partnerDays(sold), partnerDayAdjustments(made)])
    await whole(sum).execute(db);
}

/** Recalculates the days of a partnership in another time zone, in the caller's transaction. */
export async function recountPartnerDays(
  handle: Sql,
  { developerId, partnershipId, timeZone }: { developerId: string; partnershipId: string; timeZone: string },
): Promise<void> {
  const db = tables.in(handle);
  await holdDays(db, developerId);
  await db
    .insertInto('partner_calendars')
    .values({ developer_id: developerId, partnership_id: partnershipId, time_zone: timeZone })
    .onConflict((on) => on.columns(['developer_id', 'partnership_id']).doUpdateSet({ time_zone: timeZone }))
    .execute();
  await db
    .deleteFrom('partner_days')
    .where('developer_id', '=', developerId)
    .where('partnership_id', '=', partnershipId)
    .execute();
  const rowsOf = ofPartnership(developerId, partnershipId);
  await partnerDays(rowsOf('redemptions')).insert.execute(db);
  await whole(partnerDayAdjustments(rowsOf('ledger_adjustments'))).execute(db);
}
