import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Random } from '#platform/random.ts';
import { recordEvent } from './history.ts';
import type { PartnershipStatus } from './partnerships.schemas.ts';

/** What changed hands. */
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

/** A partnership whose row is locked. */
export interface Locked {
  id: string;
  name: string;
  status: PartnershipStatus;
  reseller_id: string | null;
  commission_bps: number;
  merged_into: string | null;
}

/**
 * Keeps a partnership as it is until the transaction ends.
 * @param all waits for whoever gives it serials, too, and keeps others from doing so.
 */
export async function lockPartnership(
  sql: Sql,
  developerId: string,
  id: string,
  all = false,
): Promise<Locked | undefined> {
  const [found] = await sql.query<Locked>(
    `select id, name, status, reseller_id, commission_bps, merged_into from partnerships
     where developer_id = $1 and id = $2 for ${all ? 'update' : 'no key update'}`,
    [developerId, id],
  );
  return found;
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
  sql: Sql,
  deps: Dependencies,
  { developerId, from, into, actorId }: { developerId: string; from: Locked; into: Locked; actorId: string },
): Promise<Moved> {
  await sql.query(
    `update partnerships set status = 'merged', merged_into = $3, reseller_id = $4, low_stock_threshold = null
     where developer_id = $1 and id = $2 and status = 'named'`,
    [developerId, from.id, into.id, into.reseller_id],
  );
  const now = deps.clock.now();
  const moved = await deps.stock.run(sql, { developerId, from: from.id, into: into.id, now });
  await recordEvent(sql, deps, { developerId, partnershipId: from.id, kind: 'merged', actorId, at: now });
  return moved;
}
