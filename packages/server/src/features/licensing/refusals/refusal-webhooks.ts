import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { asksFor, recordWebhook } from '#features/webhooks';
import { type Clock, MINUTE, SECOND } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { acrossTenants } from '#platform/db/tenant.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { LicensingDb } from '../tables.ts';

/** Sends refusals to webhooks, a minute at a time. */
export const refusalWebhooksJob = jobKind({
  name: 'license-refusal-webhooks',
  cron: '* * * * *',
  retryLimit: 0,
  retryDelay: 1,
  expireInSeconds: 60,
});

/** Refusals are written up to a second after they were made. */
const SETTLE = 5 * SECOND;
/** Minutes that a run looks back at, as one may have been missed. */
const BACK = 5 * MINUTE;
const MOST_SHOWN = 20;

interface Row extends Columns<'license_refusals', 'developer_id'> {
  minute: Date;
  total: number;
  refusals: {
    serial_id: string | null;
    product_id: string | null;
    action: string;
    status: string;
    count: number;
  }[];
}

/**
 * One event a minute at most for each account that asks for it, however many calls are refused: who has a plugin key, as all
 * its users do, could otherwise fill the account's feed.
 */
export async function notifyRefusals(db: LicensingDb, clock: Clock): Promise<void> {
  const until = Math.floor((clock.now().getTime() - SETTLE) / MINUTE) * MINUTE;
  const { rows } = await sql<Row>`
    with refused as (
      select r.developer_id, date_trunc('minute', r.at) as minute, r.serial_id, r.product_id, r.action, r.status,
        sum(r.count)::int as count
      from license_refusals r where r.at >= ${new Date(until - BACK)} and r.at < ${new Date(until)}
        and ${asksFor('r.developer_id', 'license.refused')}
      group by 1, 2, 3, 4, 5, 6
    ), ranked as (
      select f.*, sum(f.count) over (partition by f.developer_id, f.minute)::int as total,
        row_number() over (partition by f.developer_id, f.minute order by f.count desc, f.action, f.status) as nth
      from refused f
    )
    select developer_id, minute, total, json_agg(json_build_object('serial_id', serial_id, 'product_id', product_id,
      'action', action, 'status', status, 'count', count) order by nth) as refusals
    from ranked where nth <= ${sql.lit(MOST_SHOWN)} group by developer_id, minute, total order by minute
    ${acrossTenants('the worker serves all accounts')}`.execute(db);
  for (const { developer_id, minute: from, total: count, refusals } of rows)
    await db.work({ tx: true }, (tx) =>
      recordWebhook(tx, developer_id, {
        type: 'license.refused',
        at: new Date(from.getTime() + MINUTE),
        data: { count, from, refusals },
        id: idOf(developer_id, from),
      }),
    );
}

/** The same for the same minute, so that it is told once: a UUIDv7 whose other bits depend on the account. */
function idOf(developerId: string, minute: Date): string {
  const bytes = createHash('sha256').update(`license.refused ${developerId}`).digest().subarray(0, 16);
  bytes.writeUIntBE(minute.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 15) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 63) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
