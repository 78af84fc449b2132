import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Partnership } from '#features/partnerships';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';

/**
 * One call of a reseller's shop that handed serials out. A reference is unique in the shop, whichever developer's
 * product it was for, so this table is no tenant's: it finds the developer of a reference. No foreign keys, because
 * those rows are spread by developer, and a key to an account would lock its row in every draw.
 */
export const Draw = defineEntity({
  name: 'Draw',
  tableName: 'draws',
  properties: {
    id: p.uuid().primary(),
    resellerId: p.uuid(),
    /** The shop's own name for it, such as an order number. */
    reference: p.text(),
    developerId: p.uuid(),
    partnershipId: p.uuid(),
    productId: p.uuid(),
    batchTag: p.text().nullable(),
    quantity: p.integer(),
    createdAt: p.datetime(3),
    /** The price of a code that was sold by hand, at that moment; null: a shop's program drew it. */
    soldForCents: p.integer().nullable(),
    /** The reseller's own, of a sale by hand. */
    note: p.text().nullable(),
    /** The newest email with the code that was sold. Who it went to is kept, and forgotten, with the email. */
    emailId: p.uuid().fieldName('mail_id').nullable(),
  },
  uniques: [{ name: 'draws_reference_unique', properties: ['resellerId', 'reference'] }],
  indexes: [
    { name: 'draws_list_index', properties: ['resellerId', 'id'] },
    {
      name: 'draws_sold_index',
      expression:
        'create index draws_sold_index on draws (reseller_id, created_at, id) where sold_for_cents is not null',
    },
  ],
  checks: [
    { name: 'draws_quantity_check', expression: 'quantity > 0' },
    { name: 'draws_sold_check', expression: 'sold_for_cents is null or (sold_for_cents >= 0 and quantity = 1)' },
  ],
});
export type Draw = InferEntity<typeof Draw>;

/** A serial that a draw handed out. It outlives the serial, so that the draw has the same answer forever. */
export const DrawItem = defineEntity({
  name: 'DrawItem',
  tableName: 'draw_items',
  properties: {
    developerId: p.uuid().primary(),
    drawId: p.uuid().primary(),
    /** No foreign key: a serial that was returned may be deleted. */
    serialId: p.uuid().primary(),
    code: p.text(),
    /** When the code expires, unless it is redeemed before. */
    expiresAt: p.datetime(3).nullable(),
    returnedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'draw_items_serial_index',
      expression: 'create index draw_items_serial_index on draw_items (serial_id)',
    },
  ],
});
export type DrawItem = InferEntity<typeof DrawItem>;

/** Codes of one batch that a reseller has taken as a file: from then on they count as in circulation. */
export const SerialDownload = defineEntity({
  name: 'SerialDownload',
  tableName: 'serial_downloads',
  properties: {
    developerId: p.uuid().primary(),
    /** The file. */
    id: p.uuid().primary(),
    /** No foreign key: a batch whose serials were deleted is deleted with them. */
    batchId: p.uuid().primary(),
    batchTag: p.text().nullable(),
    partnership: () => sameTenant(Partnership, 'partnership_id'),
    productId: p.uuid(),
    codes: p.integer(),
    downloadedAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'serial_downloads_partnership_index',
      expression: 'create index serial_downloads_partnership_index on serial_downloads (partnership_id, id)',
    },
    {
      name: 'serial_downloads_batch_index',
      expression: 'create index serial_downloads_batch_index on serial_downloads (batch_id, id)',
    },
  ],
});
export type SerialDownload = InferEntity<typeof SerialDownload>;
