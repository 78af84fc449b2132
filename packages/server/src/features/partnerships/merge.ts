import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import type { Random } from '#platform/random.ts';
import { recordEvent } from './history.ts';
import type { PartnershipsHandle } from './tables.ts';

/** The stock that changed hands. */
export interface Moved {
  batches: number;
  /** Those that can still be sold. */
  serials: number;
}

export interface StockMove {
  developerId: string;
  /** Partnerships. */
  from: string;
  into: string;
  now: Date;
}

export type MoveStock = (sql: Sql, move: StockMove) => Promise<Moved>;

/** Lets the owner of batches, which is created later, take part in merges. */
export class StockMoves {
  #move: MoveStock | undefined;

  use(move: MoveStock): void {
    this.#move = move;
  }

  run(sql: Sql, move: StockMove): Promise<Moved> {
    if (!this.#move) throw new Error('nobody moves batches');
    return this.#move(sql, move);
  }
}

export const LOCKED = ['id', 'name', 'status', 'reseller_id', 'commission_bps', 'merged_into'] as const;

/** A partnership whose row is locked. */
export type Locked = Columns<'partnerships', (typeof LOCKED)[number]>;

/**
 * Keeps a partnership as it is until the transaction ends.
 * @param all also waits for transactions that give it serials, and keeps others from doing so.
 */
export function lockPartnership(
  tx: PartnershipsHandle,
  developerId: string,
  id: string,
  all = false,
): Promise<Locked | undefined> {
  const found = tx
    .selectFrom('partnerships')
    .select(LOCKED)
    .where('developer_id', '=', developerId)
    .where('id', '=', id);
  return (all ? found.forUpdate() : found.forNoKeyUpdate()).executeTakeFirst();
}

interface Dependencies {
  clock: Clock;
  random: Random;
  stock: StockMoves;
}

/**
 * Makes a named reseller part of a partnership with an account, in the caller's transaction, which holds both: its batches
 * move, its ledger and statements stay where they are and are read with those of the other. It gets the other's account,
 * so that whatever the reseller reads begins with both.
 */
export async function mergeNamed(
  tx: PartnershipsHandle,
  deps: Dependencies,
  { developerId, from, into, actorId }: { developerId: string; from: Locked; into: Locked; actorId: string },
): Promise<Moved> {
  await tx
    .updateTable('partnerships')
    .set({ status: 'merged', merged_into: into.id, reseller_id: into.reseller_id, low_stock_threshold: null })
    .where('developer_id', '=', developerId)
    .where('id', '=', from.id)
    .where('status', '=', 'named')
    .execute();
  const now = deps.clock.now();
  const moved = await deps.stock.run(tx, { developerId, from: from.id, into: into.id, now });
  await recordEvent(tx, deps, { developerId, partnershipId: from.id, kind: 'merged', actorId, at: now });
  return moved;
}
