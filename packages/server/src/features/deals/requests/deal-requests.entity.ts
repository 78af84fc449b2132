import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Partnership } from '#features/partnerships';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { DealRequestStatus } from './deal-requests.schemas.ts';

/** A reseller asks a developer for serials at a special price. Answered once; the terms that were accepted are the batch's. */
export const DealRequest = defineEntity({
  name: 'DealRequest',
  tableName: 'deal_requests',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    partnership: () => sameTenant(Partnership, 'partnership_id'),
    /** No foreign keys: the request outlives its product and its batch. */
    productId: p.uuid(),
    productName: p.text(),
    priceCents: p.integer(),
    promoStart: p.datetime(3).nullable(),
    promoExpires: p.datetime(3).nullable(),
    expiresAt: p.datetime(3).nullable(),
    quantity: p.integer(),
    note: p.text().nullable(),
    status: p.string().$type<DealRequestStatus>(),
    /** Why it was declined. */
    answer: p.text().nullable(),
    batchId: p.uuid().nullable(),
    createdAt: p.datetime(3),
    answeredAt: p.datetime(3).nullable(),
    /** When the reseller took note of the answer. */
    seenAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'deal_requests_list_index', properties: ['developerId', 'id'], where: ofLists() },
    {
      name: 'deal_requests_partnership_index',
      expression: 'create index deal_requests_partnership_index on deal_requests (partnership_id, id)',
    },
    {
      name: 'deal_requests_pending_index',
      expression: `create index deal_requests_pending_index on deal_requests (partnership_id, id) where status = 'pending'`,
    },
    {
      name: 'deal_requests_unseen_index',
      expression: `create index deal_requests_unseen_index on deal_requests (partnership_id, id) where status in ('accepted', 'declined') and seen_at is null`,
    },
  ],
  checks: [
    {
      name: 'deal_requests_status_check',
      expression: "status in ('pending', 'accepted', 'declined', 'withdrawn')",
    },
    { name: 'deal_requests_answered_check', expression: "(status = 'pending') = (answered_at is null)" },
    { name: 'deal_requests_batch_check', expression: "(status = 'accepted') = (batch_id is not null)" },
    { name: 'deal_requests_terms_check', expression: 'price_cents >= 0 and quantity > 0' },
  ],
});
export type DealRequest = InferEntity<typeof DealRequest>;
