import { isReseller } from '../connections/owner.ts';
import { newPickupCode } from '../links/pickup-codes.ts';
import type { Question } from '../orders/converge.ts';
import * as q from '../orders/order-rows.queries.ts';
import type { ShopsHandle } from '../tables.ts';
import { namesOf } from './products.queries.ts';
import { type GivenCodes, languageOf, type SettlingDependencies, type Work } from './work.ts';

/** Emails customers the codes of their orders. */
export class OrderEmails {
  readonly #deps: Pick<SettlingDependencies, 'random' | 'orderedCodes' | 'orderDraws'>;

  constructor(deps: Pick<SettlingDependencies, 'random' | 'orderedCodes' | 'orderDraws'>) {
    this.#deps = deps;
  }

  /**
   * Emails whatever codes an order has that work, once more, under an id of its own.
   * @param only these units; default: all.
   * @returns false when there are none, or nobody is emailed.
   */
  async emailAgain(tx: ShopsHandle, order: q.OrderRow, emailId: string, only?: ReadonlySet<string>): Promise<boolean> {
    const works = ({ code, state }: q.UnitRow) =>
      code !== null && (state === 'issued' || state === 'delivered' || state === 'kept');
    const units = (await q.findUnits(tx, order)).filter((unit) => works(unit) && (!only || only.has(unit.id)));
    if (units.length === 0 || order.email === null) return false;
    if (units.some(({ draw_id }) => draw_id !== null)) {
      const to = units.map((unit) => ({ unit, order, emailId: this.#deps.random.id() }));
      const queued = await this.#queueDrawn(tx, order.developer_id, to);
      if (queued.length === 0) return false;
    } else {
      const lines = new Map((await q.findLines(tx, order)).map((line) => [line.id, line]));
      const names = await namesOf(tx, order.developer_id, [...new Set(units.map(({ product_id }) => product_id))]);
      const isQueued = await this.#queue(tx, order.developer_id, {
        emailId,
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

  #queue(tx: ShopsHandle, developerId: string, order: GivenCodes): Promise<boolean> {
    return this.#deps.orderedCodes.queue(tx, developerId, [order]);
  }

  /** One email with all codes that the customer has not been sent, under the id of the first of them: so it is sent once. */
  async email(work: Work, questions: Question[]): Promise<void> {
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
    const isQueued = await this.#queue(tx, order.developer_id, {
      emailId: first.id,
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

  /** Emails about new orders of a reseller, each code once. */
  async emailNew(
    tx: ShopsHandle,
    resellerId: string,
    orders: readonly { order: q.OrderRow; units: readonly q.UnitRow[] }[],
  ): Promise<void> {
    const to = orders.flatMap(({ order, units }) => units.map((unit) => ({ unit, order, emailId: unit.id })));
    for (const unit of await this.#queueDrawn(tx, resellerId, to)) unit.state = 'delivered';
  }

  /** A reseller's, an email for each code: they are of several developers perhaps, each with a page of its own. */
  async #emailDrawn({ tx, order, changed, now }: Work, fresh: readonly q.UnitRow[]): Promise<void> {
    const to = fresh.map((unit) => ({ unit, order, emailId: unit.id }));
    for (const unit of await this.#queueDrawn(tx, order.developer_id, to)) {
      Object.assign(unit, { state: 'delivered', issued_at: unit.issued_at ?? now });
      changed.add(unit);
    }
  }

  /** @returns the units whose code is on its way. */
  async #queueDrawn(
    tx: ShopsHandle,
    resellerId: string,
    to: readonly { unit: q.UnitRow; order: q.OrderRow; emailId: string }[],
  ): Promise<q.UnitRow[]> {
    const { orderDraws } = this.#deps;
    const drawIds = to.flatMap(({ unit }) => unit.draw_id ?? []);
    const drawn = await orderDraws.find(tx, resellerId, drawIds);
    const sales = to.flatMap(({ unit, order: { email, language: spoken }, emailId }) => {
      const code = unit.draw_id === null ? undefined : drawn.get(unit.draw_id);
      const language = languageOf(spoken) ?? undefined;
      return code && email !== null ? [{ unit, emailId, drawn: code, email, language }] : [];
    });
    await orderDraws.email(
      tx,
      resellerId,
      sales.map(({ unit, ...sale }) => sale),
    );
    for (const { unit, emailId } of sales) unit.mail_id = emailId;
    return sales.map(({ unit }) => unit);
  }
}
