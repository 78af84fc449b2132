import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import { ShopConnection } from '../connections/connections.entity.ts';
import type { Source } from '../items/items.schemas.ts';
import type { RateSource } from '../money.ts';
import type { OrderState, Reason, ReversalKind, ReversalState, UnitState } from './states.ts';

/** An order of a shop, as far as it is known: it may be empty, where a refund came before its sale. */
export const ShopOrder = defineEntity({
  name: 'ShopOrder',
  tableName: 'shop_orders',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    connection: () => sameTenant(ShopConnection, 'connection_id').deleteRule('no action'),
    /** The shop's id of it. */
    externalId: p.text(),
    /** As people call it. */
    number: p.text(),
    state: p.text().$type<OrderState>(),
    /** Reasons why somebody has to look at it. */
    reasons: p.array().columnType('text[]').$type<Reason[]>(),
    /** Those that somebody has looked at, each with its mark; and that somebody has entered the address. */
    settled: p.array().columnType('text[]').$type<string[]>(),
    isTest: p.boolean().default(false),
    /** Set once: nothing makes an order unpaid again but a refund or a dispute. */
    paidAt: p.datetime(3).nullable(),
    canceledAt: p.datetime(3).nullable(),
    /** When the newest version that is known was made, by the shop's clock. */
    versionAt: p.datetime(3).nullable(),
    emailAsSold: p.text().nullable(),
    email: p.text().nullable(),
    /** The normalized address. */
    emailKey: p.text().nullable(),
    firstName: p.text().nullable(),
    lastName: p.text().nullable(),
    language: p.text().nullable(),
    country: p.text().nullable(),
    currency: p.text().nullable(),
    /** The price paid without tax, in the currency's smallest unit. */
    netMinor: p.bigint('number').default(0),
    usdCents: p.integer().nullable(),
    note: p.text().nullable(),
    /** Other ids of it: of its payment, of the order of another shop that it is, or as its links name it. */
    knownAs: p.array().columnType('text[]').default([]),
    /** The order of another shop that is the same sale, if this one was found second. */
    duplicateOf: p.uuid().nullable(),
    /** A code that a customer enters who gave no address when it was paid; of no use once the order has an address. */
    pickupCode: p.text().nullable(),
    receivedAt: p.datetime(3),
    updatedAt: p.datetime(3),
    issuedAt: p.datetime(3).nullable(),
    /** How long a process may write its codes into a note of the shop's: no other process writes one meanwhile. */
    notingUntil: p.datetime(3).nullable(),
    /** When the shop's own list had its payment, which the shop has not reported; null: it has. */
    foundAt: p.datetime(3).nullable(),
    erasedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'shop_orders_external_unique', properties: ['connection', 'externalId'] }],
  indexes: [
    { name: 'shop_orders_list_index', properties: ['developerId', 'id'], where: ofLists('received_at') },
    { name: 'shop_orders_state_index', properties: ['developerId', 'state', 'id'], where: ofLists('received_at') },
    { name: 'shop_orders_number_index', properties: ['developerId', 'number'], where: ofLists('received_at') },
    {
      name: 'shop_orders_email_index',
      expression:
        'create index shop_orders_email_index on shop_orders (email_key, developer_id, id) where email_key is not null',
    },
    {
      name: 'shop_orders_known_index',
      expression: "create index shop_orders_known_index on shop_orders using gin (known_as) where known_as <> '{}'",
    },
    {
      name: 'shop_orders_pickup_unique',
      expression:
        'create unique index shop_orders_pickup_unique on shop_orders (pickup_code, developer_id) where pickup_code is not null',
    },
    {
      name: 'shop_orders_found_index',
      expression:
        'create index shop_orders_found_index on shop_orders (connection_id, found_at) where found_at is not null',
    },
    {
      name: 'shop_orders_connection_index',
      expression: 'create index shop_orders_connection_index on shop_orders (connection_id, id)',
    },
  ],
  checks: [
    {
      name: 'shop_orders_state_check',
      expression: "state in ('seen', 'pending', 'paid', 'issued', 'attention', 'canceled', 'refunded', 'disputed')",
    },
  ],
});
export type ShopOrder = InferEntity<typeof ShopOrder>;

/** A line of an order. What it is sold as is fixed when the first serial is issued for it. */
export const ShopLine = defineEntity({
  name: 'ShopLine',
  tableName: 'shop_lines',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    order: () => sameTenant(ShopOrder, 'order_id').deleteRule('cascade'),
    externalId: p.text(),
    position: p.integer(),
    /** The keys that it may be known by, the closest first. */
    keys: p.array().columnType('text[]'),
    sku: p.text().nullable(),
    name: p.text(),
    /** The quantity in the newest version of the order. */
    quantity: p.integer(),
    /** The most that was ever paid for: an edit takes nothing back. */
    paidQuantity: p.integer().default(0),
    /** The price of all pieces that were paid for. */
    netMinor: p.bigint('number'),
    /** Its part of the total paid for the order, with tax; null: not known, and refunds are reported without tax. */
    grossMinor: p.bigint('number').nullable(),
    /** When the version was made that its money is from. */
    moneyAt: p.datetime(3),
    currency: p.text(),
    usdCents: p.integer().nullable(),
    /** Dollars for one of the currency; kept, so that a refund is counted by the same. */
    rate: p.text().nullable(),
    rateSource: p.text().$type<RateSource>(),
    isRenewal: p.boolean().default(false),
    itemKey: p.text().nullable(),
    /** Null: not known yet; none: it gives nothing. */
    productIds: p.array().columnType('uuid[]').nullable(),
    units: p.integer().nullable(),
    source: p.text().$type<Source>().nullable(),
    batchTag: p.text().nullable(),
    prefix: p.text().nullable(),
    expiresAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'shop_lines_external_unique', properties: ['order', 'externalId'] }],
  indexes: [
    {
      name: 'shop_lines_unmapped_index',
      expression: 'create index shop_lines_unmapped_index on shop_lines (order_id) where product_ids is null',
    },
  ],
  checks: [
    { name: 'shop_lines_quantity_check', expression: 'quantity >= 0 and paid_quantity >= 0' },
    { name: 'shop_lines_money_check', expression: 'net_minor >= 0 and usd_cents >= 0' },
  ],
});
export type ShopLine = InferEntity<typeof ShopLine>;

/** One serial that an order wants, has or had. Its id is that of the serial that is generated for it, and of the email that brings it first. */
export const ShopUnit = defineEntity({
  name: 'ShopUnit',
  tableName: 'shop_units',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    orderId: p.uuid(),
    line: () => sameTenant(ShopLine, 'line_id').deleteRule('cascade'),
    /** Its place in the line, from 0. */
    n: p.integer(),
    productId: p.uuid(),
    state: p.text().$type<UnitState>(),
    /** No foreign key: a product may be deleted with its serials. */
    serialId: p.uuid().nullable(),
    code: p.text().nullable(),
    /** The draw of a reseller that handed out its serial. */
    drawId: p.uuid().nullable(),
    /** The price paid for it; null: not known in dollars. */
    usdCents: p.integer().nullable(),
    /** The amount that refunds took off its price before it was redeemed. */
    cutCents: p.integer().default(0),
    /** The further amount that the ledger has as given back. */
    refundedCents: p.integer().default(0),
    /** The decision about a serial that was redeemed before it was refunded. */
    decision: p.text().$type<'keep' | 'take'>().nullable(),
    /** The newest email with its code. */
    mailId: p.uuid().nullable(),
    issuedAt: p.datetime(3).nullable(),
    endedAt: p.datetime(3).nullable(),
  },
  uniques: [
    { name: 'shop_units_place_unique', properties: ['line', 'n'] },
    { name: 'shop_units_serial_unique', properties: ['serialId', 'developerId'] },
  ],
  indexes: [
    { name: 'shop_units_order_index', properties: ['orderId', 'developerId'] },
    {
      name: 'shop_units_waiting_index',
      expression: "create index shop_units_waiting_index on shop_units (product_id, order_id) where state = 'waiting'",
    },
  ],
  checks: [
    {
      name: 'shop_units_state_check',
      expression: "state in ('wanted', 'waiting', 'issued', 'delivered', 'suspended', 'revoked', 'kept')",
    },
    { name: 'shop_units_money_check', expression: 'usd_cents >= 0 and cut_cents >= 0 and refunded_cents >= 0' },
  ],
});
export type ShopUnit = InferEntity<typeof ShopUnit>;

/**
 * A refund, dispute or reinstatement of an order. Rows are only added, and the lines of a refund may become known
 * later; a reversal that is undone has another that undoes it.
 */
export const ShopReversal = defineEntity({
  name: 'ShopReversal',
  tableName: 'shop_reversals',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    order: () => sameTenant(ShopOrder, 'order_id').deleteRule('cascade'),
    /** The shop's id of the refund, dispute or adjustment, or `cum:` and what was refunded in all by then. */
    key: p.text(),
    kind: p.text().$type<ReversalKind>(),
    /** Whether everything was taken back. */
    isWhole: p.boolean(),
    /** The lines that were taken back; null: it names none. */
    lines: p.json().$type<{ id: string; quantity: number }[]>().nullable(),
    /** As a decimal text, in the order's currency; null: not told. */
    amount: p.text().nullable(),
    /** The amount is without tax, though the order is known with it. */
    isNet: p.boolean().default(false),
    /** The key of what it undoes. */
    undoes: p.text().nullable(),
    state: p.text().$type<ReversalState>(),
    happenedAt: p.datetime(3),
    seenAt: p.datetime(3),
    /** When the shop's own list had it, which the shop has not reported; null: it has. */
    foundAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'shop_reversals_key_unique', properties: ['order', 'key'] }],
  indexes: [
    {
      name: 'shop_reversals_found_index',
      expression:
        'create index shop_reversals_found_index on shop_reversals (developer_id, found_at) where found_at is not null',
    },
  ],
  checks: [
    {
      name: 'shop_reversals_kind_check',
      expression: "kind in ('refund', 'chargeback', 'inquiry', 'reinstatement')",
    },
    { name: 'shop_reversals_state_check', expression: "state in ('seen', 'applied', 'asked', 'undone')" },
  ],
});
export type ShopReversal = InferEntity<typeof ShopReversal>;
