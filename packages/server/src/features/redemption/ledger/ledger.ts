import { type Insertable, type RawBuilder, sql } from 'kysely';
import {
  type EventData,
  objectIdsOf,
  partsOf,
  patternsFor,
  RECORDED,
  recordParts,
  tellRecorded,
} from '#features/webhooks';
import type { Sql } from '#platform/db/database.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Tables } from '#platform/db/tables.ts';
import { tables } from '../tables.ts';
import {
  addAdjustments,
  addRedemptions,
  developerAdjustments,
  developerSums,
  type LedgerRows,
  listed,
  partnerDayAdjustments,
  partnerDays,
  placeAdjustments,
  whole,
} from './ledger-sums.ts';

/** What every redemption has, also one that was imported. */
const COLUMNS = [
  'id',
  'developer_id',
  'serial_id',
  'code',
  'product_id',
  'partnership_id',
  'customer_id',
  'redeemed_at',
  'source',
  'final_price_cents',
  'commission_bps',
  'commission_cents',
  'country',
] as const;
const COUNTED = [...COLUMNS, 'usage_cents'] as const;

export type LedgerEntry = Required<Pick<Insertable<Tables['redemptions']>, (typeof COUNTED)[number]>>;

/** Writes one redemption, `entry`, and its sums. @param values of {@link COUNTED} */
const entered = (developerId: string, values: readonly unknown[]) => sql`
  with entry as (
    insert into redemptions (${listed(COUNTED)}) values (${sql.join(values)}) returning *
  ), ${addRedemptions({ developerId, rows: sql`entry` })}`;

const enter = tables.named(
  'enter',
  (_, developerId: string, ...values: readonly unknown[]) =>
    sql<object>`${entered(developerId, values)} select count(*) from entry`,
);

/** The developer's event in the same statement: the account's usage stays locked for no further round trip. */
const enterAndTell = tables.named(
  'enter_and_tell',
  (
    _,
    developerId: string,
    at: Date,
    patterns: readonly string[],
    data: string,
    personal: string | null,
    objects: readonly string[],
    ...values: readonly unknown[]
  ) => {
    const told = recordParts(sql`entry`, {
      account: sql`${developerId}`,
      type: sql.lit('serial.redeemed'),
      patterns: sql`${patterns}`,
      at: sql`${at}`,
      data: sql`${data}`,
      personal: sql`${personal}`,
      objects: sql`${objects}`,
    });
    return sql<{ told: string | null }>`${entered(developerId, values)}, ${told} select ${RECORDED} as told from entry`;
  },
);

/** Shares the account's days: see {@link shareDays}. */
const share = tables.named(
  'share_days',
  (_, developerId: string) => sql<object>`select pg_advisory_xact_lock_shared(hashtextextended(${developerId}, 1))`,
);

/**
 * Until the transaction ends, the account's days keep their boundaries: a change of its time zone, which recalculates
 * all sums, waits for this transaction or commits before it.
 */
async function shareDays(handle: Sql, developerId: string): Promise<void> {
  await share(handle, developerId);
}

/** Until the transaction ends, nobody else writes the account's ledger. */
async function holdDays(handle: Sql, developerId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${developerId}, 1))`.execute(tables.in(handle));
}

/**
 * Writes one redemption into the ledger and its sums, in the caller's transaction.
 * @param told what the developer's webhooks hear of it; null when none of them asks.
 */
export async function record(
  handle: Sql,
  row: LedgerEntry & { redeemed_at: Date },
  told: EventData<'serial.redeemed'> | null,
): Promise<void> {
  const developerId = row.developer_id;
  await shareDays(handle, developerId);
  const values = COUNTED.map((column) => row[column]);
  if (!told) {
    await enter(handle, developerId, ...values);
    return;
  }
  const { shown, personal } = partsOf(told);
  const asked = patternsFor('serial.redeemed');
  const [entry] = await enterAndTell(
    handle,
    developerId,
    row.redeemed_at,
    asked,
    shown,
    personal,
    objectIdsOf(told),
    ...values,
  );
  if (entry?.told) await tellRecorded(handle, { account: developerId, id: entry.told, type: 'serial.redeemed' });
}

/** Writes one change of the money of a redemption into the ledger and its sums, in the caller's transaction, which holds the redemption's row. */
export async function adjust(handle: Sql, row: Insertable<Tables['ledger_adjustments']>): Promise<void> {
  const developerId = row.developer_id;
  await shareDays(handle, developerId);
  await sql`
    with entry as (
      insert into ledger_adjustments (id, developer_id, redemption_id, partnership_id, product_id, kind, revenue_cents,
        commission_cents, reason, actor_id, created_at, month)
      values (${row.id}, ${developerId}, ${row.redemption_id}, ${row.partnership_id}, ${row.product_id}, ${row.kind},
        ${row.revenue_cents}, ${row.commission_cents}, ${row.reason}, ${row.actor_id}, ${row.created_at}, ${row.month})
      returning *
    ), ${addAdjustments({ developerId, rows: sql`entry` })}
    select count(*) from entry`.execute(tables.in(handle));
}

/**
 * Writes many redemptions in bulk.
 * @param rows a relation (a table or a sub-select) with the ledger's columns, all of this developer.
 * @returns how many.
 */
export async function recordAll(handle: Sql, developerId: string, rows: RawBuilder<unknown>): Promise<number> {
  await shareDays(handle, developerId);
  const counted = await sql<{ n: number }>`
    with entry as (
      insert into redemptions (${listed(COLUMNS)}) select ${listed(COLUMNS)} from ${rows} as source_rows returning *
    ), ${addRedemptions({ developerId, rows: sql`entry` })}
    select count(*) as n from entry`.execute(tables.in(handle));
  return counted.rows[0]?.n ?? 0;
}

/**
 * Recalculates an account's sums after its time zone changed in the same transaction, because its days now start
 * elsewhere.
 */
export async function rebuildSums(handle: Sql, developerId: string): Promise<void> {
  const db = tables.in(handle);
  await holdDays(db, developerId);
  await db.deleteFrom('ledger_days').where('developer_id', '=', developerId).execute();
  await db.deleteFrom('ledger_countries').where('developer_id', '=', developerId).execute();
  await db.deleteFrom('ledger_places').where('developer_id', '=', developerId).execute();
  const rowsOf = (table: 'redemptions' | 'ledger_adjustments', at: string): LedgerRows => ({
    developerId,
    rows: sql`(select * from ${sql.table(table)} r where r.developer_id = ${developerId} and ${inList(`r.${at}`)})`,
  });
  const { days, countries, places } = developerSums(rowsOf('redemptions', 'redeemed_at'));
  for (const { insert } of [days, countries, places]) await insert.execute(db);
  const adjustments = rowsOf('ledger_adjustments', 'created_at');
  for (const sum of [developerAdjustments(adjustments), placeAdjustments(adjustments)]) await whole(sum).execute(db);
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

/** For a recount: a long import holds the account's days, and redemptions would queue up behind whoever waits for it. */
export const BRIEFLY = { lock_timeout: "'250ms'" };

/** What one transaction counts of the ledger, unless a single day has more. */
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
    // days of other zones are at most a day off; the exact day is compared below
    const rowsOf = (table: 'redemptions' | 'ledger_adjustments', column: string): LedgerRows => {
      const at = sql.ref(`x.${column}`);
      const rows = sql`(select x.* from ${sql.table(table)} x join users xu on xu.id = x.developer_id
        where x.developer_id = ${developerId} and ${inList(`x.${column}`)}
          and ${at} >= ${from}::date::timestamptz - interval '2 days' and ${at} < ${to}::date::timestamptz + interval '3 days'
          and (${at} at time zone xu.time_zone)::date between ${from}::date and ${to}::date)`;
      return { developerId, rows };
    };
    await developerSums(rowsOf('redemptions', 'redeemed_at')).places.insert.execute(db);
    await whole(placeAdjustments(rowsOf('ledger_adjustments', 'created_at'))).execute(db);
  }
  const done = !range?.from || range.from === range.first;
  await completeFrom(db, developerId, done ? EVER : (range.from as string));
  return !done;
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
  const rowsOf = (table: 'redemptions' | 'ledger_adjustments'): LedgerRows => ({
    developerId,
    rows: sql`(select * from ${sql.table(table)} where developer_id = ${developerId} and partnership_id = ${partnershipId})`,
  });
  await partnerDays(rowsOf('redemptions')).insert.execute(db);
  await whole(partnerDayAdjustments(rowsOf('ledger_adjustments'))).execute(db);
}
