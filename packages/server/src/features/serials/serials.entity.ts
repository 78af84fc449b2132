import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Customer } from '#features/customers';
import { Partnership } from '#features/partnerships';
import { Product } from '#features/products';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';

/** The serials of one generate or import call. What they share is stored here and not repeated on each of them. */
export const Batch = defineEntity({
  name: 'Batch',
  tableName: 'batches',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    product: () => sameTenant(Product, 'product_id'),
    partnership: () => sameTenant(Partnership, 'partnership_id').nullable().deleteRule('no action'),
    origin: p.string().$type<'generate' | 'import'>(),
    quantity: p.integer(),
    prefix: p.text().nullable(),
    promoPriceCents: p.integer().nullable(),
    promoStart: p.datetime(3).nullable(),
    promoExpires: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    batchTag: p.text().nullable(),
    notes: p.text().nullable(),
    /** The import that brought it; null: it was generated, or imported before that was noted. */
    importId: p.uuid().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    { name: 'batches_list_index', properties: ['developerId', 'id'], where: ofLists() },
    { name: 'batches_product_index', expression: 'create index batches_product_index on batches (product_id)' },
    {
      name: 'batches_partnership_index',
      expression: 'create index batches_partnership_index on batches (partnership_id)',
    },
  ],
  checks: [
    { name: 'batches_promo_check', expression: 'promo_price_cents >= 0' },
    { name: 'batches_quantity_check', expression: 'quantity > 0' },
  ],
});
export type Batch = InferEntity<typeof Batch>;

/** One code. Available until it has a customer; independently active or revoked. */
export const Serial = defineEntity({
  name: 'Serial',
  tableName: 'serials',
  properties: {
    id: p.uuid().primary(),
    /** No foreign key of its own: the batch has it. */
    developerId: p.uuid().primary(),
    batch: () => sameTenant(Batch, 'batch_id'),
    /** As it is shown. */
    code: p.text(),
    /** As it is looked up: upper case, without spaces and dashes. By bytes, so that its index finds beginnings too. */
    codeKey: p.text().collation('C'),
    customer: () => sameTenant(Customer, 'customer_id').nullable().deleteRule('no action'),
    redeemedAt: p.datetime(3).nullable(),
    revokedAt: p.datetime(3).nullable(),
    /** When a shop or a reseller gave it to a customer; null again once it was returned. */
    handedOutAt: p.datetime(3).nullable(),
    /** The draw that it was handed out by, or the unit of an order (`shop_units`). */
    drawId: p.uuid().nullable(),
    /** The price paid for it in a shop: the price of its redemption. Null: the price of its batch or product. */
    paidCents: p.integer().nullable(),
    downloadCount: p.smallint().default(0),
    /** When each customer's download of each file last counted, by `{customer}:{file}` in milliseconds; null: none lately. */
    recentDownloads: p.json().$type<Record<string, number>>().nullable(),
    /** Seats of this one serial, where they differ from the product's. */
    maxActivations: p.integer().nullable(),
    /** Machines that hold a seat now. */
    seatsUsed: p.integer().default(0),
    /** When a machine first took a seat; it stays when seats are given back and machines forgotten. */
    activatedAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'serials_code_unique', properties: ['codeKey', 'developerId'] }],
  indexes: [
    // partial, so that making a million serials does not fill it with nothing
    {
      name: 'serials_customer_index',
      expression: 'create index serials_customer_index on serials (customer_id, id) where customer_id is not null',
    },
    // includes the account: PostgreSQL expects one row of an account that the statistics do not know, and would look
    // for it in all serials. The account is not first, or it would read all serials of such an account instead of one
    {
      name: 'serials_by_batch_index',
      expression: 'create index serials_by_batch_index on serials (batch_id, developer_id, id)',
    },
    {
      name: 'serials_open_by_batch_index',
      expression:
        'create index serials_open_by_batch_index on serials (batch_id, developer_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is null',
    },
    {
      name: 'serials_handed_out_by_batch_index',
      expression:
        'create index serials_handed_out_by_batch_index on serials (batch_id, developer_id, id) where redeemed_at is null and revoked_at is null and handed_out_at is not null',
    },
    {
      name: 'serials_redeemed_index',
      // with all that a count by batch compares, so that it reads no rows; so are the two after it
      expression:
        'create index serials_redeemed_index on serials (batch_id, developer_id) where redeemed_at is not null',
    },
    {
      name: 'serials_ever_handed_out_index',
      expression:
        'create index serials_ever_handed_out_index on serials (batch_id, developer_id) where handed_out_at is not null',
    },
    {
      name: 'serials_activated_index',
      expression:
        'create index serials_activated_index on serials (batch_id, developer_id) where activated_at is not null',
    },
    {
      name: 'serials_tail_index',
      // the last block, which a customer reads out; only of what has an owner, so that making a million serials costs nothing
      expression:
        'create index serials_tail_index on serials (right(code_key, 4), developer_id) where redeemed_at is not null',
    },
    {
      name: 'serials_revoked_index',
      expression: 'create index serials_revoked_index on serials (batch_id) where revoked_at is not null',
    },
  ],
  checks: [
    { name: 'serials_download_count_check', expression: 'download_count >= 0 and download_count <= 5' },
    { name: 'serials_paid_check', expression: 'paid_cents >= 0' },
    { name: 'serials_seats_used_check', expression: 'seats_used >= 0' },
    { name: 'serials_max_activations_check', expression: 'max_activations >= 1' },
    { name: 'serials_draw_check', expression: '(draw_id is null) = (handed_out_at is null)' },
    { name: 'serials_owner_check', expression: '(customer_id is null) = (redeemed_at is null)' },
  ],
});
export type Serial = InferEntity<typeof Serial>;

export type SerialEventKind = 'revoked' | 'reassigned' | 'refreshed' | 'downloaded' | 'emailed' | 'transferred';

/** A serial's history, except its creation, redemption and activations, which are stored elsewhere. */
export const SerialEvent = defineEntity({
  name: 'SerialEvent',
  tableName: 'serial_events',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('cascade'),
    kind: p.string().$type<SerialEventKind>(),
    happenedAt: p.datetime(3),
    /** The file, the id of the customer that it was transferred from, or `batch` if its batch changed; else null. */
    detail: p.text().nullable(),
  },
  indexes: [
    {
      name: 'serial_events_serial_index',
      expression: 'create index serial_events_serial_index on serial_events (serial_id, id)',
    },
    {
      name: 'serial_events_transferred_index',
      expression:
        "create index serial_events_transferred_index on serial_events (developer_id, serial_id) where kind = 'transferred'",
    },
  ],
});
export type SerialEvent = InferEntity<typeof SerialEvent>;

/** A reseller has run low on a product since then: reported once, and again only after it was restocked. */
export const PartnerLowStock = defineEntity({
  name: 'PartnerLowStock',
  tableName: 'partner_low_stock',
  properties: {
    developerId: p.uuid().primary(),
    partnershipId: p.uuid().primary(),
    productId: p.uuid().primary(),
    /** The threshold at which it was reported: after a lower one is set, running low is news again. */
    threshold: p.integer(),
    since: p.datetime(3),
  },
});
export type PartnerLowStock = InferEntity<typeof PartnerLowStock>;
