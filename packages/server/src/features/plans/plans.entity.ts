import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { plans } from './plans.ts';

const slugs = plans.map(({ slug }) => `'${slug}'`).join(', ');

/**
 * Redemptions of a developer in a calendar month (UTC). A counter beside the ledger, raised in the redemption's own
 * transaction, so that a cap can be held by one conditional UPDATE.
 */
export const UsageMonth = defineEntity({
  name: 'UsageMonth',
  tableName: 'usage_months',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    /** First day of the month. */
    month: p.date().primary(),
    redemptions: p.integer().default(0),
    /**
     * The plan by which the month counts, so that the cap and the price are decided by the row whose lock decides who is
     * next. Null until something counts.
     */
    plan: p.text().nullable(),
    /** Redemptions above the quota, each at the overage price of its moment. */
    overageRedemptions: p.integer().default(0),
    overageCents: p.bigint('number').default(0),
    refreshCount: p.integer().default(0),
    refreshCents: p.bigint('number').default(0),
    /** The highest share of the quota, in percent, that the developer was told of by email. */
    warnedPercent: p.integer().default(0),
    /** When the developer was last told that the cap refused a redemption. */
    refusalNotedAt: p.datetime(3).nullable(),
    /** When its statements were made. From then on nothing can fall into this month. */
    closedAt: p.datetime(3).nullable(),
  },
  indexes: [{ name: 'usage_months_open_index', properties: ['month', 'developerId'], where: 'closed_at is null' }],
  checks: [
    { name: 'usage_months_redemptions_check', expression: 'redemptions >= 0' },
    { name: 'usage_months_plan_check', expression: `plan in (${slugs})` },
    {
      name: 'usage_months_money_check',
      expression:
        'overage_redemptions >= 0 and overage_redemptions <= redemptions and overage_cents >= 0 and refresh_count >= 0 and refresh_cents >= 0',
    },
  ],
});
export type UsageMonth = InferEntity<typeof UsageMonth>;

/** The same by day (UTC), raised by the statements that raise the month: the charts read a year without the ledger. */
export const UsageDay = defineEntity({
  name: 'UsageDay',
  tableName: 'usage_days',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    day: p.date().primary(),
    redemptions: p.integer().default(0),
    /** The cost of the overage. */
    costCents: p.bigint('number').default(0),
    refreshCount: p.integer().default(0),
    refreshCents: p.bigint('number').default(0),
  },
});
export type UsageDay = InferEntity<typeof UsageDay>;

/** A change of an account's plan. A month's fee is derived from these. Append-only. */
export const PlanChange = defineEntity({
  name: 'PlanChange',
  tableName: 'plan_changes',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    fromPlan: p.text(),
    toPlan: p.text(),
    changedAt: p.datetime(3),
    /** The account that asked for it. */
    changedBy: p.uuid(),
  },
  indexes: [{ name: 'plan_changes_developer_time_index', properties: ['developerId', 'changedAt'] }],
  triggers: [
    {
      name: 'plan_changes_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the history of plans is append-only'",
    },
  ],
  checks: [{ name: 'plan_changes_plan_check', expression: `from_plan in (${slugs}) and to_plan in (${slugs})` }],
});
export type PlanChange = InferEntity<typeof PlanChange>;

/** A download count was set back, at the plan's price of that moment. Append-only, like the ledger. */
export const RefreshCharge = defineEntity({
  name: 'RefreshCharge',
  tableName: 'refresh_charges',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** No foreign key: the charge outlives the serial. */
    serialId: p.uuid(),
    refreshedAt: p.datetime(3),
    plan: p.text(),
    costCents: p.integer(),
  },
  indexes: [{ name: 'refresh_charges_developer_time_index', properties: ['developerId', 'refreshedAt'] }],
  triggers: [
    {
      name: 'refresh_charges_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'the ledger is append-only'",
    },
  ],
  checks: [{ name: 'refresh_charges_cost_check', expression: 'cost_cents >= 0' }],
});
export type RefreshCharge = InferEntity<typeof RefreshCharge>;
