import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { OnLoss } from './on-loss.ts';

export interface FileLink {
  name: string;
  url: string;
}

/** A plugin. Deleted ones with redeemed serials stay as rows (deletedAt), because the ledger points at them. */
export const Product = defineEntity({
  name: 'Product',
  tableName: 'products',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    name: p.text(),
    /** Lower case; unique among the developer's products that are not deleted. */
    nameKey: p.text(),
    /** The name that a stock JUCE plugin gives itself (getProductID); null: the product's name. */
    juceProductId: p.text().nullable(),
    /** Lower case. Unique; where it is null, the name takes its place. */
    juceProductKey: p.text().nullable(),
    shortDesc: p.text().default(''),
    longDesc: p.text().default(''),
    /** The text that the redemption page shows below the files, as plain text; empty for none. */
    installHelp: p.text().default(''),
    featureList: p.json().$type<string[]>(),
    priceCents: p.integer().nullable(),
    salePriceCents: p.integer().nullable(),
    imageUrl: p.text().nullable(),
    fileUrls: p.json().$type<FileLink[]>(),
    isDraft: p.boolean(),
    maxActivations: p.integer().default(3),
    offlineDays: p.integer().default(30),
    /** How long a license file lasts, for a machine without network. */
    leaseDays: p.integer().default(90),
    trialDays: p.integer().default(0),
    onLoss: p.text().$type<OnLoss>().default('finish'),
    version: p.integer().version(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
    deletedAt: p.datetime(3).nullable(),
    /** Since when its serials have been low; null while there are enough. */
    lowSerialsSince: p.datetime(3).nullable(),
  },
  uniques: [
    { name: 'products_developer_name_unique', properties: ['nameKey', 'developerId'], where: 'deleted_at is null' },
  ],
  indexes: [
    { name: 'products_list_index', properties: ['developerId', 'id'], where: ofLists() },
    {
      name: 'products_developer_juce_unique',
      expression:
        'create unique index products_developer_juce_unique on products (coalesce(juce_product_key, name_key), developer_id) where deleted_at is null',
    },
  ],
  checks: [
    {
      name: 'products_price_check',
      expression:
        'price_cents >= 0 and sale_price_cents >= 0 and (price_cents is null or sale_price_cents <= price_cents)',
    },
    {
      name: 'products_limits_check',
      expression: 'max_activations >= 1 and offline_days >= 1 and lease_days >= 1 and trial_days >= 0',
    },
    { name: 'products_on_loss_check', expression: "on_loss in ('finish', 'bypass', 'mute')" },
  ],
});
export type Product = InferEntity<typeof Product>;
