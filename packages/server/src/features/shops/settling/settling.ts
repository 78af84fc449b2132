import { countSold, holdSold, repriceSold } from '#features/serials';
import { minorOf } from '../money.ts';
import { converge, type Outcome, type Question } from '../orders/converge.ts';
import { type Duplicate, findDuplicate } from '../orders/duplicates.ts';
import { notifyOrdersChanged } from '../orders/order-events.ts';
import * as q from '../orders/order-rows.queries.ts';
import type { ShopsHandle } from '../tables.ts';
import { Issuing } from './issuing.ts';
import { followMapping, mappedLines } from './mapping.ts';
import { OrderEmails } from './order-emails.ts';
import { type Answer, answersTo, decide, factsOf, markOf, openOf, stateOf, statesOf } from './outcome.ts';
import { TakingBack } from './taking-back.ts';
import {
  isDrawRedeemed,
  paidOf,
  placeOf,
  type SettlingDependencies,
  type Shop,
  unitOf,
  unitPlace,
  type Work,
} from './work.ts';

/** More than this is a mistake, or needs somebody to look at it. */
export const MOST_UNITS = 5000;

/** An order as it is before anything is done about it. */
interface Found extends Pick<Work, 'lines' | 'drawn'> {
  units: readonly q.UnitRow[];
  reversals: readonly q.ReversalRow[];
  /** Whether a customer has what the unit has. */
  isRedeemed: (unit: q.UnitRow) => boolean;
}

interface Conclusion {
  outcome: Outcome;
  decided: readonly q.UnitRow[];
}

/** An order after everything possible was done about it, with the questions that came up. */
interface Settled {
  outcome: Outcome;
  questions: readonly Question[];
  reversals: readonly q.ReversalRow[];
  answer: Answer | undefined;
}

/** Makes the serials of an order what they are to be, in the caller's transaction, which holds the order. */
export class Settling {
  readonly #deps: SettlingDependencies;
  readonly #takingBack: TakingBack;
  readonly #issuing: Issuing;
  readonly #emails: OrderEmails;

  constructor(deps: SettlingDependencies) {
    this.#deps = deps;
    this.#takingBack = new TakingBack(deps);
    this.#issuing = new Issuing(deps);
    this.#emails = new OrderEmails(deps);
  }

  /** @param answer what somebody decides about what it asks. */
  async settle(tx: ShopsHandle, shop: Shop, order: q.OrderRow, answer?: Answer): Promise<void> {
    const now = this.#deps.clock.now();
    const found = await this.#find(tx, shop, order, now);
    const { outcome, decided } = conclude(shop, order, found, answer);
    const questions = [...outcome.questions];
    const twin = outcome.isRefunded ? null : await findDuplicate(tx, shop.on_duplicate, order, found.lines);
    if (twin) {
      order.duplicate_of ??= twin.id;
      questions.push({ reason: 'duplicate', mark: twin.id });
    }
    const work: Work = {
      tx,
      shop,
      order,
      lines: found.lines,
      units: new Map(found.units.map((unit) => [unitPlace(unit), unit])),
      drawn: found.drawn,
      changed: new Set(decided),
      redeemBy: new Map(),
      sold: [],
      isHeld: isHeldFor(order, twin, answer),
      now,
    };
    if (outcome.wishes.length > MOST_UNITS) questions.push({ reason: 'too_many', mark: String(outcome.wishes.length) });
    else await this.#fulfill(work, outcome, found.isRedeemed, questions);
    await this.#record(work, { outcome, questions, reversals: found.reversals, answer });
  }

  /** Reads what is known of an order, maps its lines to products, and holds the serials that it has. */
  async #find(tx: ShopsHandle, shop: Shop, order: q.OrderRow, now: Date): Promise<Found> {
    const lines = await mappedLines(this.#deps, tx, { shop, order, now });
    const units = await followMapping(tx, { shop, order, lines }, await q.findUnits(tx, order));
    const reversals = await q.findReversals(tx, order);
    const serialIds = units.flatMap(({ serial_id }) => serial_id ?? []);
    const held = serialIds.length === 0 ? [] : await holdSold(tx, order.developer_id, serialIds);
    const serials = new Map(held.map((serial) => [serial.id, serial]));
    const drawIds = units.flatMap(({ draw_id }) => draw_id ?? []);
    const drawn = await this.#deps.orderDraws.find(tx, order.developer_id, drawIds);
    const isRedeemed = (unit: q.UnitRow) =>
      (unit.draw_id !== null && drawn.get(unit.draw_id)?.state === 'redeemed') ||
      (unit.serial_id !== null && (serials.get(unit.serial_id)?.redeemed_at ?? null) !== null);
    return { lines, units, reversals, drawn, isRedeemed };
  }

  async #fulfill(
    work: Work,
    { wishes }: Outcome,
    isRedeemed: (unit: q.UnitRow) => boolean,
    questions: Question[],
  ): Promise<void> {
    const { tx, order } = work;
    const accountId = order.developer_id;
    const added = wishes
      .filter((wish) => !work.units.has(placeOf(wish)))
      .map((wish) => unitOf(this.#deps.random, order, wish));
    await q.addUnits(tx, added);
    for (const unit of added) work.units.set(unitPlace(unit), unit);
    const all = wishes.map((wish) => ({ wish, unit: work.units.get(placeOf(wish)) as q.UnitRow }));

    await this.#takingBack.switch(work, all, 'revoke');
    await this.#takingBack.switch(work, all, 'reassign');
    // unredeemed serials get the final price paid; for redeemed ones, the ledger books the difference
    const unredeemed = all.filter(({ unit }) => !isRedeemed(unit));
    const repriced = unredeemed.filter(({ wish, unit }) => this.#takingBack.price(work, wish, unit));
    await repriceSold(
      tx,
      accountId,
      repriced.flatMap(({ unit }) => (unit.serial_id ? [{ id: unit.serial_id, paidCents: paidOf(unit) }] : [])),
    );
    for (const { wish, unit } of all) if (isRedeemed(unit)) await this.#takingBack.giveBack(work, wish, unit);
    // a reseller can't take back what a customer has redeemed
    const redeemedDraws = all.filter(
      ({ wish, unit }) => isDrawRedeemed(work, unit) && (wish.want === 'gone' || wish.want === 'suspended'),
    );
    if (redeemedDraws.length > 0) questions.push({ reason: 'partner_redeemed', mark: String(redeemedDraws.length) });
    const wanting = all.filter(({ wish, unit }) => wish.want === 'have' && unit.code === null).map(({ unit }) => unit);
    await this.#issuing.issue(work, wanting, questions);
    await this.#emails.email(work, questions);
    // a reseller's codes have the prices of their developer
    const isDrawn = [...work.units.values()].some(({ draw_id }) => draw_id !== null);
    if (!isDrawn && order.usd_cents === null && wishes.some(({ usdCents }) => usdCents === null))
      questions.push({ reason: 'list_price', mark: '' });
  }

  /** Writes the new state of the order, its reversals and its units, and notifies those who see them. */
  async #record(work: Work, { outcome, questions, reversals, answer }: Settled): Promise<void> {
    const { tx, order, now } = work;
    const before = { state: order.state, reasons: order.reasons };
    // also what shows only now, such as that nobody was emailed
    if (answer) order.settled = [...new Set([...order.settled, ...questions.filter(answersTo(answer)).map(markOf)])];
    const reasons = openOf(questions, order.settled);
    await q.writeReversalStates(tx, order, statesOf(outcome, reversals, reasons));
    if (work.changed.size > 0) await q.writeUnits(tx, order.developer_id, [...work.changed]);
    const state = stateOf(order, outcome, reasons, [...work.units.values()]);
    await q.writeOrder(tx, order, now, { state, reasons });
    await notifyOrdersChanged(this.#deps, tx, [{ order: { ...order, state, reasons }, before, work }]);
    // the row of a batch, which all orders of its product wait for, is held for the shortest time
    await countSold(tx, order.developer_id, work.sold);
  }
}

/** The outcome for an order, and the units that the answer, if there is one, has decided about. */
function conclude(shop: Shop, order: q.OrderRow, found: Found, answer?: Answer): Conclusion {
  const outcome = outcomeOf(shop, order, found);
  if (!answer) return { outcome, decided: [] };
  const decided = decide(found.units, outcome, answer);
  return { outcome: outcomeOf(shop, order, found), decided };
}

const outcomeOf = (shop: Shop, order: q.OrderRow, found: Found): Outcome =>
  converge({
    isPaid: order.paid_at !== null,
    isCanceled: order.canceled_at !== null,
    lines: found.lines.map(factsOf),
    units: found.units.map((unit) => ({
      lineId: unit.line_id,
      n: unit.n,
      state: unit.state,
      isRedeemed: found.isRedeemed(unit),
      decision: unit.decision,
    })),
    reversals: found.reversals.map(({ key, kind, is_whole, lines, amount, is_net, undoes }) => ({
      key,
      kind,
      isWhole: is_whole,
      lines,
      amountMinor: amount === null || order.currency === null ? null : minorOf(amount, order.currency),
      isNet: is_net,
      undoes,
    })),
    onRefund: shop.on_refund,
    onDispute: shop.on_dispute,
  });

/** Whether nothing is issued because of a duplicate, until somebody has looked at it. */
function isHeldFor(order: q.OrderRow, twin: Duplicate | null, answer?: Answer): boolean {
  const isAnswered = answer?.unitIds === null;
  const isLooked = order.settled.includes(markOf({ reason: 'duplicate', mark: twin?.id ?? '' }));
  return twin?.wanted === 'hold' && !isLooked && !isAnswered;
}
