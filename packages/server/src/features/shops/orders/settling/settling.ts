import type { DrawnCode, OrderDraws, Shortage } from '#features/draws';
import type { Refunds } from '#features/redemption';
import {
  changeSerials,
  holdSold,
  issueSold,
  type LowSerialsEvent,
  type LowStockDependencies,
  noteLowStock,
  repriceSold,
  type SoldSerial,
  takeSold,
} from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Publisher } from '#platform/events.ts';
import type { Cents } from '#platform/money.ts';
import { idFrom, type Random } from '#platform/random.ts';
import { LANGUAGES, type Language } from '#platform/text/languages.ts';
import { utcDay } from '#platform/time/days.ts';
import { isReseller } from '../connections/owner.ts';
import { type NoticeDependencies, tellOfShop } from '../connections/shop-notices.ts';
import { findItems, noteUnmapped } from '../items/items.queries.ts';
import { newPickupCode } from '../links/pickup-codes.ts';
import { minorOf } from '../money.ts';
import type { ShopEvent, ShopOrderEvent } from '../shop-events.ts';
import type { ShopConnection } from '../shops.entity.ts';
import type { ShopsHandle } from '../tables.ts';
import { converge, type LineFacts, type Outcome, type Question, type Wish } from './converge.ts';
import { drawReference } from './drawing.ts';
import { findDuplicate } from './duplicates.ts';
import { tellOfOrder } from './order-events.ts';
import * as q from './order-rows.queries.ts';
import type { OrderState, Reason } from './states.ts';
import { testCode } from './test-codes.ts';

/** More than this is a mistake, or needs somebody to look at it. */
export const MOST_UNITS = 5000;

/** What is shown, and needs nobody to do something. */
const FLAGS: ReadonlySet<Reason> = new Set(['list_price']);

/** A shop as far as its orders need it. */
export interface Shop {
  id: string;
  developer_id: string;
  kind: ShopConnection['kind'];
  name: string;
  mode: ShopConnection['mode'];
  state: ShopConnection['state'];
  delivering: ShopConnection['delivering'];
  on_refund: ShopConnection['onRefund'];
  on_dispute: ShopConnection['onDispute'];
  on_duplicate: ShopConnection['onDuplicate'];
  deleted_at: Date | null;
}

/** Port: the email with the codes of an order. */
export interface OrderedCodes {
  /** @returns false when nobody is emailed. */
  queue(
    sql: Sql,
    emailId: string,
    order: {
      developerId: string;
      number: string;
      email: string;
      language: Language | null;
      codes: readonly { product: string; code: string; redeemBy: Date | null }[];
    },
  ): Promise<boolean>;
}

/** What somebody decides about what an order asks. */
export interface Answer {
  decision: 'keep' | 'take';
  /** Of what was refunded; null: all that are asked about. */
  unitIds: readonly string[] | null;
}

interface Dependencies extends Omit<LowStockDependencies, 'events'>, Omit<NoticeDependencies, 'events'> {
  random: Random;
  events: Publisher<LowSerialsEvent | ShopOrderEvent | ShopEvent>;
  refunds: Pick<Refunds, 'settle'>;
  orderedCodes: OrderedCodes;
  orderDraws: OrderDraws;
}

/** A product that an order may give. */
interface Sellable {
  id: string;
  name: string;
}

/** What is being done to one order. */
interface Work {
  tx: ShopsHandle;
  shop: Shop;
  order: q.OrderRow;
  lines: readonly q.LineRow[];
  units: Map<string, q.UnitRow>;
  /** Codes that a reseller's units have, by their draws. */
  drawn: ReadonlyMap<string, DrawnCode>;
  changed: Set<q.UnitRow>;
  /** By when serials that were issued now have to be redeemed, by unit. */
  redeemBy: Map<string, Date | null>;
  /** Nothing is issued until somebody has answered. */
  isHeld: boolean;
  now: Date;
}

const placeOf = ({ lineId, n }: { lineId: string; n: number }) => `${lineId} ${n}`;
const unitPlace = ({ line_id, n }: q.UnitRow) => `${line_id} ${n}`;

/** Makes the serials of an order what they are to be, in the caller's transaction, which holds the order. */
export class Settling {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Products that whoever recorded the sale has named themselves, by the line's id of the shop. */
  async nameProducts(
    tx: ShopsHandle,
    order: q.OrderRow,
    named: ReadonlyMap<string, readonly string[] | null>,
  ): Promise<void> {
    for (const line of await q.findLines(tx, order)) {
      const productIds = named.get(line.external_id);
      if (line.product_ids === null && productIds)
        await q.freezeLine(tx, { ...line, product_ids: [...productIds], units: 1, source: 'generate' });
    }
  }

  /** @param answer what somebody decides about what it asks. */
  async settle(
    tx: ShopsHandle,
    shop: Shop,
    order: q.OrderRow,
    { answer }: { isNew: boolean; answer?: Answer },
  ): Promise<void> {
    const now = this.#deps.clock.now();
    const lines = await this.#mapped(tx, shop, order, now);
    const [units, reversals] = [await q.findUnits(tx, order), await q.findReversals(tx, order)];
    const serialIds = units.flatMap(({ serial_id }) => serial_id ?? []);
    const held = serialIds.length === 0 ? [] : await holdSold(tx, order.developer_id, serialIds);
    const serials = new Map(held.map((serial) => [serial.id, serial]));
    const drawIds = units.flatMap(({ draw_id }) => draw_id ?? []);
    const drawn = await this.#deps.orderDraws.find(tx, order.developer_id, drawIds);
    const isRedeemed = (unit: q.UnitRow) =>
      (unit.draw_id !== null && drawn.get(unit.draw_id)?.state === 'redeemed') ||
      (unit.serial_id !== null && (serials.get(unit.serial_id)?.redeemed_at ?? null) !== null);
    const decided: q.UnitRow[] = [];
    const look = () =>
      converge({
        isPaid: order.paid_at !== null,
        isCanceled: order.canceled_at !== null,
        lines: lines.map(factsOf),
        units: units.map((unit) => ({
          lineId: unit.line_id,
          n: unit.n,
          state: unit.state,
          isRedeemed: isRedeemed(unit),
          decision: unit.decision,
        })),
        reversals: reversals.map(({ key, kind, is_whole, lines: named, amount, undoes }) => ({
          key,
          kind,
          isWhole: is_whole,
          lines: named,
          amountMinor: amount === null || order.currency === null ? null : minorOf(amount, order.currency),
          undoes,
        })),
        onRefund: shop.on_refund,
        onDispute: shop.on_dispute,
      });
    let outcome = look();
    if (answer) {
      decided.push(...decide(units, outcome, answer));
      outcome = look();
    }
    const questions = [...outcome.questions];
    const twin = outcome.isRefunded ? null : await findDuplicate(tx, shop.on_duplicate, order, lines);
    if (twin) {
      order.duplicate_of ??= twin.id;
      questions.push({ reason: 'duplicate', mark: twin.id });
    }
    const isAnswered = answer?.unitIds === null;
    const isLooked = order.settled.includes(markOf({ reason: 'duplicate', mark: twin?.id ?? '' }));
    const work: Work = {
      tx,
      shop,
      order,
      lines,
      units: new Map(units.map((unit) => [unitPlace(unit), unit])),
      drawn,
      changed: new Set(decided),
      redeemBy: new Map(),
      isHeld: twin?.wanted === 'hold' && !isLooked && !isAnswered,
      now,
    };
    if (outcome.wishes.length > MOST_UNITS) questions.push({ reason: 'too_many', mark: String(outcome.wishes.length) });
    else await this.#fulfill(work, outcome, isRedeemed, questions);
    await q.writeReversalStates(tx, order, outcome.reversals);
    const before = { state: order.state, reasons: order.reasons };
    // also what shows only now, such as that nobody was emailed
    if (answer) order.settled = [...new Set([...order.settled, ...questions.filter(answersTo(answer)).map(markOf)])];
    const reasons = openOf(questions, order.settled);
    if (work.changed.size > 0) await q.writeUnits(tx, order.developer_id, [...work.changed]);
    const state = stateOf(order, outcome, reasons, [...work.units.values()]);
    await q.writeOrder(tx, order, now, { state, reasons });
    await tellOfOrder(this.#deps, tx, { ...order, state, reasons }, { before, work });
  }

  /** The lines of an order, each with what it is sold as, if that is known. */
  async #mapped(tx: ShopsHandle, shop: Shop, order: q.OrderRow, now: Date): Promise<q.LineRow[]> {
    const lines = await q.findLines(tx, order);
    const open = lines.filter(({ product_ids, paid_quantity }) => product_ids === null && paid_quantity > 0);
    if (open.length === 0) return lines;
    const { developer_id: accountId } = order;
    const items = await findItems(tx, accountId, shop.id, [...new Set(open.flatMap(({ keys }) => keys))]);
    const byKey = new Map(items.map((item) => [item.key, item]));
    for (const line of open) {
      const item = line.keys.map((key) => byKey.get(key)).find((each) => each && each.mapped_at !== null);
      if (item) {
        const isIgnored = line.is_renewal && item.renewals === 'ignore';
        const { units, source, batch_tag, prefix, expires_at } = item;
        const product_ids = isIgnored ? [] : item.product_ids;
        Object.assign(line, { product_ids, units, source, batch_tag, prefix, expires_at, item_key: item.key });
        await q.freezeLine(tx, line);
      } else {
        const [key = line.external_id] = line.keys;
        const isNew =
          !byKey.has(key) && (await noteUnmapped(tx, { accountId, shopId: shop.id, key, name: line.name, now }));
        if (isNew)
          await tellOfShop(this.#deps, tx, accountId, {
            shop_id: shop.id,
            name: shop.name,
            what: 'unmapped',
            detail: line.name === key ? key : `${line.name} (${key})`,
          });
      }
    }
    return lines;
  }

  async #fulfill(
    work: Work,
    { wishes }: Outcome,
    isRedeemed: (unit: q.UnitRow) => boolean,
    questions: Question[],
  ): Promise<void> {
    const { tx, order } = work;
    const accountId = order.developer_id;
    const added = wishes.filter((wish) => !work.units.has(placeOf(wish))).map((wish) => this.#unitOf(order, wish));
    await q.addUnits(tx, added);
    for (const unit of added) work.units.set(unitPlace(unit), unit);
    const all = wishes.map((wish) => ({ wish, unit: work.units.get(placeOf(wish)) as q.UnitRow }));

    await this.#switch(work, all, 'revoke');
    await this.#switch(work, all, 'reassign');
    // what nobody has redeemed is worth what was paid in the end; of the rest the ledger is told
    const unredeemed = all.filter(({ unit }) => !isRedeemed(unit));
    const repriced = unredeemed.filter(({ wish, unit }) => this.#price(work, wish, unit));
    await repriceSold(
      tx,
      accountId,
      repriced.flatMap(({ unit }) => (unit.serial_id ? [{ id: unit.serial_id, paidCents: paidOf(unit) }] : [])),
    );
    for (const { wish, unit } of all) if (isRedeemed(unit)) await this.#giveBack(work, wish, unit);
    // a reseller can't take back what a customer has redeemed
    const theirs = all.filter(
      ({ wish, unit }) => isTheirs(work, unit) && (wish.want === 'gone' || wish.want === 'suspended'),
    );
    if (theirs.length > 0) questions.push({ reason: 'partner_redeemed', mark: String(theirs.length) });
    const wanting = all.filter(({ wish, unit }) => wish.want === 'have' && unit.code === null).map(({ unit }) => unit);
    await this.#issue(work, wanting, questions);
    await this.#email(work, questions);
    // a reseller's codes have the prices of their developer
    const isDrawn = [...work.units.values()].some(({ draw_id }) => draw_id !== null);
    if (!isDrawn && order.usd_cents === null && wishes.some(({ usdCents }) => usdCents === null))
      questions.push({ reason: 'list_price', mark: '' });
  }

  #unitOf({ developer_id, id }: q.OrderRow, { lineId, n, productId, usdCents }: Wish): q.UnitRow {
    return {
      id: this.#deps.random.id(),
      developer_id,
      order_id: id,
      line_id: lineId,
      n,
      product_id: productId,
      state: 'wanted',
      serial_id: null,
      code: null,
      draw_id: null,
      usd_cents: usdCents,
      cut_cents: 0,
      refunded_cents: 0,
      decision: null,
      mail_id: null,
      issued_at: null,
      ended_at: null,
    };
  }

  /** Locks serials that are gone or suspended, and unlocks those that are to be there again. */
  async #switch(
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
      if (lock && isTheirs(work, unit)) continue;
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
  #price(work: Work, { usdCents, backCents, want }: Wish, unit: q.UnitRow): boolean {
    // a serial that is gone is worth what it was, should it come again
    const cut = want === 'have' ? Math.min(backCents ?? 0, usdCents ?? 0) : 0;
    if (unit.usd_cents === usdCents && unit.cut_cents === cut) return false;
    Object.assign(unit, { usd_cents: usdCents, cut_cents: cut });
    work.changed.add(unit);
    return true;
  }

  /** Books in the ledger what was given back of a unit, or taken back again: the difference to what it has been told. */
  async #giveBack(work: Work, { backCents, by }: Wish, unit: q.UnitRow): Promise<void> {
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

  async #issue(work: Work, wanting: readonly q.UnitRow[], questions: Question[]): Promise<void> {
    const { tx, order, now } = work;
    if (wanting.length === 0 || work.isHeld) return;
    if (order.is_test) {
      for (const unit of wanting) issued(work, unit, { code: testCode(this.#deps.random), serialId: null });
      return;
    }
    if (await isReseller(tx, order.developer_id)) return this.#draw(work, wanting, questions);
    const sellable = await sellableProducts(tx, order.developer_id, [
      ...new Set(wanting.map(({ product_id }) => product_id)),
    ]);
    const lines = new Map(work.lines.map((line) => [line.id, line]));
    const groups = Map.groupBy(wanting, (unit) => `${unit.product_id} ${unit.line_id}`);
    // in the order of the products, so that two orders never wait for each other
    for (const [, units] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [{ line_id, product_id }] = units as [q.UnitRow];
      const line = lines.get(line_id) as q.LineRow;
      const sold = sellable.has(product_id) ? await this.#serialsFor(work, line, product_id, units) : [];
      const byUnit = new Map(sold.map((serial) => [serial.unitId, serial]));
      for (const unit of units) {
        const serial = byUnit.get(unit.id);
        if (serial) {
          work.redeemBy.set(unit.id, serial.expiresAt);
          issued(work, unit, { code: serial.code, serialId: serial.id });
        } else if (unit.state !== 'waiting') {
          unit.state = 'waiting';
          work.changed.add(unit);
        }
      }
      if (sold.length < units.length)
        questions.push({ reason: sellable.has(product_id) ? 'out_of_stock' : 'product_gone', mark: '' });
      if (line.source === 'pool' && sold.length > 0) await noteLowStock(this.#deps, tx, order.developer_id, product_id);
    }
    if ([...work.units.values()].some(({ issued_at }) => issued_at?.getTime() === now.getTime()))
      order.issued_at ??= now;
  }

  /** Codes of a reseller's pool, under the terms of the partnership: each unit is a draw. */
  async #draw(work: Work, wanting: readonly q.UnitRow[], questions: Question[]): Promise<void> {
    const { tx, shop, order, now } = work;
    const lines = new Map(work.lines.map((line) => [line.id, line]));
    const groups = Map.groupBy(wanting, (unit) => `${unit.product_id} ${unit.line_id}`);
    // in the order of the products, so that two orders never wait for each other
    for (const [, units] of [...groups].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const [{ line_id, product_id }] = units as [q.UnitRow];
      const line = lines.get(line_id) as q.LineRow;
      const { drawn, short } = await this.#deps.orderDraws.handOut(tx, {
        resellerId: order.developer_id,
        productId: product_id,
        batchTag: line.batch_tag,
        draws: units.map(({ id, n }) => ({
          id,
          reference: drawReference(shop.id, order.external_id, line.external_id, n),
        })),
      });
      const byUnit = new Map(drawn.map((each) => [each.id, each]));
      for (const unit of units) {
        const code = byUnit.get(unit.id);
        if (code) {
          work.redeemBy.set(unit.id, code.expiresAt);
          unit.draw_id = unit.id;
          issued(work, unit, { code: code.code, serialId: null });
        } else if (unit.state !== 'waiting') {
          unit.state = 'waiting';
          work.changed.add(unit);
        }
      }
      if (short !== null) questions.push({ reason: SHORT_REASONS[short], mark: '' });
    }
    if ([...work.units.values()].some(({ issued_at }) => issued_at?.getTime() === now.getTime()))
      order.issued_at ??= now;
  }

  #serialsFor(
    { tx, shop, order, now }: Work,
    line: q.LineRow,
    productId: string,
    units: readonly q.UnitRow[],
  ): Promise<SoldSerial[]> {
    const sold = units.map((unit) => ({ id: unit.id, paidCents: paidOf(unit) }));
    const { batch_tag: batchTag, prefix, expires_at: expiresAt } = line;
    const developerId = order.developer_id;
    if (line.source === 'pool') return takeSold(tx, { developerId, productId, batchTag }, sold, now);
    const day = new Date(`${utcDay(now)}T00:00:00Z`);
    const terms = JSON.stringify([shop.id, productId, batchTag, prefix, expiresAt?.getTime()]);
    const notes = `Sold in ${shop.name}`;
    const batch = { id: idFrom(day, terms), developerId, productId, batchTag, prefix, expiresAt, notes };
    return issueSold(tx, this.#deps.random, batch, sold, now);
  }

  /**
   * Emails whatever codes an order has that work, once more, under an id of its own.
   * @returns false when there are none, or nobody is emailed.
   */
  async emailAgain(tx: ShopsHandle, order: q.OrderRow, emailId: string): Promise<boolean> {
    const units = (await q.findUnits(tx, order)).filter(
      ({ code, state }) => code !== null && (state === 'issued' || state === 'delivered' || state === 'kept'),
    );
    if (units.length === 0 || order.email === null) return false;
    if (units.some(({ draw_id }) => draw_id !== null)) {
      const queued = await this.#queueDrawn(tx, order, order.email, units, () => this.#deps.random.id());
      if (queued.length === 0) return false;
    } else {
      const lines = new Map((await q.findLines(tx, order)).map((line) => [line.id, line]));
      const names = await namesOf(tx, order.developer_id, [...new Set(units.map(({ product_id }) => product_id))]);
      const isQueued = await this.#deps.orderedCodes.queue(tx, emailId, {
        developerId: order.developer_id,
        number: order.number,
        email: order.email,
        language: languageOf(order.language),
        codes: units.map(({ code, product_id, line_id }) => ({
          product: names.get(product_id) ?? '',
          code: code as string,
          redeemBy: lines.get(line_id)?.expires_at ?? null,
        })),
      });
      if (!isQueued) return false;
      for (const unit of units) unit.mail_id = emailId;
    }
    for (const unit of units) if (unit.state === 'issued' && unit.mail_id !== null) unit.state = 'delivered';
    await q.writeUnits(tx, order.developer_id, units);
    return true;
  }

  /** One email with all codes that the customer has not been sent, under the id of the first of them: so it is sent once. */
  async #email(work: Work, questions: Question[]): Promise<void> {
    const { tx, shop, order, units, changed, redeemBy, now } = work;
    const fresh = [...units.values()].filter(({ state, code }) => state === 'issued' && code !== null);
    const [first] = fresh.sort((a, b) => (a.id < b.id ? -1 : 1));
    if (!first || shop.delivering !== 'us') return;
    if (order.email === null) {
      if (!order.is_test && order.erased_at === null && !(await isReseller(tx, order.developer_id)))
        order.pickup_code ??= newPickupCode(this.#deps.random);
      questions.push({ reason: 'no_email', mark: '' });
      return;
    }
    if (fresh.some(({ draw_id }) => draw_id !== null)) return this.#emailDrawn(work, fresh);
    const names = await namesOf(tx, order.developer_id, [...new Set(fresh.map(({ product_id }) => product_id))]);
    const isQueued = await this.#deps.orderedCodes.queue(tx, first.id, {
      developerId: order.developer_id,
      number: order.number,
      email: order.email,
      language: languageOf(order.language),
      codes: fresh.map(({ id, code, product_id }) => ({
        product: names.get(product_id) ?? '',
        code: code as string,
        redeemBy: redeemBy.get(id) ?? null,
      })),
    });
    if (!isQueued) return;
    for (const unit of fresh) {
      Object.assign(unit, { state: 'delivered', mail_id: first.id, issued_at: unit.issued_at ?? now });
      changed.add(unit);
    }
  }

  /** A reseller's, an email for each code: they are of several developers perhaps, each with a page of its own. */
  async #emailDrawn({ tx, order, changed, now }: Work, fresh: readonly q.UnitRow[]): Promise<void> {
    if (order.email === null) return;
    for (const unit of await this.#queueDrawn(tx, order, order.email, fresh, ({ id }) => id)) {
      Object.assign(unit, { state: 'delivered', issued_at: unit.issued_at ?? now });
      changed.add(unit);
    }
  }

  /** @returns the units whose code is on its way. */
  async #queueDrawn(
    tx: ShopsHandle,
    { developer_id: resellerId, language: spoken }: q.OrderRow,
    email: string,
    units: readonly q.UnitRow[],
    idOf: (unit: q.UnitRow) => string,
  ): Promise<q.UnitRow[]> {
    const { orderDraws } = this.#deps;
    const drawIds = units.flatMap(({ draw_id }) => draw_id ?? []);
    const drawn = await orderDraws.find(tx, resellerId, drawIds);
    const language = languageOf(spoken) ?? undefined;
    const queued: q.UnitRow[] = [];
    for (const unit of units) {
      const code = unit.draw_id === null ? undefined : drawn.get(unit.draw_id);
      if (!code) continue;
      unit.mail_id = idOf(unit);
      await orderDraws.email(tx, unit.mail_id, { resellerId, drawn: code, email, language });
      queued.push(unit);
    }
    return queued;
  }
}

const SHORT_REASONS: Record<Shortage, Reason> = {
  gone: 'product_gone',
  paused: 'partner_paused',
  empty: 'out_of_stock',
};

/** Whether a customer has redeemed a code that a reseller's unit has: it is its developer's from then on. */
const isTheirs = ({ drawn }: Work, { draw_id }: q.UnitRow): boolean =>
  draw_id !== null && drawn.get(draw_id)?.state === 'redeemed';

/** What a look at an order settles, when nobody has to do anything else about it. */
const LOOKED_AT: ReadonlySet<Reason> = new Set([
  'amount_refund',
  'inquiry',
  'canceled',
  'edited_down',
  'no_email',
  'duplicate',
]);

const answersTo =
  ({ unitIds }: Answer) =>
  ({ reason }: Question) =>
    unitIds === null && LOOKED_AT.has(reason);

/** @returns the units that the answer is about. */
function decide(units: readonly q.UnitRow[], { wishes }: Outcome, { decision, unitIds }: Answer): q.UnitRow[] {
  const asked = new Set(wishes.filter(({ want }) => want === 'ask').map(placeOf));
  const named = unitIds && new Set(unitIds);
  const about = units.filter((unit) => asked.has(unitPlace(unit)) && (!named || named.has(unit.id)));
  for (const unit of about) unit.decision = decision;
  return about;
}

function factsOf(line: q.LineRow): LineFacts {
  return {
    id: line.id,
    externalId: line.external_id,
    quantity: line.quantity,
    paidQuantity: line.paid_quantity,
    productIds: line.product_ids,
    units: line.units ?? 1,
    isIgnored: line.product_ids?.length === 0,
    usdCents: line.usd_cents,
    netMinor: line.net_minor,
  };
}

/** What a serial has as its price. */
const paidOf = ({ usd_cents, cut_cents }: q.UnitRow): Cents | null =>
  usd_cents === null ? null : usd_cents - cut_cents;

/** What a unit was before it was locked. */
const backTo = ({ code, mail_id }: q.UnitRow) => (code === null ? 'wanted' : mail_id === null ? 'issued' : 'delivered');

function issued(
  { changed, now }: Work,
  unit: q.UnitRow,
  { code, serialId }: { code: string; serialId: string | null },
) {
  Object.assign(unit, { state: 'issued', code, serial_id: serialId, issued_at: now });
  changed.add(unit);
}

/** Products that can be redeemed; until the transaction ends they are not deleted. */
async function sellableProducts(
  tx: ShopsHandle,
  accountId: string,
  ids: readonly string[],
): Promise<Map<string, Sellable>> {
  const found = await tx
    .selectFrom('products')
    .select(['id', 'name'])
    .where('developer_id', '=', accountId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)
    .where('is_draft', 'is', false)
    .orderBy('id')
    .forKeyShare()
    .execute();
  return new Map(found.map((product) => [product.id, product]));
}

async function namesOf(tx: ShopsHandle, accountId: string, ids: readonly string[]): Promise<Map<string, string>> {
  const found = await tx
    .selectFrom('products')
    .select(['id', 'name'])
    .where('developer_id', '=', accountId)
    .where('id', 'in', [...ids])
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** What is still to be looked at. */
function openOf(questions: readonly Question[], settled: readonly string[]): Reason[] {
  const looked = new Set(settled);
  return [...new Set(questions.filter((each) => !looked.has(markOf(each))).map(({ reason }) => reason))];
}

/** As it is kept that somebody has looked at it. */
export const markOf = ({ reason, mark }: Question): string => `${reason} ${mark}`.trim();

function stateOf(
  order: q.OrderRow,
  { isRefunded, isDisputed, wishes }: Outcome,
  reasons: readonly Reason[],
  units: readonly q.UnitRow[],
): OrderState {
  if (order.version_at === null) return 'seen';
  if (reasons.some((reason) => !FLAGS.has(reason))) return 'attention';
  if (isDisputed) return 'disputed';
  if (isRefunded) return 'refunded';
  if (order.paid_at === null) return order.canceled_at === null ? 'pending' : 'canceled';
  const isMissing = units.some(({ state }) => state === 'wanted' || state === 'waiting');
  return isMissing || units.length < wishes.length ? 'paid' : 'issued';
}

/** Ours for the shop's, such as `de-DE`. */
function languageOf(shops: string | null): Language | null {
  const short = shops?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === short) ?? null;
}
