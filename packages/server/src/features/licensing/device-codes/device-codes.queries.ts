import { type Insertable, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns, Tables } from '#platform/db/tables.ts';
import { acrossTenants, joinOwn, ownJoin } from '#platform/db/tenant.ts';
import { spellingsOf } from '../rules/machine-ids.ts';
import { type LicensingDb, type LicensingHandle, tables } from '../tables.ts';

/** How many plugins of a product wait. */
export async function countWaiting(
  db: LicensingHandle,
  developerId: string,
  productId: string,
  now: Date,
): Promise<number> {
  const { waiting } = await db
    .selectFrom('license_device_codes')
    .select((eb) => eb.fn.countAll<number>().as('waiting'))
    .where('developer_id', '=', developerId)
    .where('product_id', '=', productId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return waiting;
}

/** Locked until the transaction ends, so that simultaneous calls are counted one after the other. */
export function lockByDeviceCode(tx: LicensingHandle, developerId: string, hash: Buffer) {
  return tx
    .selectFrom('license_device_codes')
    .selectAll()
    .where('developer_id', '=', developerId)
    .where('device_code_hash', '=', hash)
    .forUpdate()
    .executeTakeFirst();
}

/** One that was confirmed, with the serial as long as it is whose it was then. */
export function findConfirmed(db: LicensingHandle, developerId: string, id: string) {
  return db
    .selectFrom('license_device_codes as d')
    .$call(joinOwn('serials as s', 's.id', 'd.serial_id'))
    .select(['s.code', 'd.by_email'])
    .where('d.developer_id', '=', developerId)
    .where('d.id', '=', id)
    .where('d.state', '=', 'confirmed')
    .whereRef('s.customer_id', '=', 'd.customer_id')
    .executeTakeFirst();
}

/** One that a page asks for, in any state. */
export function findShown(db: LicensingHandle, developerId: string, hash: Buffer, now: Date) {
  return db
    .selectFrom('license_device_codes as d')
    .$call(joinOwn('products as p', 'p.id', 'd.product_id'))
    .select(['d.id', 'd.product_id', 'p.name as product', 'd.label', 'd.os', 'd.version', 'd.ip', 'd.country'])
    .select(['d.machine_id', 'd.old_machine_ids', 'd.state', 'd.created_at', 'd.expires_at'])
    .where('d.developer_id', '=', developerId)
    .where('d.user_code_hash', '=', hash)
    .where('d.expires_at', '>', now)
    .where('p.deleted_at', 'is', null)
    .executeTakeFirst();
}
type ShownCode = NonNullable<Awaited<ReturnType<typeof findShown>>>;

/** Serials of a product that may be used, of those that were proven, newest first. */
export async function findChoices(db: LicensingDb, developerId: string, about: ShownCode, proven: readonly string[]) {
  const machines = [about.machine_id, ...about.old_machine_ids].flatMap(spellingsOf);
  const { rows } = await sql<
    Columns<'serials', 'id' | 'code' | 'seats_used'> & {
      customer_id: string;
      max_activations: number;
      is_seated: boolean;
    }
  >`
    select s.id, s.code, s.customer_id, coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used,
      exists (select 1 from activations a where a.developer_id = ${developerId} and a.serial_id = s.id
        and a.released_at is null and a.machine_id = any(${machines}::text[])) as is_seated
    from serials s
      ${ownJoin('batches as b', 'b.id', 's.batch_id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
    where s.developer_id = ${developerId} and s.id = any(${proven}::uuid[]) and b.product_id = ${about.product_id}
      and s.redeemed_at is not null and s.customer_id is not null and s.revoked_at is null and p.deleted_at is null
    order by s.redeemed_at desc, s.id desc`.execute(db);
  return rows;
}

/**
 * One statement decides among simultaneous answers; the same answer may be repeated. It extends the code's lifetime, so
 * that an owner who has to release a seat first has the time for it.
 */
export function confirm(
  tx: LicensingHandle,
  developerId: string,
  hash: Buffer,
  chosen: { serialId: string; customerId: string; byEmail: boolean; until: Date },
  now: Date,
) {
  return tx
    .updateTable('license_device_codes')
    .set((eb) => ({
      state: 'confirmed',
      serial_id: chosen.serialId,
      customer_id: chosen.customerId,
      by_email: sql<boolean>`by_email or ${chosen.byEmail}`,
      expires_at: sql<Date>`case when ${eb.ref('state')} = 'pending' then greatest(expires_at, ${chosen.until}) else expires_at end`,
    }))
    .where('developer_id', '=', developerId)
    .where('user_code_hash', '=', hash)
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('state', '=', 'pending'),
        eb.and([eb('state', '=', 'confirmed'), eb('serial_id', '=', chosen.serialId)]),
      ]),
    )
    .returning('id')
    .executeTakeFirst();
}

export function deny(tx: LicensingHandle, developerId: string, hash: Buffer, now: Date) {
  return tx
    .updateTable('license_device_codes')
    .set({ state: 'denied' })
    .where('developer_id', '=', developerId)
    .where('user_code_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('state', 'in', ['pending', 'denied'])
    .returning('id')
    .executeTakeFirst();
}

/** Deletes codes that wait for a person, or were sent to them, when their data is erased. */
export async function eraseCodes(handle: Sql, person: { developerId: string; customerId: string }): Promise<void> {
  for (const table of ['license_device_codes', 'license_seat_codes'] as const) {
    await tables
      .in(handle)
      .deleteFrom(table)
      .where('developer_id', '=', person.developerId)
      .where('customer_id', '=', person.customerId)
      .execute();
  }
}

export async function deleteExpired(db: LicensingDb, before: Date): Promise<void> {
  await db
    .deleteFrom('license_device_codes')
    .where('expires_at', '<=', before)
    .modifyEnd(acrossTenants('housekeeping'))
    .execute();
}

export const addCode = (db: LicensingHandle, code: Insertable<Tables['license_device_codes']>) =>
  db.insertInto('license_device_codes').values(code).execute();

export const notePoll = (
  tx: LicensingHandle,
  { developer_id, id }: { developer_id: string; id: string },
  now: Date,
  interval: number,
) =>
  tx
    .updateTable('license_device_codes')
    .set({ polled_at: now, interval_seconds: interval })
    .where('developer_id', '=', developer_id)
    .where('id', '=', id)
    .execute();
