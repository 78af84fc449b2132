import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { notFound } from '#platform/errors.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import { findMachine, lockOwnMachine, type SeatCounts, seatsOf, setOwnSeats } from './seats.queries.ts';
import { freeSeat } from './take.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
}

/** Seats and machines as their developer sees and changes them. */
export class Seats {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Seats of one serial alone; null gives it back to its product. */
  async set(caller: Principal, id: string, seats: number | null) {
    const row = await setOwnSeats(this.#deps.db, caller.accountId, id, seats);
    if (!row) throw notFound('Serial');
    return { id, own: seats !== null, ...withRest(row) };
  }

  /**
   * Frees a machine's seat for the owner of its serial; of two calls at once, only one counts.
   * @throws {AppError} not_found if the machine is not theirs, is already free, or has an unexpired offline license
   */
  async releaseOwn(owner: { dev: string; customer: string }, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.work({ tx: true }, async (tx) => {
      const machine = await lockOwnMachine(tx, owner, id);
      if (!machine) throw notFound('Machine');
      const seat = { developerId: owner.dev, serialId: machine.serial_id };
      const left = await freeSeat(tx, seat, machine.machine_id, clock.now()).catch((error: unknown) => {
        throw error instanceof LicenseRefusal ? notFound('Machine') : error;
      });
      if (left === undefined) throw notFound('Machine');
    });
  }

  /** Frees a machine's seat, as its own plugin could. */
  async release(caller: Principal, id: string) {
    const { db, clock } = this.#deps;
    return db.work({ tx: true }, async (tx) => {
      const machine = await findMachine(tx, caller.accountId, id);
      if (!machine) throw notFound('Machine');
      const left = await freeSeat(
        tx,
        { developerId: caller.accountId, serialId: machine.serial_id },
        machine.machine_id,
        clock.now(),
        'developer',
      );
      const row = await seatsOf(tx, caller.accountId, machine.serial_id);
      if (!row) throw notFound('Machine');
      return { ok: true as const, released: left !== undefined, serial_id: machine.serial_id, ...withRest(row) };
    });
  }
}

function withRest({ max_activations, seats_used }: SeatCounts) {
  return { max_activations, seats_used, remaining: Math.max(0, max_activations - seats_used) };
}
