import type { DrawnCode } from '#features/draws';
import { changeSerials } from '#features/serials';
import type { Cents } from '#platform/money.ts';
import type { Wish } from '../orders/converge.ts';
import type * as q from '../orders/order-rows.queries.ts';
import { isDrawRedeemed, type SettlingDependencies, type Work } from './work.ts';

/** Takes serials and money back, and gives them again. */
export class TakingBack {
  readonly #deps: SettlingDependencies;

  constructor(deps: SettlingDependencies) {
    this.#deps = deps;
  }

  /** Locks serials that are gone or suspended, and unlocks those that are to be there again. */
  async switch(
    work: Work,
    all: readonly { wish: Wish; unit: q.UnitRow }[],
    action: 'revoke' | 'reassign',
  ): Promise<void> {
    const { tx, order, now } = work;
    const isLocked = ({ state }: q.UnitRow) => state === 'revoked' || state === 'suspended';
    const wantsLock = ({ want }: Wish) => want === 'gone' || want === 'suspended';
    const ids: string[] = [];
    const codes: DrawnCode[] = [];
    for (const { wish, unit } of all) {
      const lock = wantsLock(wish);
      if (lock !== (action === 'revoke')) continue;
      if (lock && isDrawRedeemed(work, unit)) continue;
      if (lock !== isLocked(unit) && unit.serial_id !== null) ids.push(unit.serial_id);
      const code = unit.draw_id === null ? undefined : work.drawn.get(unit.draw_id);
      if (lock !== isLocked(unit) && code) codes.push(code);
      const state = lock
        ? wish.want === 'gone'
          ? ('revoked' as const)
          : ('suspended' as const)
        : wish.want === 'kept'
          ? ('kept' as const)
          : isLocked(unit) || unit.state === 'kept'
            ? backTo(unit)
            : unit.state;
      if (state === unit.state) continue;
      Object.assign(unit, { state, ended_at: lock ? now : null });
      work.changed.add(unit);
    }
    if (codes.length > 0) await this.#deps.orderDraws.change(tx, action, codes);
    if (ids.length > 0) await changeSerials(this.#deps, tx, { developerId: order.developer_id, action, ids, now });
  }

  /** @returns whether the price of a unit that nobody has redeemed has changed. */
  price(work: Work, { usdCents, backCents, want }: Wish, unit: q.UnitRow): boolean {
    // a serial that is gone is worth what it was, should it come again
    const cut = want === 'have' ? Math.min(backCents ?? 0, usdCents ?? 0) : 0;
    if (unit.usd_cents === usdCents && unit.cut_cents === cut) return false;
    Object.assign(unit, { usd_cents: usdCents, cut_cents: cut });
    work.changed.add(unit);
    return true;
  }

  /** Books in the ledger what was given back of a unit, or taken back again: the difference to what it has been told. */
  async giveBack(work: Work, { backCents, by }: Wish, unit: q.UnitRow): Promise<void> {
    const { tx, order } = work;
    const target = backCents === null ? null : Math.max(0, backCents - unit.cut_cents);
    const cents: Cents = target === null ? Number.MAX_SAFE_INTEGER : target - unit.refunded_cents;
    if (cents === 0 || unit.serial_id === null) return;
    const reason =
      by === 'refund' ? `Order ${order.number} was refunded.` : `The payment of order ${order.number} was disputed.`;
    const booked = await this.#deps.refunds.settle(tx, order.developer_id, unit.serial_id, {
      cents,
      kind: by,
      reason: reason.slice(0, 500),
    });
    if (booked === 0) return;
    unit.refunded_cents += booked;
    work.changed.add(unit);
  }
}

/** The state of a unit before it was locked. */
const backTo = ({ code, mail_id }: q.UnitRow) => (code === null ? 'wanted' : mail_id === null ? 'issued' : 'delivered');
