import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import { freeSeat } from './take.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
}

interface SeatRow {
  max_activations: number;
  seats_used: number;
}

/** Seats and machines as their developer sees and changes them. */
export class Seats {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Seats of one serial alone; null gives it back to its product. */
  async set(caller: Principal, id: string, seats: number | null) {
    const [row] = await this.#deps.db.query<SeatRow>(
      `update serials s set max_activations = $3 from batches b
         join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where s.id = $1 and s.developer_id = $2 and (b.developer_id, b.id) = (s.developer_id, s.batch_id) and p.deleted_at is null
       returning coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used`,
      [id, caller.userId, seats],
    );
    if (!row) throw notFound('Serial');
    return { id, own: seats !== null, ...withRest(row) };
  }

  /**
   * Frees a machine's seat for the owner of its serial; of two calls at once, only one counts.
   * @throws {AppError} not_found if the machine is not theirs, is already free, or has an unexpired offline license
   */
  async releaseOwn(owner: { dev: string; customer: string }, id: string): Promise<void> {
    const { db, clock } = this.#deps;
    await db.transaction(async (tx) => {
      // lock the serial, as every change of its machines does first, and read its current owner
      const [machine] = await tx.query<{ serial_id: string; machine_id: string }>(
        `select s.id as serial_id, a.machine_id from activations a
           join serials s on (s.developer_id, s.id) = (a.developer_id, a.serial_id)
           join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
         where a.developer_id = $1 and a.id = $2 and c.id = $3 and c.erased_at is null for update of s`,
        [owner.dev, id, owner.customer],
      );
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
    return db.transaction(async (tx) => {
      const [machine] = await tx.query<{ serial_id: string; machine_id: string }>(
        'select serial_id, machine_id from activations where id = $1 and developer_id = $2',
        [id, caller.userId],
      );
      if (!machine) throw notFound('Machine');
      const left = await freeSeat(
        tx,
        { developerId: caller.userId, serialId: machine.serial_id },
        machine.machine_id,
        clock.now(),
        'developer',
      );
      const [row] = await tx.query<SeatRow>(
        `select coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used
         from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
           join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
         where s.developer_id = $1 and s.id = $2`,
        [caller.userId, machine.serial_id],
      );
      if (!row) throw notFound('Machine');
      return { ok: true as const, released: left !== undefined, serial_id: machine.serial_id, ...withRest(row) };
    });
  }
}

function withRest({ max_activations, seats_used }: SeatRow) {
  return { max_activations, seats_used, remaining: Math.max(0, max_activations - seats_used) };
}
