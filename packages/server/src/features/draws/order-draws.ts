import { sql } from 'kysely';
import { nameOrClosed } from '#features/accounts';
import { developersOf } from '#features/partnerships';
import { changeSerials, holdSold } from '#features/serials';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { findPool } from './draw.queries.ts';
import { drawsOf, ITEMS, ofDraw, STATE } from './draw-lists.queries.ts';
import type { DrawState } from './draws.schemas.ts';
import type { HandOuts } from './hand-out.service.ts';
import { listOffers } from './selling/offers.queries.ts';
import type { SoldCode, SoldCodes } from './selling/selling.service.ts';
import { tables } from './tables.ts';

/** Codes that a reseller's connected shop has sold: each a draw of its own, because a draw hands out all that it is for or nothing. */
export interface OrderedDraw {
  /** The id of the draw and of what asks for it. */
  id: string;
  reference: string;
}

export interface DrawnCode extends Columns<'draw_items', 'code'> {
  drawId: string;
  developerId: string;
  /** The developer's company or name. */
  developer: string;
  /** Null: it was deleted. */
  product: string | null;
  serialId: string;
  expiresAt: Date | null;
  state: DrawState;
}

/** A code, and the address that it is emailed to. */
export interface DrawnSale extends Pick<SoldCode, 'emailId' | 'email' | 'language'> {
  drawn: DrawnCode;
}

/** Why fewer were handed out than asked for. */
export type Shortage = 'gone' | 'paused' | 'empty';

type Locks = Parameters<typeof changeSerials>[0];

interface Dependencies extends Locks {
  clock: Clock;
  handOuts: HandOuts;
  soldCodes: SoldCodes;
}

/** Draws of orders of resellers' shops from their pools, in the transaction of the order. */
export class OrderDraws {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Hands out a code for each draw, as far as there are any; a draw that is there already is not drawn again.
   * @returns the ids of the draws that got one, and why others did not.
   */
  async handOut(
    handle: Sql,
    order: { resellerId: string; productId: string; batchTag: string | null; draws: readonly OrderedDraw[] },
  ): Promise<{ drawn: { id: string; code: string; expiresAt: Date | null }[]; short: Shortage | null }> {
    const { resellerId, productId, batchTag, draws } = order;
    const pool = await findPool(handle, resellerId, productId);
    if (!pool) return { drawn: [], short: 'gone' };
    if (pool.status === 'paused') return { drawn: [], short: 'paused' };
    const outcomes = await this.#deps.handOuts.within(
      handle,
      draws.map(({ id, reference }) => ({ id, resellerId, pool, productId, batchTag, quantity: 1, reference })),
    );
    const drawn = outcomes.flatMap((outcome) =>
      'drawn' in outcome
        ? outcome.drawn.serials.map(({ code, expires_at }) => ({ id: outcome.drawn.id, code, expiresAt: expires_at }))
        : [],
    );
    return { drawn, short: drawn.length < draws.length ? 'empty' : null };
  }

  /** Whether one could be drawn now. */
  async canDraw(handle: Sql, want: { resellerId: string; productId: string }): Promise<boolean> {
    const offer = { ...want, search: undefined, now: this.#deps.clock.now() };
    return (await listOffers(handle, offer, null, 1)).length > 0;
  }

  /** Finds drawn codes by draw, and locks their serials until the transaction ends, so that they do not change. */
  async find(handle: Sql, resellerId: string, drawIds: readonly string[]): Promise<Map<string, DrawnCode>> {
    if (drawIds.length === 0) return new Map();
    const developers = await developersOf(handle, resellerId);
    const read = () => this.#read(handle, resellerId, developers, drawIds);
    const before = await read();
    const byDeveloper = Map.groupBy(before, ({ developerId }) => developerId);
    for (const developerId of [...byDeveloper.keys()].sort())
      await holdSold(handle, developerId, byDeveloper.get(developerId)?.map(({ serialId }) => serialId) ?? []);
    return new Map((await read()).map((each) => [each.drawId, each]));
  }

  async #read(
    handle: Sql,
    resellerId: string,
    developers: readonly string[],
    drawIds: readonly string[],
  ): Promise<DrawnCode[]> {
    const { rows } = await sql<DrawnCode>`
      select d.id as "drawId", d.developer_id as "developerId", ${nameOrClosed('u')} as developer, p.name as product,
        i.serial_id as "serialId", i.code, i.expires_at as "expiresAt", ${STATE} as state
      from ${drawsOf(developers)} join ${ITEMS} on ${ofDraw(developers)}
      where d.reseller_id = ${resellerId} and d.id = any(${drawIds}::uuid[])`.execute(tables.in(handle));
    return rows;
  }

  /**
   * Locks codes whose sale was taken back before anybody redeemed them, or unlocks them: a code that a customer has read never goes
   * back into stock, or two customers would have it. What was redeemed is its developer's to refund.
   */
  async change(handle: Sql, action: 'revoke' | 'reassign', codes: readonly DrawnCode[]): Promise<void> {
    const now = this.#deps.clock.now();
    const held = codes.filter(({ state }) => state === (action === 'revoke' ? 'handed_out' : 'revoked'));
    const byDeveloper = Map.groupBy(held, ({ developerId }) => developerId);
    for (const developerId of [...byDeveloper.keys()].sort()) {
      const ids = byDeveloper.get(developerId)?.map(({ serialId }) => serialId) ?? [];
      await changeSerials(this.#deps, handle, { developerId, action, ids, now });
    }
  }

  /** Queues an email with each code, in the reseller's name. */
  async email(handle: Sql, resellerId: string, sales: readonly DrawnSale[]): Promise<void> {
    const sold = sales.map(({ drawn, ...to }) => ({
      ...to,
      developerId: drawn.developerId,
      developer: drawn.developer,
      product: drawn.product ?? '',
      code: drawn.code,
      redeemBy: drawn.expiresAt,
    }));
    await this.#deps.soldCodes.queue(handle, resellerId, sold);
  }
}
