import type { DrawnCode, OrderDraws } from '#features/draws';
import type { Refunds } from '#features/redemption';
import type { LowSerialsEvent, LowStockDependencies, SoldCount } from '#features/serials';
import type { Sql } from '#platform/db/database.ts';
import type { Publisher } from '#platform/events.ts';
import type { Cents } from '#platform/money.ts';
import type { Random } from '#platform/random.ts';
import { LANGUAGES, type Language } from '#platform/text/languages.ts';
import type { ShopConnection } from '../connections/connections.entity.ts';
import type { ShopEmailDependencies } from '../connections/shop-emails.ts';
import { connectors } from '../connectors/index.ts';
import type { Wish } from '../orders/converge.ts';
import type * as q from '../orders/order-rows.queries.ts';
import type { ShopEvent, ShopOrderEvent } from '../shop-events.ts';
import type { ShopsHandle } from '../tables.ts';

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

/** Whether the shop itself writes the codes of an order to its customer, in a note that it is asked to keep. */
export const isNoted = ({ kind, delivering }: Pick<Shop, 'kind' | 'delivering'>): boolean =>
  delivering === 'shop' && connectors[kind].api?.note !== undefined;

/** The codes that an order gave its customer. */
export interface GivenCodes {
  /** The email's id, the same however often it is tried. */
  emailId: string;
  number: string;
  email: string;
  language: Language | null;
  codes: readonly { product: string; code: string; redeemBy: Date | null }[];
}

/** Port: the emails with the codes of orders. */
export interface OrderedCodes {
  /** @returns false when nobody is emailed. */
  queue(sql: Sql, developerId: string, orders: readonly GivenCodes[]): Promise<boolean>;
  /** The same in a few plain lines, for a note of the shop's. */
  noteText(sql: Sql, developerId: string, order: Omit<GivenCodes, 'emailId'>): Promise<string>;
}

export interface SettlingDependencies
  extends Omit<LowStockDependencies, 'events'>,
    Omit<ShopEmailDependencies, 'events'> {
  random: Random;
  events: Publisher<LowSerialsEvent | ShopOrderEvent | ShopEvent>;
  refunds: Pick<Refunds, 'settle'>;
  orderedCodes: OrderedCodes;
  orderDraws: OrderDraws;
}

/** The work on one order. */
export interface Work {
  tx: ShopsHandle;
  shop: Shop;
  order: q.OrderRow;
  lines: readonly q.LineRow[];
  units: Map<string, q.UnitRow>;
  /** Codes that a reseller's units have, by their draws. */
  drawn: ReadonlyMap<string, DrawnCode>;
  changed: Set<q.UnitRow>;
  /** The date by which serials that were issued now have to be redeemed, by unit. */
  redeemBy: Map<string, Date | null>;
  /** Batches to which serials were added, to be counted when everything else is done. */
  sold: SoldCount[];
  /** Nothing is issued until somebody has answered. */
  isHeld: boolean;
  now: Date;
}

export const placeOf = ({ lineId, n }: { lineId: string; n: number }) => `${lineId} ${n}`;
export const unitPlace = ({ line_id, n }: q.UnitRow) => `${line_id} ${n}`;

/** Whether a customer has redeemed a code that a reseller's unit has: it is its developer's from then on. */
export const isDrawRedeemed = ({ drawn }: Work, { draw_id }: q.UnitRow): boolean =>
  draw_id !== null && drawn.get(draw_id)?.state === 'redeemed';

/** The price of a unit's serial. */
export const paidOf = ({ usd_cents, cut_cents }: q.UnitRow): Cents | null =>
  usd_cents === null ? null : usd_cents - cut_cents;

/** Ours for the shop's, such as `de-DE`. */
export function languageOf(shops: string | null): Language | null {
  const short = shops?.slice(0, 2).toLowerCase();
  return LANGUAGES.find((language) => language === short) ?? null;
}

/** A unit of an order that has nothing yet. */
export function unitOf(
  random: Random,
  { developer_id, id }: Pick<q.OrderRow, 'developer_id' | 'id'>,
  { lineId, n, productId, usdCents }: Wish,
): q.UnitRow {
  return {
    id: random.id(),
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
