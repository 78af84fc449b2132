import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import {
  type BillingState,
  billingStates,
  type LineKind,
  lineKinds,
  type PaidBy,
  paidBys,
} from './statements.schemas.ts';

/** Columns of the collection. Whatever is not listed is frozen. */
const MUTABLE = [
  'state',
  'stripe_invoice_id',
  'attempts',
  'next_attempt_at',
  'first_failed_at',
  'lease_until',
  'last_error',
  'last_reason',
  'paid_at',
  'paid_by',
  'charged_cents',
  'balance_cents',
];

/** The billed party, as of the close. */
export interface BilledParty {
  name: string;
  email: string;
  company: string | null;
  address: string | null;
  tax_id: string | null;
}

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ');

/** The amount that a developer owes for a UTC month. The close makes it, and its figures never change. */
export const BillingStatement = defineEntity({
  name: 'BillingStatement',
  tableName: 'billing_statements',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    /** First day of the month. */
    month: p.date(),
    /** Has no gaps per year, across developers: `2026-0007`. */
    number: p.text(),
    /** The plan when the month ended. */
    plan: p.text(),
    feeCents: p.bigint('number'),
    redemptions: p.integer(),
    overageRedemptions: p.integer(),
    overageCents: p.bigint('number'),
    refreshCount: p.integer(),
    refreshCents: p.bigint('number'),
    totalCents: p.bigint('number'),
    party: p.json().$type<BilledParty>(),
    closedAt: p.datetime(3),
    state: p.string().$type<BillingState>(),
    stripeInvoiceId: p.text().nullable(),
    attempts: p.integer().default(0),
    nextAttemptAt: p.datetime(3).nullable(),
    firstFailedAt: p.datetime(3).nullable(),
    /** When the lease of the worker that collects it ends. */
    leaseUntil: p.datetime(3).nullable(),
    lastError: p.text().nullable(),
    /** The provider's word for why the last charge failed. */
    lastReason: p.text().nullable(),
    paidAt: p.datetime(3).nullable(),
    /** What settled it. Null: nothing yet, or it was paid before this was noted. */
    paidBy: p.string().$type<PaidBy>().nullable(),
    /** The amount charged to the card, including what the balance added or took. */
    chargedCents: p.bigint('number').nullable(),
    /** The customer's balance before: above 0 was owed, below 0 was a credit. */
    balanceCents: p.bigint('number').nullable(),
  },
  indexes: [
    { name: 'billing_statements_list_index', properties: ['developerId', 'month', 'id'], where: ofLists('closed_at') },
    {
      name: 'billing_statements_due_index',
      expression:
        'create index billing_statements_due_index on billing_statements (next_attempt_at) where next_attempt_at is not null',
    },
  ],
  uniques: [
    { name: 'billing_statements_month_unique', properties: ['month', 'developerId'] },
    { name: 'billing_statements_number_unique', properties: ['number', 'developerId'] },
    { name: 'billing_statements_invoice_unique', properties: ['stripeInvoiceId', 'developerId'] },
  ],
  triggers: [
    {
      name: 'billing_statements_frozen',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if tg_op = 'DELETE' or to_jsonb(new) - array[${quoted(MUTABLE)}] is distinct from to_jsonb(old) - array[${quoted(MUTABLE)}] then raise exception 'a statement is frozen'; end if; return new`,
    },
  ],
  checks: [
    { name: 'billing_statements_state_check', expression: `state in (${quoted(billingStates)})` },
    {
      name: 'billing_statements_paid_by_check',
      expression: `paid_by in (${quoted(paidBys)}) and (paid_by is null) = (charged_cents is null) and (paid_by is null) = (balance_cents is null)`,
    },
    { name: 'billing_statements_total_check', expression: 'total_cents = fee_cents + overage_cents + refresh_cents' },
    {
      name: 'billing_statements_figures_check',
      expression:
        'fee_cents >= 0 and overage_redemptions >= 0 and overage_redemptions <= redemptions and overage_cents >= 0 and refresh_count >= 0 and refresh_cents >= 0 and attempts >= 0',
    },
  ],
});
export type BillingStatement = InferEntity<typeof BillingStatement>;

/** A line of a statement's total. Append-only. */
export const BillingLine = defineEntity({
  name: 'BillingLine',
  tableName: 'billing_lines',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    statement: () => sameTenant(BillingStatement, 'statement_id').deleteRule('no action'),
    /** Its number among the statement's lines, from 1. */
    n: p.integer(),
    kind: p.string().$type<LineKind>(),
    description: p.text(),
    quantity: p.integer(),
    /** Null: of several prices. */
    unitCents: p.integer().nullable(),
    amountCents: p.bigint('number'),
  },
  uniques: [{ name: 'billing_lines_n_unique', properties: ['statement', 'n'] }],
  triggers: [
    {
      name: 'billing_lines_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'a statement is frozen'",
    },
  ],
  checks: [
    { name: 'billing_lines_kind_check', expression: `kind in (${quoted(lineKinds)})` },
    {
      name: 'billing_lines_amount_check',
      expression:
        'quantity > 0 and amount_cents > 0 and (unit_cents is null or amount_cents = quantity::bigint * unit_cents)',
    },
  ],
});
export type BillingLine = InferEntity<typeof BillingLine>;

/** The last number that was given in a year. We are who bills, so it is one row of numbers for all developers. */
export const BillingNumber = defineEntity({
  name: 'BillingNumber',
  tableName: 'billing_numbers',
  properties: { year: p.integer().primary().autoincrement(false), last: p.integer() },
});
export type BillingNumber = InferEntity<typeof BillingNumber>;
