import type { Sql } from '../../platform/db/database.ts';
import { listOf } from '../../platform/db/list-index.ts';
import {
  addAdjustments,
  addRedemptions,
  developerAdjustments,
  developerSums,
  partnerDayAdjustments,
  partnerDays,
} from './ledger-sums.ts';
import type { RedemptionSource } from './redemption.entity.ts';
import type { AdjustmentKind } from './refunds/adjustments.entity.ts';

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

const RECORD = `
  with entry as (
    insert into redemptions (${COLUMNS}, usage_cents) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) returning *
  ), ${addRedemptions('entry')}
  select count(*) from entry`;

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
  ]);
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
  const own = developerSums(
    `(select * from redemptions r where developer_id = '${developerId}' and ${listOf('r', 'redeemed_at')})`,
  );
  await sql.query(own.days.insert);
  await sql.query(own.countries.insert);
  const { insert, add } = developerAdjustments(
    `(select * from ledger_adjustments r where developer_id = '${developerId}' and ${listOf('r')})`,
  );
  await sql.query(`${insert} ${add}`);
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
