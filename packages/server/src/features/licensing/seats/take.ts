import { patternsFor, recordCtes, recordWebhook, wantsWebhook } from '#features/webhooks';
import { DAY } from '#platform/clock.ts';
import type { Database, Prepared, Sql } from '#platform/db/database.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { foldedSql, foldOf } from '../rules/machine-ids.ts';
import { knownSpelling } from './seats.queries.ts';

/** The serial that the seats belong to. */
export interface SeatedSerial {
  developerId: string;
  serialId: string;
}

/** A machine that requests a seat. */
export interface Newcomer extends SeatedSerial {
  /** The id for the machine's row, if one has to be created. */
  id: string;
  machineId: string;
  version: string | null;
  label: string | null;
  os: string | null;
  tokenHash: Buffer;
  /** Other ids of the same machine, without its current one: their seats are this machine's. */
  oldMachineIds?: readonly string[];
  /** For a license file, which keeps its lease. A machine that is online again holds its seat without an expiry. */
  keepsLease?: boolean;
  now: Date;
}

interface Taken {
  seats_used: number;
  max_activations: number;
}

/**
 * How many new machines a serial may see within `CHURN_DAYS`: twice its seats, and this many more. A key file without an
 * end stays good on a machine that gave its seat back, so this is how many a serial can spread.
 */
const CHURN = 3;
const CHURN_DAYS = 30;
/** How much of a machine's id is told: enough to tell machines apart. */
export const MACHINE_SHOWN = 8;

/** The first characters of a machine's id: whole ones, as the database counts them too. */
export const shownOf = (machineId: string): string => Array.from(machineId).slice(0, MACHINE_SHOWN).join('');

const ROW = `(id, developer_id, serial_id, machine_id, version, label, os, created_at, last_seen_at, token_hash)
  select $1::uuid, $2::uuid, $3::uuid, $4::text, $5::text, $6::text, $7::text, $8::timestamptz, $8, $9::bytea`;

/** A machine that had a seat before. One that still has it is left unchanged. */
const AGAIN = `on conflict (developer_id, serial_id, machine_id) do update set released_at = null, last_seen_at = excluded.last_seen_at,
    version = coalesce(excluded.version, a.version), label = coalesce(excluded.label, a.label),
    os = coalesce(excluded.os, a.os), token_hash = excluded.token_hash
  where a.released_at is not null`;

/** Machine rows remain after their seats are freed, so recently created rows are machines never seen before. */
const SETTLED = `select count(*) filter (where created_at > $10) < $11 + 2 * $12 or coalesce(bool_or(machine_id = $4), false)
  from activations where developer_id = $2 and serial_id = $3`;

/**
 * Every statement that gives or frees a seat also writes the serial's row. As long as that row is unchanged since this
 * statement started, everything it read is still true when it writes.
 */
const TAKE_AT_ONCE: Prepared = {
  name: 'take_seat',
  text: `with serial as (
      select s.id, s.xmin as row, b.product_id, coalesce(s.max_activations, p.max_activations) as seats
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
        join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      where s.developer_id = $2 and s.id = $3 and s.revoked_at is null
        and not exists (select from activations
          where developer_id = $2 and serial_id = $3 and ${foldedSql('machine_id')} = $13 and released_at is null)
    ), taken as (
      update serials s set seats_used = s.seats_used + 1, activated_at = coalesce(s.activated_at, $8) from serial
      where s.developer_id = $2 and s.id = serial.id and s.xmin = serial.row and s.seats_used < serial.seats
        and (${SETTLED.replace('$12', 'serial.seats')})
      returning s.seats_used, serial.seats as max_activations
    ), machine as (
      insert into activations as a ${ROW} from taken ${AGAIN}
    ), ${recordCtes('taken', {
      account: '$2',
      type: "'license.activated'",
      patterns: '$12',
      at: '$8',
      data: `(select json_build_object('serial_id', $3::uuid, 'product_id', product_id, 'machine', left($4::text, ${MACHINE_SHOWN}),
        'version', $5::text)::text from serial)`,
      personal: 'null',
      objects: '(select array[$3::uuid, product_id] from serial)',
    })}
    select taken.seats_used, taken.max_activations, (select count(*) from recorded) as told from taken`,
};

/**
 * Gives a free seat to a machine that has none, in one statement. Undefined when no seat is free or another call
 * changed the serial at the same time; `takeSeat` then resolves that under a lock.
 */
export async function takeSeatAtOnce(db: Database, machine: Newcomer): Promise<Taken | undefined> {
  const values = [
    ...rowOf(machine),
    churnSince(machine),
    CHURN,
    patternsFor('license.activated'),
    foldOf(machine.machineId),
  ];
  const [taken] = await db.prepared<Taken>(TAKE_AT_ONCE, values);
  return taken && { seats_used: taken.seats_used, max_activations: taken.max_activations };
}

/**
 * The serial's row decides who gets the last seat: its count and the machine's row are written together or not at all.
 * A machine that has a seat keeps it without being counted again; one that had it under another id takes it along.
 * @throws {LicenseRefusal} not_found when the serial was deleted in the meantime, revoked, seat_limit, churn_limit
 */
export async function takeSeat(sql: Sql, newcomer: Newcomer): Promise<Taken> {
  const serial = await lockSerial(sql, newcomer);
  const machine = await asKnown(sql, newcomer);
  const old = await releaseOldIds(sql, machine);
  const kept = await keepSeat(sql, machine);
  if (old.length > 0) {
    const seats_used = await giveBack(sql, machine, kept ? old.length : old.length - 1);
    if (!kept) await insertActivation(sql, machine, serial.max_activations);
    await tellMerged(sql, machine, old, kept);
    return { ...serial, seats_used };
  }
  if (kept) return serial;
  const [taken] = await sql.query<{ seats_used: number }>(
    `update serials set seats_used = seats_used + 1, activated_at = coalesce(activated_at, $4)
     where developer_id = $1 and id = $2 and seats_used < $3 returning seats_used`,
    [machine.developerId, machine.serialId, serial.max_activations, machine.now],
  );
  if (!taken) throw new LicenseRefusal('seat_limit');
  await insertActivation(sql, machine, serial.max_activations);
  const { version, now } = machine;
  await tell(sql, machine, machine.machineId, (about) => ({
    type: 'license.activated',
    at: now,
    data: { ...about, version },
  }));
  return { ...serial, seats_used: taken.seats_used };
}

/**
 * Moves a seat from one machine to another. Repeating the call returns the same result.
 * @throws {LicenseRefusal} not_found, revoked, churn_limit; not_activated when the old machine has no seat to give.
 */
export async function moveSeat(sql: Sql, oldMachineId: string, newcomer: Newcomer): Promise<Taken> {
  const serial = await lockSerial(sql, newcomer);
  const machine = await asKnown(sql, newcomer);
  await assertNotLeased(sql, machine, oldMachineId, machine.now);
  const left = await releaseMachine(sql, machine, oldMachineId, machine.now);
  if (await keepSeat(sql, machine)) {
    if (!left) return serial;
    // both had a seat: they are the same machine, so one seat is free again
    await tellMerged(sql, machine, [oldMachineId], true);
    return { ...serial, seats_used: await giveBack(sql, machine) };
  }
  if (!left) throw new LicenseRefusal('not_activated');
  // a lock alone leaves the row unchanged, and a concurrent single-statement activation would miss the changed machines
  await giveBack(sql, machine, 0);
  await insertActivation(sql, machine, serial.max_activations);
  await tellMerged(sql, machine, [oldMachineId], false);
  return serial;
}

/**
 * Frees a machine's seat once, even with two calls at once. Undefined when it had none. Returns how many seats are
 * taken.
 * @throws {LicenseRefusal} leased, unless the developer releases it
 */
export async function freeSeat(
  sql: Sql,
  serial: SeatedSerial,
  machineId: string,
  now: Date,
  by: 'owner' | 'developer' = 'owner',
): Promise<number | undefined> {
  // the serial first, as everywhere here, or two calls could deadlock
  await sql.query('select 1 from serials where developer_id = $1 and id = $2 for update', [
    serial.developerId,
    serial.serialId,
  ]);
  if (by === 'owner') await assertNotLeased(sql, serial, machineId, now);
  const gone = await releaseMachine(sql, serial, machineId, now);
  if (!gone) return undefined;
  await tell(sql, serial, machineId, (about) => ({ type: 'license.deactivated', at: now, data: about }));
  return giveBack(sql, serial);
}

/** Other machines turned out to be this one: unless it had a seat already, the first one's is its own now. */
async function tellMerged(sql: Sql, machine: Newcomer, old: readonly string[], kept: boolean): Promise<void> {
  const { now: at, machineId } = machine;
  const moved = kept ? undefined : old[0];
  const ended = kept ? old : old.slice(1);
  if (moved !== undefined) {
    const from_machine = shownOf(moved);
    await tell(sql, machine, machineId, (about) => ({
      type: 'license.transferred',
      at,
      data: { ...about, from_machine },
    }));
  }
  for (const id of ended) await tell(sql, machine, id, (about) => ({ type: 'license.deactivated', at, data: about }));
}

/** What a webhook hears of a machine. */
interface About {
  serial_id: string;
  product_id: string;
  machine: string;
}

async function tell<Event extends Parameters<typeof recordWebhook>[2]>(
  sql: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  eventOf: (about: About) => Event,
): Promise<void> {
  const nobody = { serial_id: serialId, product_id: serialId, machine: '' };
  if (!(await wantsWebhook(sql, developerId, eventOf(nobody).type))) return;
  const [batch] = await sql.query<{ product_id: string }>(
    `select b.product_id from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
     where s.developer_id = $1 and s.id = $2`,
    [developerId, serialId],
  );
  if (!batch) return;
  const about = { serial_id: serialId, product_id: batch.product_id, machine: shownOf(machineId) };
  await recordWebhook(sql, developerId, eventOf(about));
}

/** A license file issued to an offline machine works until its lease ends, so its seat counts as taken until then. */
async function assertNotLeased(
  sql: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  now: Date,
): Promise<void> {
  const leased = await sql.query(
    `select 1 from activations
     where developer_id = $1 and serial_id = $2 and machine_id = $3 and released_at is null and leased_until > $4`,
    [developerId, serialId, machineId, now],
  );
  if (leased.length > 0) throw new LicenseRefusal('leased');
}

async function releaseMachine(
  sql: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  now: Date,
): Promise<boolean> {
  const gone = await sql.query(
    `update activations set released_at = $4, token_hash = null, leased_until = null
     where developer_id = $1 and serial_id = $2 and machine_id = $3 and released_at is null returning id`,
    [developerId, serialId, machineId, now],
  );
  return gone.length > 0;
}

/** Frees the seats held by other ids of this machine, and returns these, as they were given. Their leases end: the machine is online. */
async function releaseOldIds(
  sql: Sql,
  { developerId, serialId, oldMachineIds = [], now }: Newcomer,
): Promise<string[]> {
  if (oldMachineIds.length === 0) return [];
  const gone = await sql.query<{ machine_id: string }>(
    `update activations set released_at = $3, token_hash = null, leased_until = null
     where serial_id = $1 and machine_id = any($2) and released_at is null and developer_id = $4 returning machine_id`,
    [serialId, oldMachineIds, now, developerId],
  );
  const ids = new Set(gone.map(({ machine_id }) => machine_id));
  return oldMachineIds.filter((id) => ids.has(id));
}

/**
 * Writes the serial's row even for zero seats: a concurrent single-statement activation must notice the changed
 * machines.
 */
async function giveBack(sql: Sql, { developerId, serialId }: SeatedSerial, seats = 1): Promise<number> {
  const [left] = await sql.query<{ seats_used: number }>(
    'update serials set seats_used = seats_used - $3 where developer_id = $1 and id = $2 returning seats_used',
    [developerId, serialId, seats],
  );
  return left?.seats_used ?? 0;
}

/** The lock serializes calls on one serial. */
async function lockSerial(sql: Sql, { developerId, serialId }: SeatedSerial): Promise<Taken> {
  const [serial] = await sql.query<Taken & { revoked_at: Date | null }>(
    `select s.seats_used, s.revoked_at, coalesce(s.max_activations, p.max_activations) as max_activations
     from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
       join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where s.developer_id = $1 and s.id = $2 for update of s`,
    [developerId, serialId],
  );
  if (!serial) throw new LicenseRefusal('not_found');
  if (serial.revoked_at !== null) throw new LicenseRefusal('revoked');
  return { seats_used: serial.seats_used, max_activations: serial.max_activations };
}

/** By the spelling that the serial knows by now: another call may have come first with another one. */
async function asKnown(sql: Sql, newcomer: Newcomer): Promise<Newcomer> {
  const { developerId: developer_id, serialId: serial_id, machineId, oldMachineIds } = newcomer;
  const known = await knownSpelling(sql, { developer_id, serial_id }, machineId);
  if (known === machineId) return newcomer;
  return {
    ...newcomer,
    machineId: known,
    ...(oldMachineIds && { oldMachineIds: oldMachineIds.filter((id) => id !== known) }),
  };
}

async function keepSeat(sql: Sql, machine: Newcomer): Promise<boolean> {
  const kept = await sql.query(
    `update activations set last_seen_at = $3, version = coalesce($4, version), label = coalesce($5, label),
       os = coalesce($6, os), token_hash = $7, leased_until = case when $8 then leased_until end
     where developer_id = $9 and serial_id = $1 and machine_id = $2 and released_at is null returning id`,
    [
      machine.serialId,
      machine.machineId,
      machine.now,
      machine.version,
      machine.label,
      machine.os,
      machine.tokenHash,
      machine.keepsLease ?? false,
      machine.developerId,
    ],
  );
  return kept.length > 0;
}

/**
 * Writes the machine of a taken seat while the serial's row is locked.
 * @throws {LicenseRefusal} churn_limit
 */
async function insertActivation(sql: Sql, machine: Newcomer, seats: number): Promise<void> {
  const written = await sql.query(`insert into activations as a ${ROW} where (${SETTLED}) ${AGAIN} returning id`, [
    ...rowOf(machine),
    churnSince(machine),
    CHURN,
    seats,
  ]);
  if (written.length === 0) throw new LicenseRefusal('churn_limit');
}

function rowOf({ id, developerId, serialId, machineId, version, label, os, now, tokenHash }: Newcomer): unknown[] {
  return [id, developerId, serialId, machineId, version, label, os, now, tokenHash];
}

const churnSince = ({ now }: Newcomer) => new Date(now.getTime() - CHURN_DAYS * DAY);

/**
 * For a customer who is erased: deletes released machines, which hold no seat but reveal where the person worked.
 * Machines with a seat are kept and continue to work.
 */
export async function forgetReleased(sql: Sql, person: { developerId: string; customerId: string }): Promise<void> {
  await sql.query(
    `delete from activations where developer_id = $1 and released_at is not null
       and serial_id in (select id from serials where developer_id = $1 and customer_id = $2)`,
    [person.developerId, person.customerId],
  );
}
