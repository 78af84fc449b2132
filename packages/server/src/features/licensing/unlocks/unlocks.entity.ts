import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Product } from '#features/products';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';

/**
 * A product's unlock for good. The token is not kept: Ed25519 signs the same text the same way each time, so no row is
 * worth stealing. It outlives its developer's account.
 */
export const ProductUnlock = defineEntity({
  name: 'ProductUnlock',
  tableName: 'product_unlocks',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    product: () => sameTenant(Product, 'product_id').unique().deleteRule('cascade'),
    createdAt: p.datetime(3),
    downloadedAt: p.datetime(3).nullable(),
    publishedAt: p.datetime(3).nullable(),
    /** owners, everyone; set with publishedAt. */
    audience: p.text().nullable(),
  },
  checks: [
    { name: 'product_unlocks_audience_check', expression: "audience in ('owners', 'everyone')" },
    { name: 'product_unlocks_published_check', expression: '(audience is null) = (published_at is null)' },
  ],
});
export type ProductUnlock = InferEntity<typeof ProductUnlock>;
