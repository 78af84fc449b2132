import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Partnership } from '#features/partnerships';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import type { RateSums } from './payout-rules.ts';
import type { PayoutMessageKind, PayoutState } from './payouts.schemas.ts';

/** Columns that may change after the close. Whatever is not listed is frozen. */
const MUTABLE = [
  'status',
  'confirmed_at',
  'disputed_at',
  'paid_cents',
  'paid_at',
  'carried_cents',
  'announced_at',
  'remind_at',
  'difference',
];

export interface Party {
  name: string;
  email: string;
  address: string | null;
  tax_id: string | null;
}

/** Columns that are set once, some time after the close. */
const SEAL = ['rows_digest', 'digest', 'previous_digest'];

const listOfNames = (names: readonly string[]) => `array['${names.join("', '")}']`;
const CHANGEABLE = `(${listOfNames(MUTABLE)} || case when old.digest is null then ${listOfNames(SEAL)} else array[]::text[] end)`;

/** The names of both sides at the close, and the rate that would have counted next. */
export interface Parties {
  developer: Party;
  reseller: Party;
  commission_bps: number;
}

/** A statement of account: what a reseller owes a developer for a UTC month. Made by the close, its figures never change. */
export const Payout = defineEntity({
  name: 'Payout',
  tableName: 'payouts',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    partnership: () => sameTenant(Partnership, 'partnership_id').deleteRule('no action'),
    /** First day of the month. */
    month: p.date(),
    /** Has no gaps per developer and year: `2026-0007`. */
    number: p.text(),
    /** Its number among the partnership's statements, from 1: the one before it is its predecessor. */
    position: p.integer(),
    totalRedemptions: p.integer(),
    totalRevenueCents: p.bigint('number'),
    avgPriceCents: p.bigint('number'),
    resellerEarnedCents: p.bigint('number'),
    developerOwedCents: p.bigint('number'),
    adjustments: p.integer(),
    adjustmentRevenueCents: p.bigint('number'),
    adjustmentCommissionCents: p.bigint('number'),
    /** Never positive: an unpaid rest stays with its statement. */
    broughtForwardCents: p.bigint('number'),
    dueCents: p.bigint('number'),
    rates: p.json().$type<RateSums[]>(),
    /** Names of the products in it, by id. */
    products: p.json().$type<Record<string, string>>(),
    parties: p.json().$type<Parties>(),
    /** Null until it is sealed, some moments after the close. */
    rowsDigest: p.text().nullable(),
    digest: p.text().nullable(),
    previousDigest: p.text().nullable(),
    closedAt: p.datetime(3),
    status: p.string().$type<PayoutState>(),
    confirmedAt: p.datetime(3).nullable(),
    disputedAt: p.datetime(3).nullable(),
    paidCents: p.bigint('number').default(0),
    paidAt: p.datetime(3).nullable(),
    /** The amount that a later statement has brought forward from this one. */
    carriedCents: p.bigint('number').default(0),
    /** When both sides were emailed. */
    announcedAt: p.datetime(3).nullable(),
    /** When silence confirms it, or a reminder is due. */
    remindAt: p.datetime(3).nullable(),
    /** The differences that the nightly audit found, in words. */
    difference: p.text().nullable(),
  },
  indexes: [
    { name: 'payouts_list_index', properties: ['developerId', 'month', 'id'], where: ofLists('closed_at') },
    {
      name: 'payouts_credit_index',
      expression:
        "create index payouts_credit_index on payouts (developer_id) where closed_at > '-infinity' and paid_cents - due_cents - carried_cents > 0",
    },
    {
      name: 'payouts_remind_index',
      expression: 'create index payouts_remind_index on payouts (remind_at) where remind_at is not null',
    },
    { name: 'payouts_unsealed_index', properties: ['partnership'], where: 'digest is null' },
    { name: 'payouts_difference_index', properties: ['id'], where: 'difference is not null' },
  ],
  uniques: [
    { name: 'payouts_month_unique', properties: ['partnership', 'month'] },
    { name: 'payouts_position_unique', properties: ['partnership', 'position'] },
    { name: 'payouts_number_unique', properties: ['number', 'developerId'] },
  ],
  triggers: [
    {
      name: 'payouts_frozen',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: `if tg_op = 'DELETE' or to_jsonb(new) - ${CHANGEABLE} is distinct from to_jsonb(old) - ${CHANGEABLE} then raise exception 'a statement is frozen'; end if; return new`,
    },
  ],
  checks: [
    { name: 'payouts_status_check', expression: "status in ('pending', 'confirmed', 'disputed', 'paid', 'settled')" },
    { name: 'payouts_owed_check', expression: 'developer_owed_cents = total_revenue_cents - reseller_earned_cents' },
    {
      name: 'payouts_due_check',
      expression:
        'due_cents = developer_owed_cents + adjustment_revenue_cents - adjustment_commission_cents + brought_forward_cents',
    },
    { name: 'payouts_brought_forward_check', expression: 'brought_forward_cents <= 0' },
    {
      name: 'payouts_sealed_check',
      expression: '(digest is null) = (rows_digest is null) and (digest is not null or previous_digest is null)',
    },
    { name: 'payouts_paid_check', expression: 'paid_cents >= 0 and carried_cents >= 0' },
  ],
});
export type Payout = InferEntity<typeof Payout>;

/** The last number that was given to a statement of a developer in a year. */
export const PayoutNumber = defineEntity({
  name: 'PayoutNumber',
  tableName: 'payout_numbers',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    year: p.integer().primary(),
    last: p.integer(),
  },
});
export type PayoutNumber = InferEntity<typeof PayoutNumber>;

/** Money that the developer has received, or the counter-entry of a mistake. Append-only. */
export const PayoutPayment = defineEntity({
  name: 'PayoutPayment',
  tableName: 'payout_payments',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    payout: () => sameTenant(Payout, 'payout_id').deleteRule('no action'),
    /** Its number among the statement's payments, from 1. */
    n: p.integer(),
    amountCents: p.bigint('number'),
    paidOn: p.date(),
    method: p.text().nullable(),
    reference: p.text().nullable(),
    /** The payment that this one takes back. */
    reverses: p.integer().nullable(),
    reason: p.text().nullable(),
    recordedBy: p.uuid(),
    recordedAt: p.datetime(3),
  },
  uniques: [
    { name: 'payout_payments_n_unique', properties: ['payout', 'n'] },
    { name: 'payout_payments_reverses_unique', properties: ['payout', 'reverses'] },
  ],
  triggers: [
    {
      name: 'payout_payments_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'payments are append-only'",
    },
  ],
  checks: [
    {
      name: 'payout_payments_amount_check',
      expression:
        '(reverses is null and amount_cents > 0) or (reverses is not null and amount_cents < 0 and reason is not null)',
    },
  ],
});
export type PayoutPayment = InferEntity<typeof PayoutPayment>;

/** A message of either side about a statement. Append-only. */
export const PayoutMessage = defineEntity({
  name: 'PayoutMessage',
  tableName: 'payout_messages',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    payout: () => sameTenant(Payout, 'payout_id').deleteRule('no action'),
    /** Null: confirmed by 14 days of silence. */
    authorId: p.uuid().nullable(),
    kind: p.string().$type<PayoutMessageKind>(),
    text: p.text().nullable(),
    createdAt: p.datetime(3),
  },
  indexes: [
    {
      name: 'payout_messages_payout_index',
      expression: 'create index payout_messages_payout_index on payout_messages (payout_id, id)',
    },
  ],
  triggers: [
    {
      name: 'payout_messages_append_only',
      timing: 'before',
      events: ['update', 'delete'],
      forEach: 'row',
      body: "raise exception 'messages are append-only'",
    },
  ],
  checks: [{ name: 'payout_messages_kind_check', expression: "kind in ('confirm', 'dispute', 'answer')" }],
});
export type PayoutMessage = InferEntity<typeof PayoutMessage>;
