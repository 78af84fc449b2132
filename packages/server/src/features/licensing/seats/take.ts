import { LRUCache } from 'lru-cache';
import { notifyRecorded, recordWebhook, wantsWebhook } from '#features/webhooks';
import { MINUTE } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { idAt } from '#platform/random.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { foldOf, shownOf } from '../rules/machine-ids.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { knownSpelling } from './seats.queries.ts';
import {
  addMachine,
  churnSince,
  holdSerial,
  keepMachine,
  leasedBeyond,
  lockWithSeats,
  type Machine,
  productOf,
  releaseAny,
  returnSeats,
  rowOf,
  takeAndRecord,
  takeAtOnce,
  takeOne,
} from './take.queries.ts';

/** The serial that the seats belong to. */
export interface SeatedSerial {
  developerId: string;
  serialId: string;
}

/** A machine that requests a seat. */
export interface Newcomer extends Machine {
  /** Other ids of the same machine, without its current one: their seats are this machine's. */
  oldMachineIds?: readonly string[];
  /** Set for a license file, which keeps its lease. A machine that is online again holds its seat without an expiry. */
  keepsLease?: boolean;
}

interface Taken {
  seats_used: number;
  max_activations: number;
}

/** Developers with a webhook that asks for activations, as it was lately. It decides what is tried first, and nothing else. */
const asking = new LRUCache<string, true>({ max: 10_000, ttl: MINUTE });

/**
 * Gives a free seat to a machine that has none, in one statement; where a webhook asks for that, in a transaction with its notice. What
 * has to be resolved under a lock, because no seat is free or another call changed the serial at the same time, {@link takeSeat} does.
 */
export async function takeSeatSoon(db: LicensingDb, machine: Newcomer): Promise<Taken> {
  const { developerId } = machine;
  if (!asking.has(developerId)) {
    const [tried] = await takeAtOnce(db, ...newly(machine));
    if (tried && tried.seats_used !== null)
      return { seats_used: tried.seats_used, max_activations: tried.max_activations };
    if (tried?.asks) asking.set(developerId, true);
  }
  return db.work({ tx: true, named: true }, async (tx) => {
    const [taken] = asking.has(developerId) ? await takeAndRecord(tx, idAt(machine.now), ...newly(machine)) : [];
    if (!taken) return takeSeat(tx, machine);
    const { told, ...seat } = taken;
    if (told !== null) await notifyRecorded(tx, { account: developerId, id: told, type: 'license.activated' });
    else asking.delete(developerId);
    return seat;
  });
}

const newly = (machine: Newcomer) => [churnSince(machine), foldOf(machine.machineId), ...rowOf(machine)] as const;

/**
 * The serial's row decides who gets the last seat: its count and the machine's row are written together or not at all.
 * A machine that has a seat keeps it without being counted again; one that had it under another id takes it along.
 * @throws {LicenseRefusal} not_found when the serial was deleted in the meantime, revoked, seat_limit, churn_limit
 */
export async function takeSeat(handle: Sql, newcomer: Newcomer): Promise<Taken> {
  const serial = await lockSerial(handle, newcomer);
  const machine = await asKnown(handle, newcomer);
  const old = await releaseOldIds(handle, machine);
  const kept = await keepSeat(handle, machine);
  if (old.length > 0) {
    const seats_used = await giveBack(handle, machine, kept ? old.length : old.length - 1);
    if (!kept) await insertActivation(handle, machine, serial.max_activations);
    await notifyMerged(handle, machine, old, kept);
    return { ...serial, seats_used };
  }
  if (kept) return serial;
  const [taken] = await takeOne(handle, machine.developerId, machine.serialId, serial.max_activations, machine.now);
  if (!taken) throw new LicenseRefusal('seat_limit');
  await insertActivation(handle, machine, serial.max_activations);
  const { version, now } = machine;
  await recordSeatEvent(handle, machine, machine.machineId, (about) => ({
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
export async function moveSeat(handle: Sql, oldMachineId: string, newcomer: Newcomer): Promise<Taken> {
  const serial = await lockSerial(handle, newcomer);
  const machine = await asKnown(handle, newcomer);
  await assertNotLeased(handle, machine, oldMachineId, machine.now);
  const released = await releaseMachine(handle, machine, oldMachineId, machine.now);
  if (await keepSeat(handle, machine)) {
    if (!released) return serial;
    // both had a seat: they are the same machine, so one seat is free again
    await notifyMerged(handle, machine, [oldMachineId], true);
    return { ...serial, seats_used: await giveBack(handle, machine) };
  }
  if (!released) throw new LicenseRefusal('not_activated');
  // a lock alone leaves the row unchanged, and a concurrent single-statement activation would miss the changed machines
  await giveBack(handle, machine, 0);
  await insertActivation(handle, machine, serial.max_activations);
  await notifyMerged(handle, machine, [oldMachineId], false);
  return serial;
}

/**
 * Frees a machine's seat once, even with two calls at once. Undefined when it had none. Returns how many seats are
 * taken.
 * @throws {LicenseRefusal} leased, unless the developer releases it, or its license file was given up with a proof
 */
export async function freeSeat(
  handle: Sql,
  serial: SeatedSerial,
  machineId: string,
  now: Date,
  by: 'owner' | 'developer' | 'proof' = 'owner',
): Promise<number | undefined> {
  // the serial first, as everywhere here, or two calls could deadlock
  await holdSerial(handle, serial.developerId, serial.serialId);
  if (by === 'owner') await assertNotLeased(handle, serial, machineId, now);
  const released = await releaseMachine(handle, serial, machineId, now);
  if (!released) return undefined;
  await recordSeatEvent(handle, serial, machineId, (about) => ({ type: 'license.deactivated', at: now, data: about }));
  return giveBack(handle, serial);
}

/** Other machines turned out to be this one: unless it had a seat already, the first one's is its own now. */
async function notifyMerged(handle: Sql, machine: Newcomer, old: readonly string[], kept: boolean): Promise<void> {
  const { now: at, machineId } = machine;
  const moved = kept ? undefined : old[0];
  const ended = kept ? old : old.slice(1);
  if (moved !== undefined) {
    const from_machine = shownOf(moved);
    await recordSeatEvent(handle, machine, machineId, (about) => ({
      type: 'license.transferred',
      at,
      data: { ...about, from_machine },
    }));
  }
  for (const id of ended)
    await recordSeatEvent(handle, machine, id, (about) => ({ type: 'license.deactivated', at, data: about }));
}

/** The facts about a machine that a webhook gets. */
interface About {
  serial_id: string;
  product_id: string;
  machine: string;
}

async function recordSeatEvent<Event extends Parameters<typeof recordWebhook>[2]>(
  handle: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  eventOf: (about: About) => Event,
): Promise<void> {
  const placeholder = { serial_id: serialId, product_id: serialId, machine: '' };
  if (!(await wantsWebhook(handle, developerId, eventOf(placeholder).type))) return;
  const [batch] = await productOf(handle, developerId, serialId);
  if (!batch) return;
  const about = { serial_id: serialId, product_id: batch.product_id, machine: shownOf(machineId) };
  await recordWebhook(handle, developerId, eventOf(about));
}

/** A license file issued to an offline machine works until its lease ends, so its seat counts as taken until then. */
async function assertNotLeased(
  handle: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  now: Date,
): Promise<void> {
  const leased = await leasedBeyond(handle, developerId, serialId, machineId, now);
  if (leased.length > 0) throw new LicenseRefusal('leased');
}

async function releaseMachine(
  handle: Sql,
  { developerId, serialId }: SeatedSerial,
  machineId: string,
  now: Date,
): Promise<boolean> {
  return (await releaseAny(handle, developerId, serialId, [machineId], now)).length > 0;
}

/** Frees the seats held by other ids of this machine, and returns these, as they were given. Their leases end: the machine is online. */
async function releaseOldIds(
  handle: Sql,
  { developerId, serialId, oldMachineIds = [], now }: Newcomer,
): Promise<string[]> {
  if (oldMachineIds.length === 0) return [];
  const released = await releaseAny(handle, developerId, serialId, oldMachineIds, now);
  const ids = new Set(released.map(({ machine_id }) => machine_id));
  return oldMachineIds.filter((id) => ids.has(id));
}

/**
 * Writes the serial's row even for zero seats: a concurrent single-statement activation must notice the changed
 * machines.
 */
async function giveBack(handle: Sql, { developerId, serialId }: SeatedSerial, seats = 1): Promise<number> {
  const [row] = await returnSeats(handle, developerId, serialId, seats);
  return row?.seats_used ?? 0;
}

/** The lock serializes calls on one serial. */
async function lockSerial(handle: Sql, { developerId, serialId }: SeatedSerial): Promise<Taken> {
  const [serial] = await lockWithSeats(handle, developerId, serialId);
  if (!serial) throw new LicenseRefusal('not_found');
  if (serial.revoked_at !== null) throw new LicenseRefusal('revoked');
  return { seats_used: serial.seats_used, max_activations: serial.seats };
}

/** Uses the spelling that the serial knows by now: another call may have come first with another one. */
async function asKnown(handle: Sql, newcomer: Newcomer): Promise<Newcomer> {
  const { developerId: developer_id, serialId: serial_id, machineId, oldMachineIds } = newcomer;
  const known = await knownSpelling(handle, { developer_id, serial_id }, machineId);
  if (known === machineId) return newcomer;
  return {
    ...newcomer,
    machineId: known,
    ...(oldMachineIds && { oldMachineIds: oldMachineIds.filter((id) => id !== known) }),
  };
}

async function keepSeat(handle: Sql, machine: Newcomer): Promise<boolean> {
  const kept = await keepMachine(handle, machine.keepsLease ?? false, ...rowOf(machine));
  return kept.length > 0;
}

/**
 * Writes the machine of a taken seat while the serial's row is locked.
 * @throws {LicenseRefusal} churn_limit
 */
async function insertActivation(handle: Sql, machine: Newcomer, seats: number): Promise<void> {
  const written = await addMachine(handle, churnSince(machine), seats, ...rowOf(machine));
  if (written.length === 0) throw new LicenseRefusal('churn_limit');
}

/**
 * Deletes the released machines of a customer who is erased: they hold no seat but reveal where the person worked.
 * Machines with a seat are kept and continue to work.
 */
export async function eraseReleased(handle: Sql, person: { developerId: string; customerId: string }): Promise<void> {
  const { developerId, customerId } = person;
  const own = tables.in(handle);
  const serials = own
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('customer_id', '=', customerId);
  await own
    .deleteFrom('activations')
    .where('developer_id', '=', developerId)
    .where('released_at', 'is not', null)
    .where('serial_id', 'in', serials)
    .execute();
}
