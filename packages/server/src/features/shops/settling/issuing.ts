import type { Shortage } from '#features/draws';
import { issueSold, noteLowStock, type Sale, type SoldSerial, takeSold } from '#features/serials';
import { idFrom } from '#platform/random.ts';
import { utcDay } from '#platform/time/days.ts';
import { isReseller } from '../connections/owner.ts';
import type { Question } from '../orders/converge.ts';
import { drawReference } from '../orders/drawing.ts';
import type * as q from '../orders/order-rows.queries.ts';
import type { Reason } from '../orders/states.ts';
import { testCode } from '../orders/test-codes.ts';
import { holdSellable } from './products.queries.ts';
import { paidOf, type SettlingDependencies, type Shop, type Work } from './work.ts';

/** Units of one line and one product. */
interface Wanting {
  line: q.LineRow;
  productId: string;
  units: readonly q.UnitRow[];
}

const SHORT_REASONS: Record<Shortage, Reason> = {
  gone: 'product_gone',
  paused: 'partner_paused',
  empty: 'out_of_stock',
};

/** The batch that the serials of a line go into, and what each is sold for. */
export function saleOf(shop: Shop, { line, productId, units }: Wanting, now: Date): Sale {
  const { batch_tag: batchTag, prefix, expires_at: expiresAt, developer_id: developerId } = line;
  const day = new Date(`${utcDay(now)}T00:00:00Z`);
  const terms = JSON.stringify([shop.id, productId, batchTag, prefix, expiresAt?.getTime()]);
  const notes = `Sold in ${shop.name}`;
  return {
    batch: { id: idFrom(day, terms), developerId, productId, batchTag, prefix, expiresAt, notes },
    units: units.map((unit) => ({ id: unit.id, paidCents: paidOf(unit) })),
  };
}

/** Gives units their codes: new serials, serials from stock, draws of a reseller, or test codes. */
export class Issuing {
  readonly #deps: SettlingDependencies;

  constructor(deps: SettlingDependencies) {
    this.#deps = deps;
  }

  async issue(work: Work, wanting: readonly q.UnitRow[], questions: Question[]): Promise<void> {
    const { tx, order } = work;
    if (wanting.length === 0 || work.isHeld) return;
    if (order.is_test) {
      for (const unit of wanting) issued(work, unit, { code: testCode(this.#deps.random), serialId: null });
      return;
    }
    if (await isReseller(tx, order.developer_id)) await this.#draw(work, wanting, questions);
    else await this.#sell(work, wanting, questions);
    if ([...work.units.values()].some(({ issued_at }) => issued_at?.getTime() === work.now.getTime()))
      order.issued_at ??= work.now;
  }

  async #sell(work: Work, wanting: readonly q.UnitRow[], questions: Question[]): Promise<void> {
    const { tx, shop, order, now } = work;
    const { developer_id: developerId } = order;
    const products = [...new Set(wanting.map(({ product_id }) => product_id))];
    const sellable = await holdSellable(tx, developerId, products);
    const groups = groupsOf(work, wanting);
    for (const group of groups.filter(({ productId }) => !sellable.has(productId))) {
      give(work, group.units, []);
      questions.push({ reason: 'product_gone', mark: '' });
    }
    const there = groups.filter(({ productId }) => sellable.has(productId));
    for (const { line, productId, units } of there.filter((group) => group.line.source === 'pool')) {
      const pool = { developerId, productId, batchTag: line.batch_tag };
      const sold = units.map((unit) => ({ id: unit.id, paidCents: paidOf(unit) }));
      const taken = await takeSold(tx, pool, sold, now);
      give(work, units, taken);
      if (taken.length < units.length) questions.push({ reason: 'out_of_stock', mark: '' });
      if (taken.length > 0) await noteLowStock(this.#deps, tx, developerId, productId);
    }
    const made = there.filter((group) => group.line.source !== 'pool');
    const { serials, counts } = await issueSold(
      tx,
      this.#deps.random,
      made.map((group) => saleOf(shop, group, now)),
      now,
    );
    work.sold.push(...counts);
    give(
      work,
      made.flatMap(({ units }) => units),
      serials,
    );
  }

  /** Codes of a reseller's pool, under the terms of the partnership: each unit is a draw. */
  async #draw(work: Work, wanting: readonly q.UnitRow[], questions: Question[]): Promise<void> {
    const { tx, shop, order } = work;
    for (const { line, productId, units } of groupsOf(work, wanting)) {
      const { drawn, short } = await this.#deps.orderDraws.handOut(tx, {
        resellerId: order.developer_id,
        productId,
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
        } else waits(work, unit);
      }
      if (short !== null) questions.push({ reason: SHORT_REASONS[short], mark: '' });
    }
  }
}

/** Groups units in the order of the products, so that two orders never wait for each other. */
function groupsOf({ lines: all }: Work, wanting: readonly q.UnitRow[]): Wanting[] {
  const lines = new Map(all.map((line) => [line.id, line]));
  const groups = Map.groupBy(wanting, (unit) => `${unit.product_id} ${unit.line_id}`);
  return [...groups]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, units]) => {
      const [{ line_id, product_id }] = units as [q.UnitRow];
      return { line: lines.get(line_id) as q.LineRow, productId: product_id, units };
    });
}

/** Gives units the serials that were sold to them; those without one wait. */
function give(work: Work, units: readonly q.UnitRow[], sold: readonly SoldSerial[]): void {
  const byUnit = new Map(sold.map((serial) => [serial.unitId, serial]));
  for (const unit of units) {
    const serial = byUnit.get(unit.id);
    if (serial) {
      work.redeemBy.set(unit.id, serial.expiresAt);
      issued(work, unit, { code: serial.code, serialId: serial.id });
    } else waits(work, unit);
  }
}

function issued(
  { changed, now }: Work,
  unit: q.UnitRow,
  { code, serialId }: { code: string; serialId: string | null },
): void {
  Object.assign(unit, { state: 'issued', code, serial_id: serialId, issued_at: now });
  changed.add(unit);
}

function waits({ changed }: Work, unit: q.UnitRow): void {
  if (unit.state === 'waiting') return;
  unit.state = 'waiting';
  changed.add(unit);
}
