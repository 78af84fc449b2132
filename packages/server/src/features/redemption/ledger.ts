import type { Sql } from '../../platform/db/database.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { NO_PARTNERSHIP } from './ledger.entity.ts';
import type { RedemptionSource } from './redemption.entity.ts';

export interface LedgerEntry {
  id: string;
  developerId: string;
  serialId: string;
  productId: string;
  partnershipId: string | null;
  customerId: string;
  redeemedAt: Date;
  source: RedemptionSource;
  finalPriceCents: number;
  commissionBps: number;
  commissionCents: number;
  country: string | null;
}

const COLUMNS = `id, developer_id, serial_id, product_id, partnership_id, customer_id, redeemed_at, source,
    final_price_cents, commission_bps, commission_cents, country`;

const ADD_TO_SUMS = {
  days: `on conflict (developer_id, day, product_id, partnership_id) do update set redemptions = d.redemptions + excluded.redemptions,
    revenue_cents = d.revenue_cents + excluded.revenue_cents, commission_cents = d.commission_cents + excluded.commission_cents`,
  countries: `on conflict (developer_id, day, country) do update set redemptions = c.redemptions + excluded.redemptions`,
};

/** How ledger rows become sums: by the day they fall on in the account's time zone. */
const sumsOf = (rows: string) => ({
  days: `insert into ledger_days as d (developer_id, day, product_id, partnership_id, redemptions, revenue_cents, commission_cents)
    select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, r.product_id,
      coalesce(r.partnership_id, '${NO_PARTNERSHIP}'), count(*), sum(r.final_price_cents), sum(r.commission_cents)
    from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3, 4 order by 1, 2, 3, 4`,
  countries: `insert into ledger_countries as c (developer_id, day, country, redemptions)
    select r.developer_id, (r.redeemed_at at time zone u.time_zone)::date, coalesce(r.country, ''), count(*)
    from ${rows} r join users u on u.id = r.developer_id group by 1, 2, 3 order by 1, 2, 3`,
});

const entry = sumsOf('entry');
const RECORD = `
  with entry as (
    insert into redemptions (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning *
  ), by_day as (${entry.days} ${ADD_TO_SUMS.days})
  ${entry.countries} ${ADD_TO_SUMS.countries}`;

/**
 * Until the transaction ends, the account's days keep their boundaries: a change of its time zone, which recalculates
 * all sums, waits for this transaction or commits before it.
 */
async function lockDays(sql: Sql, developerId: string): Promise<void> {
  await sql.query('select pg_advisory_xact_lock_shared(hashtextextended($1, 1))', [developerId]);
}

/** Writes one redemption into the ledger and its sums, in the caller's transaction. */
export async function record(sql: Sql, row: LedgerEntry): Promise<void> {
  await lockDays(sql, row.developerId);
  await sql.query(RECORD, [
    row.id,
    row.developerId,
    row.serialId,
    row.productId,
    row.partnershipId,
    row.customerId,
    row.redeemedAt,
    row.source,
    row.finalPriceCents,
    row.commissionBps,
    row.commissionCents,
    row.country,
  ]);
}

/**
 * Writes many redemptions in bulk.
 * @param rows a relation (a table or a sub-select) with the ledger's columns.
 * @returns how many.
 */
export async function recordAll(sql: Sql, developerId: string, rows: string): Promise<number> {
  await lockDays(sql, developerId);
  const many = sumsOf('entry');
  const [counted] = await sql.query<{ n: number }>(
    `with entry as (insert into redemptions (${COLUMNS}) select ${COLUMNS} from ${rows} as source_rows returning *),
       by_day as (${many.days} ${ADD_TO_SUMS.days}), by_country as (${many.countries} ${ADD_TO_SUMS.countries})
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
  const own = sumsOf(
    `(select * from redemptions r where developer_id = '${developerId}' and ${listOf('r', 'redeemed_at')})`,
  );
  await sql.query(own.days);
  await sql.query(own.countries);
}
