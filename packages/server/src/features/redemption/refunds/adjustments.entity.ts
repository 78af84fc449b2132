import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Partnership } from '#features/partnerships';
import { Product } from '#features/products';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import { Redemption } from '../redemption.entity.ts';

/** `reinstatement` takes refunds back, exactly. */
export type AdjustmentKind = 'refund' | 'chargeback' | 'reinstatement' | 'correction';

/**
 * A later change to the money of a redemption. Rows are only added, in the month in which they are made: a statement of
 * an earlier month never changes. A redemption and its adjustments add up to no less than zero and no more than the
 * redemption.
 */
export const LedgerAdjustment = defineEntity({
  name: 'LedgerAdjustment',
  tableName: 'ledger_adjustments',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    redemption: () => sameTenant(Redemption, 'redemption_id').deleteRule('restrict'),
    /** That of the redemption, or what it has become part of. */
    partnership: () => sameTenant(Partnership, 'partnership_id').nullable().deleteRule('no action'),
    product: () => sameTenant(Product, 'product_id'),
    kind: p.string().$type<AdjustmentKind>(),
    /** Negative for a refund. */
    revenueCents: p.integer(),
    commissionCents: p.integer(),
    reason: p.text(),
    /** The account that made it. */
    actorId: p.uuid(),
    createdAt: p.datetime(3),
    /** First day of the calendar month (UTC) whose statement it belongs to. */
    month: p.date(),
  },
  indexes: [
    { name: 'ledger_adjustments_list_index', properties: ['developerId', 'createdAt', 'id'], where: ofLists() },
    {
      name: 'ledger_adjustments_redemption_index',
      expression: 'create index ledger_adjustments_redemption_index on ledger_adjustments (redemption_id)',
    },
    {
      name: 'ledger_adjustments_partner_list_index',
      expression:
        'create index ledger_adjustments_partner_list_index on ledger_adjustments (partnership_id, developer_id, created_at, id)',
    },
  ],
  triggers: [
    {
      name: 'ledger_adjustments_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the ledger is append-only'",
    },
  ],
  checks: [
    {
      name: 'ledger_adjustments_kind_check',
      expression: "kind in ('refund', 'chargeback', 'reinstatement', 'correction')",
    },
    {
      name: 'ledger_adjustments_sign_check',
      expression: `case when kind in ('refund', 'chargeback') then revenue_cents <= 0 and commission_cents <= 0
        when kind = 'reinstatement' then revenue_cents >= 0 and commission_cents >= 0 else true end`,
    },
  ],
});
export type LedgerAdjustment = InferEntity<typeof LedgerAdjustment>;
