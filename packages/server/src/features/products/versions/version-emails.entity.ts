import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { Product } from '../products.entity.ts';

/**
 * Emails to a product's owners about one version, and how far they have come. It outlives the version, so that deleting and
 * recording it again is no way to email them twice a day.
 */
export const VersionEmails = defineEntity({
  name: 'VersionEmails',
  tableName: 'version_emails',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    /** The version's, so that each is announced once. */
    id: p.uuid().primary(),
    productId: () => sameTenant(Product, 'product_id').deleteRule('cascade'),
    /** The developer's own words. */
    note: p.text().nullable(),
    startedAt: p.datetime(3),
    /** The last customer looked at: the creation time of the row, and its id. */
    lastCreatedAt: p.datetime(3).nullable(),
    lastId: p.uuid().nullable(),
    /** How many owners there were when it began. */
    expected: p.integer().default(0),
    /** Emails queued so far. */
    told: p.integer().default(0),
    /** When the last batch was done. */
    movedAt: p.datetime(3),
    /** When everybody had been told, or what was announced was gone. */
    endedAt: p.datetime(3).nullable(),
  },
  indexes: [
    {
      name: 'version_emails_product_index',
      expression: 'create index version_emails_product_index on version_emails (product_id, started_at)',
    },
    {
      name: 'version_emails_open_index',
      expression: 'create index version_emails_open_index on version_emails (moved_at) where ended_at is null',
    },
  ],
});
export type VersionEmails = InferEntity<typeof VersionEmails>;
