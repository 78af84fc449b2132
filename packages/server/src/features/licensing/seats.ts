import { DAY } from '../../platform/clock.ts';
import type { Tx } from '../../platform/db/database.ts';
import { LicenseRefusal } from './license-status.ts';

/** A machine that asks for a seat. */
export interface Newcomer {
  /** Of the row, when one has to be made. */
  id: string;
  developerId: string;
  serialId: string;
  machineId: string;
  version: string | null;
  label: string | null;
  os: string | null;
  tokenHash: Buffer;
  now: Date;
}

interface Taken {
  seats_used: number;
  max_activations: number;
}

/** Machines that a serial may never have seen before, in so many days. Twice its seats, for those with many. */
const CHURN = 20;
const CHURN_DAYS = 30;

/**
 * The serial's row decides who gets the last seat: raising its count and writing the machine happen together or not
 * at all. A machine that has a seat keeps it, and nothing is counted.
 * @throws {LicenseRefusal} revoked, seat_limit, churn_limit
 */
export async function takeSeat(tx: Tx, machine: Newcomer): Promise<Taken> {
  const serial = await lockSerial(tx, machine.serialId);
  if (await keepSeat(tx, machine)) return serial;
  const [taken] = await tx.query<{ seats_used: number }>(
    'update serials set seats_used = seats_used + 1 where id = $1 and seats_used < $2 returning seats_used',
    [machine.serialId, serial.max_activations],
  );
  if (!taken) throw new LicenseRefusal('seat_limit');
  await holdToChurn(tx, machine, serial.max_activations);
  await writeMachine(tx, machine);
  return { ...serial, seats_used: taken.seats_used };
}

/**
 * Moves a seat from one machine to another. Asked again, it answers the same.
 * @throws {LicenseRefusal} revoked, churn_limit; not_activated when the old machine has no seat to give.
 */
export async function moveSeat(tx: Tx, oldMachineId: string, machine: Newcomer): Promise<Taken> {
  const serial = await lockSerial(tx, machine.serialId);
  await holdToLease(tx, machine.serialId, oldMachineId, machine.now);
  const left = await releaseMachine(tx, machine.serialId, oldMachineId, machine.now);
  if (await keepSeat(tx, machine)) {
    if (!left) return serial;
    // both had one: the two are one machine, and one seat is free again
    return { ...serial, seats_used: await giveBack(tx, machine.serialId) };
  }
  if (!left) throw new LicenseRefusal('not_activated');
  await holdToChurn(tx, machine, serial.max_activations);
  await writeMachine(tx, machine);
  return serial;
}

/**
 * Frees a machine's seat, once: of two calls at once one counts. Undefined: it had none. Answers how many are taken.
 * @throws {LicenseRefusal} leased, unless the developer himself asks
 */
export async function freeSeat(
  tx: Tx,
  serialId: string,
  machineId: string,
  now: Date,
  by: 'owner' | 'developer' = 'owner',
): Promise<number | undefined> {
  // the serial first, as everywhere here, or two calls could wait for each other
  await tx.query('select 1 from serials where id = $1 for update', [serialId]);
  if (by === 'owner') await holdToLease(tx, serialId, machineId, now);
  const gone = await releaseMachine(tx, serialId, machineId, now);
  if (!gone) return undefined;
  return giveBack(tx, serialId);
}

/** What was handed out for a machine without network goes on working until its lease ends, and so its seat is taken. */
async function holdToLease(tx: Tx, serialId: string, machineId: string, now: Date): Promise<void> {
  const leased = await tx.query(
    `select 1 from activations where serial_id = $1 and machine_id = $2 and released_at is null and leased_until > $3`,
    [serialId, machineId, now],
  );
  if (leased.length > 0) throw new LicenseRefusal('leased');
}

async function releaseMachine(tx: Tx, serialId: string, machineId: string, now: Date): Promise<boolean> {
  const gone = await tx.query(
    `update activations set released_at = $3, token_hash = null, leased_until = null
     where serial_id = $1 and machine_id = $2 and released_at is null returning id`,
    [serialId, machineId, now],
  );
  return gone.length > 0;
}

async function giveBack(tx: Tx, serialId: string): Promise<number> {
  const [left] = await tx.query<{ seats_used: number }>(
    'update serials set seats_used = seats_used - 1 where id = $1 returning seats_used',
    [serialId],
  );
  return left?.seats_used ?? 0;
}

/** The lock makes calls on one serial follow each other. */
async function lockSerial(tx: Tx, serialId: string): Promise<Taken> {
  const [serial] = await tx.query<Taken & { revoked_at: Date | null }>(
    `select s.seats_used, s.revoked_at, coalesce(s.max_activations, p.max_activations) as max_activations
     from serials s join batches b on b.id = s.batch_id join products p on p.id = b.product_id
     where s.id = $1 for update of s`,
    [serialId],
  );
  if (!serial || serial.revoked_at !== null) throw new LicenseRefusal('revoked');
  return { seats_used: serial.seats_used, max_activations: serial.max_activations };
}

async function keepSeat(tx: Tx, machine: Newcomer): Promise<boolean> {
  const kept = await tx.query(
    `update activations set last_seen_at = $3, version = coalesce($4, version), label = coalesce($5, label),
       os = coalesce($6, os), token_hash = $7
     where serial_id = $1 and machine_id = $2 and released_at is null returning id`,
    [machine.serialId, machine.machineId, machine.now, machine.version, machine.label, machine.os, machine.tokenHash],
  );
  return kept.length > 0;
}

async function writeMachine(tx: Tx, machine: Newcomer): Promise<void> {
  await tx.query(
    `insert into activations (id, developer_id, serial_id, machine_id, version, label, os, created_at, last_seen_at, token_hash)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $8, $9)
     on conflict (serial_id, machine_id) do update set released_at = null, last_seen_at = excluded.last_seen_at,
       version = coalesce(excluded.version, activations.version), label = coalesce(excluded.label, activations.label),
       os = coalesce(excluded.os, activations.os), token_hash = excluded.token_hash`,
    [
      machine.id,
      machine.developerId,
      machine.serialId,
      machine.machineId,
      machine.version,
      machine.label,
      machine.os,
      machine.now,
      machine.tokenHash,
    ],
  );
}

/** Rows of machines stay when their seats are freed, so those made lately are the machines never seen before. */
async function holdToChurn(tx: Tx, machine: Newcomer, seats: number): Promise<void> {
  const [seen] = await tx.query<{ lately: number; known: boolean }>(
    `select count(*) filter (where created_at > $3) as lately, coalesce(bool_or(machine_id = $2), false) as known
     from activations where serial_id = $1`,
    [machine.serialId, machine.machineId, new Date(machine.now.getTime() - CHURN_DAYS * DAY)],
  );
  if (seen && !seen.known && seen.lately >= Math.max(CHURN, 2 * seats)) throw new LicenseRefusal('churn_limit');
}
