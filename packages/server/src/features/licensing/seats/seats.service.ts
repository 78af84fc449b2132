import { sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn } from '#platform/db/tenant.ts';
import { notFound } from '#platform/errors.ts';
import { LicenseRefusal } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import { freeSeat } from './take.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
}

interface SeatRow extends Columns<'serials', 'seats_used'> {
  max_activations: number;
}

/** Seats and machines as their developer sees and changes them. */
export class Seats {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Seats of one serial alone; null gives it back to its product. */
  async set(caller: Principal, id: string, seats: number | null) {
    const { rows } = await sql<SeatRow>`
      update serials s set max_activations = ${seats} from batches b
        join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
      where s.developer_id = ${caller.accountId} and s.id = ${id} and (b.developer_id, b.id) = (s.developer_id, s.batch_id)
        and p.deleted_at is null
      returning coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used`.execute(this.#deps.db);
    const [row] = rows;
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
      // lock the serial, as every change of its machines does first, and read its current owner
      const machine = await tx
        .selectFrom('activations as a')
        .$call(joinOwn('serials as s', 's.id', 'a.serial_id'))
        .$call(joinOwn('customers as c', 'c.id', 's.customer_id'))
        .select(['s.id as serial_id', 'a.machine_id'])
        .where('a.developer_id', '=', owner.dev)
        .where('a.id', '=', id)
        .where('c.id', '=', owner.customer)
        .where('c.erased_at', 'is', null)
        .forUpdate('s')
        .executeTakeFirst();
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
      const machine = await tx
        .selectFrom('activations')
        .select(['serial_id', 'machine_id'])
        .where('developer_id', '=', caller.accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      if (!machine) throw notFound('Machine');
      const left = await freeSeat(
        tx,
        { developerId: caller.accountId, serialId: machine.serial_id },
        machine.machine_id,
        clock.now(),
        'developer',
      );
      const row = await tx
        .selectFrom('serials as s')
        .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
        .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
        .select((eb) => [
          eb.fn.coalesce('s.max_activations', 'p.max_activations').as('max_activations'),
          's.seats_used',
        ])
        .where('s.developer_id', '=', caller.accountId)
        .where('s.id', '=', machine.serial_id)
        .executeTakeFirst();
      if (!row) throw notFound('Machine');
      return { ok: true as const, released: left !== undefined, serial_id: machine.serial_id, ...withRest(row) };
    });
  }
}

function withRest({ max_activations, seats_used }: SeatRow) {
  return { max_activations, seats_used, remaining: Math.max(0, max_activations - seats_used) };
}
