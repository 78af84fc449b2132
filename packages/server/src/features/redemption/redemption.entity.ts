import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Customer } from '#features/customers';
import { Partnership } from '#features/partnerships';
import { Product } from '#features/products';
import { Serial } from '#features/serials';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';

/** `redeem` and `activation` count as usage of a plan; `import` does not. */
export type RedemptionSource = 'redeem' | 'activation' | 'import';

/** The setting that names, within one transaction, the import whose rows may leave the ledger. */
export const UNDONE_IMPORT = 'tonerow.undone_import';

/**
 * The ledger: one row for each redemption. Rows are only ever added (a trigger refuses anything else, but for an import that is taken
 * back as a whole, see `removeImported`); analytics, billing, commissions and payouts are derived from them.
 */
export const Redemption = defineEntity({
  name: 'Redemption',
  tableName: 'redemptions',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('restrict'),
    /** The serial's code, which never changes: lists and exports of the ledger need no look at the serials. */
    code: p.text(),
    product: () => sameTenant(Product, 'product_id'),
    partnership: () => sameTenant(Partnership, 'partnership_id').nullable().deleteRule('no action'),
    customer: () => sameTenant(Customer, 'customer_id'),
    redeemedAt: p.datetime(3),
    source: p.string().$type<RedemptionSource>(),
    finalPriceCents: p.integer(),
    commissionBps: p.integer().default(0),
    commissionCents: p.integer().default(0),
    /** The developer's price for it: the overage price of the plan at its moment, 0 within the quota and on import. */
    usageCents: p.integer().default(0),
    /** ISO 3166-1 alpha-2, null when unknown. */
    country: p.text().nullable(),
    /** The import that brought it; null: it happened here, or was imported before that was noted. */
    importId: p.uuid().nullable(),
  },
  indexes: [
    {
      name: 'redemptions_list_index',
      properties: ['developerId', 'redeemedAt', 'id'],
      where: ofLists('redeemed_at'),
    },
    {
      name: 'redemptions_product_time_index',
      expression: 'create index redemptions_product_time_index on redemptions (product_id, redeemed_at, id)',
    },
    {
      name: 'redemptions_customer_index',
      expression: 'create index redemptions_customer_index on redemptions (customer_id)',
    },
    {
      name: 'redemptions_partner_list_index',
      expression:
        'create index redemptions_partner_list_index on redemptions (partnership_id, developer_id, redeemed_at, id) where partnership_id is not null',
    },
  ],
  uniques: [{ name: 'redemptions_serial_unique', properties: ['serial'] }],
  triggers: [
    {
      name: 'redemptions_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      // looks at its own row alone, which works on many machines as well
      body: `if tg_op = 'DELETE' and old.source = 'import' and old.import_id::text = current_setting('${UNDONE_IMPORT}', true) then return old; end if; raise exception 'the ledger is append-only'`,
    },
  ],
  checks: [
    { name: 'redemptions_source_check', expression: "source in ('redeem', 'activation', 'import')" },
    {
      name: 'redemptions_money_check',
      expression: 'final_price_cents >= 0 and commission_cents >= 0 and usage_cents >= 0',
    },
  ],
});
export type Redemption = InferEntity<typeof Redemption>;

/** A ticket from the serial step to the name step: one use, fifteen minutes. */
export const RedeemTicket = defineEntity({
  name: 'RedeemTicket',
  tableName: 'redeem_tickets',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    tokenHash: p.blob(),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('cascade'),
    email: p.text(),
    /** Serials proven earlier in the same browser, to be carried along. */
    proven: p.json().$type<Record<string, string[]>>(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).index(),
    usedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'redeem_tickets_serial_index',
      expression: 'create index redeem_tickets_serial_index on redeem_tickets (serial_id)',
    },
  ],
  // by token first: a request with a token does not name the developer
  uniques: [{ name: 'redeem_tickets_token_unique', properties: ['tokenHash', 'developerId'] }],
});
export type RedeemTicket = InferEntity<typeof RedeemTicket>;
