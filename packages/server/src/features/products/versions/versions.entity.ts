import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { type FileLink, Product } from '../products.entity.ts';

/** The files that a product had under one version of the plugin. Which one is current follows from the product's own files. */
export const FileVersion = defineEntity({
  name: 'FileVersion',
  tableName: 'file_versions',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    productId: () => sameTenant(Product, 'product_id').deleteRule('cascade'),
    /** Such as 1.2.0, as the developer calls it. */
    name: p.text(),
    files: p.json().$type<FileLink[]>(),
    /** What is new, as plain text; plugins show it. */
    notes: p.text().default(''),
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'file_versions_name_unique', properties: ['developerId', 'productId', 'name'] }],
});
export type FileVersion = InferEntity<typeof FileVersion>;
