import { noteRestock, serialKey } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import { LookupCache } from '#platform/caches/lookup-cache.ts';
import type { Clock } from '#platform/clock.ts';
import { AppError, invalidField, notFound } from '#platform/errors.ts';
import type { Publisher } from '#platform/events.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import type { Random } from '#platform/random.ts';
import * as q from './draw.queries.ts';
import { findDrawRecord } from './draw-lists.queries.ts';
import type { DrawForm, Drawn, Returned, StockEvent } from './draws.schemas.ts';
import { drawnOf, type HandOuts } from './hand-out.service.ts';
import { limits as policies } from './limits.ts';
import { paused, reused } from './refusals.ts';
import { publishStock } from './stock-event.ts';
import type { DrawsDb } from './tables.ts';

interface Dependencies {
  db: DrawsDb;
  clock: Clock;
  random: Random;
  limits: RateLimits;
  events: Publisher<StockEvent>;
  handOuts: HandOuts;
}

/** Serials that a reseller's shop hands out at the moment of sale. */
export class Draws {
  readonly #deps: Dependencies;
  readonly #handOuts: HandOuts;
  readonly #pools: LookupCache<q.Pool | undefined>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#handOuts = deps.handOuts;
    this.#pools = new LookupCache({ clock: deps.clock, lifetime: 500 });
  }

  /**
   * Hands codes of the reseller's pool out: exactly as many as asked for, or none. The same reference gets the same
   * codes forever, whatever has become of them or of the partnership: the shop may have sold them.
   * @throws {AppError} not_found, partner_paused, out_of_stock with what is left, reference_reused.
   */
  async draw(caller: Principal, form: DrawForm): Promise<Drawn> {
    const { db, limits, random } = this.#deps;
    await limits.take(policies.draws_account, caller.accountId);
    const known = await this.#activePool(caller.accountId, form.product_id);
    const outcome = known
      ? await this.#handOuts.run({
          id: random.id(),
          resellerId: caller.accountId,
          pool: known,
          productId: form.product_id,
          batchTag: form.batch_tag,
          quantity: form.quantity,
          reference: form.reference,
        })
      : undefined;
    if (outcome && 'drawn' in outcome) return outcome.drawn;
    const earlier = await q.findDraw(db, caller.accountId, form.reference);
    if (earlier) return this.#again(earlier, form);
    // the cached state may be older than the pause or the end of the partnership
    const pool = await q.findPool(db, caller.accountId, form.product_id);
    if (!pool) throw notFound('Product');
    if (pool.status === 'paused') throw paused();
    if (!outcome) return this.draw(caller, form);
    throw outOfStock(pool, form, outcome.left);
  }

  /** Half a second old at the most: whether the partnership is active is decided again where serials are taken. */
  #activePool(resellerId: string, productId: string): Promise<q.Pool | undefined> {
    return this.#pools.get(`${resellerId} ${productId}`, async () => {
      const pool = await q.findPool(this.#deps.db, resellerId, productId);
      return pool?.status === 'active' ? pool : undefined;
    });
  }

  async #again(draw: q.DrawRow, form: DrawForm): Promise<Drawn> {
    const same =
      draw.product_id === form.product_id && draw.quantity === form.quantity && draw.batch_tag === form.batch_tag;
    if (!same) throw reused(form.reference);
    const serials = await q.codesOf(this.#deps.db, draw);
    return drawnOf(
      draw,
      serials.map(({ code, expires_at, returned_at }) => ({ code, expires_at, returned_at })),
    );
  }

  /**
   * Takes codes of a draw back into stock, unless they were redeemed or revoked. Idempotent.
   * @throws {AppError} not_found, also when the partners no longer work together.
   */
  async giveBack(caller: Principal, reference: string, codes: readonly string[] | undefined): Promise<Returned> {
    const { db, clock, events } = this.#deps;
    const draw = await q.findDraw(db, caller.accountId, reference);
    if (!draw) throw notFound('Draw');
    const items = await q.codesOf(db, draw);
    const wanted = codes && new Set(codes.map(serialKey));
    const chosen = wanted ? items.filter(({ code }) => wanted.has(serialKey(code))) : items;
    if (wanted && chosen.length < wanted.size) throw invalidField('codes', 'One of the codes is not of this draw.');
    let restocked: string | undefined;
    await db.work({ tx: true }, async (tx) => {
      const partnershipId = await q.findPartnership(tx, draw.id, draw.developer_id);
      if (!partnershipId) throw notFound('Draw');
      const now = clock.now();
      const back = await q.takeBack(
        tx,
        draw,
        chosen.map(({ serial_id }) => serial_id),
        now,
      );
      if (back.length === 0) return;
      const { developer_id: developerId, product_id: productId } = draw;
      await noteRestock(tx, developerId, now);
      await publishStock(events, tx, {
        change: 'returned',
        developerId,
        partnershipId,
        resellerId: caller.accountId,
        productId,
        codes: back.length,
      });
      restocked = partnershipId;
    });
    if (restocked) this.#handOuts.returned(restocked, draw.product_id);
    const after = await findDrawRecord(db, caller.accountId, reference);
    const states = new Map(after?.serials.map(({ code, state }) => [code, state]));
    const answer: Returned = { reference, returned: [], not_returned: [] };
    for (const { code } of chosen) {
      const state = states.get(code);
      if (state === 'returned') answer.returned.push(code);
      else answer.not_returned.push({ code, state: state === 'redeemed' ? 'redeemed' : 'revoked' });
    }
    return answer;
  }
}

function outOfStock(pool: q.Pool, form: DrawForm, left: number): AppError {
  const what = form.batch_tag ? `${pool.product_name} · ${form.batch_tag}` : pool.product_name;
  const rest = left === 0 ? 'No codes' : left === 1 ? 'Only 1 code' : `Only ${left} codes`;
  const verb = left === 1 ? 'is' : 'are';
  const asked = form.quantity > 1 ? ` ${form.quantity} were asked for, so none was handed out.` : '';
  return new AppError('out_of_stock', `${rest} of "${what}" ${verb} left.${asked}`, { available: left });
}
