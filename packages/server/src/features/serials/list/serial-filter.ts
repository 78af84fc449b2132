import { type Expression, type SqlBool, sql } from 'kysely';
import { type BuiltChoice, choiceParam, chosen, fits, readChoice } from '#platform/db/statements/choices.ts';
import type { Period } from '#platform/time/days.ts';
import { B, BY_ID, OPEN, ofBatch } from '../rules/rows.ts';

/** How it is with a serial. Each is in one of these. */
export const serialStates = ['available', 'handed_out', 'expired', 'redeemed', 'revoked'] as const;
export type SerialStateName = (typeof serialStates)[number];
/** How it is with a batch. Each is in one of these. */
export const batchStates = ['open', 'used_up', 'expired'] as const;

const shared = {
  product: choiceParam('Ids of products'),
  reseller: choiceParam('Ids of resellers, or `none` for your own stock'),
};
/** Filters that combine: each of them must fit. */
export const serialChoices = {
  ...shared,
  batch: choiceParam('Ids of batches'),
  status: choiceParam(`\`${serialStates.join('`, `')}\``),
};
export const batchChoices = {
  ...shared,
  status: choiceParam('`open`: serials are left; `used_up`: none is; `expired`: they can no longer be redeemed'),
};
export type SerialKind = keyof typeof serialChoices;
export const serialKinds = Object.keys(serialChoices) as SerialKind[];
export type SerialChoices = { [Key in SerialKind]?: string | undefined };
export type BatchKind = keyof typeof batchChoices;
export const batchKinds = Object.keys(batchChoices) as BatchKind[];
export type BatchChoices = { [Key in BatchKind]?: string | undefined };

/** Whose serials are looked at, and when. */
export interface Scope {
  developerId: string;
  now: Date;
}

/** The state of batch `b`. Not `exists`, which may become a list of all batches that have any, in every account. */
const batchState = ({ developerId, now }: Scope) => sql<string>`case when b.expires_at <= ${now} then 'expired'
  when (select true from serials s where ${ofBatch(developerId, B)} and ${OPEN} order by ${BY_ID} limit 1) then 'open'
  else 'used_up' end`;

const ofBatchColumn: Record<Exclude<SerialKind, 'status'>, BuiltChoice> = {
  product: { value: B.product_id, type: 'uuid', fits: fits.id },
  reseller: { value: B.partnership_id, type: 'uuid', fits: fits.idOrNone },
  batch: { value: B.id, type: 'uuid', fits: fits.id },
};
const chosenOf = (kind: Exclude<SerialKind, 'status'>, text: string | undefined) =>
  chosen(kind, text, ofBatchColumn[kind]);

/** When batch `b` was made. */
const made = ({ from, to }: Period): Expression<SqlBool>[] => [
  ...(from ? [sql<boolean>`b.created_at >= ${from}`] : []),
  ...(to ? [sql<boolean>`b.created_at <= ${to}`] : []),
];

/** The chosen filters of serials. */
export interface ChosenSerials {
  /** Conditions on batch `b`. */
  batches: Expression<SqlBool>[];
  /** Null: all of them. */
  states: SerialStateName[] | null;
}

/**
 * Conditions on batch `b`, and the states of its serials, each of which has an index: few batches have many serials.
 * @throws {AppError} invalid_request at the parameter.
 */
export function serialConditions(choices: SerialChoices, period: Period): ChosenSerials {
  return {
    batches: [
      ...(['product', 'reseller', 'batch'] as const).flatMap((kind) => chosenOf(kind, choices[kind])),
      ...made(period),
    ],
    states: statesOf(choices.status),
  };
}

/** Those that fit; null: all of them. */
function statesOf(text: string | undefined): SerialStateName[] | null {
  if (!text) return null;
  const { only, not } = readChoice('status', text, { fits: fits.oneOf(serialStates) });
  return serialStates.filter((state) => (only.length === 0 || only.includes(state)) && !not.includes(state));
}

/** Conditions on batch `b`. @throws {AppError} invalid_request at the parameter. */
export function batchConditions(choices: BatchChoices, period: Period, scope: Scope): Expression<SqlBool>[] {
  const status: BuiltChoice = { value: batchState(scope), type: 'text', fits: fits.oneOf(batchStates) };
  return [
    ...(['product', 'reseller'] as const).flatMap((kind) => chosenOf(kind, choices[kind])),
    ...chosen('status', choices.status, status),
    ...made(period),
  ];
}

/** The value that a filter chooses by. */
export interface ChosenBy {
  value: Expression<string | null>;
  /** The name of value `v`. */
  label: Expression<string | null>;
}

/** The values of batch `b` that filters choose by. */
export const batchValues = (developerId: string): Record<Exclude<SerialKind, 'status'>, ChosenBy> => ({
  product: {
    value: B.product_id,
    label: sql`(select p.name from products p where p.developer_id = ${developerId} and p.id = v.value::uuid)`,
  },
  reseller: {
    value: B.partnership_id,
    label: sql`(select n.name from partnerships n where n.developer_id = ${developerId} and n.id = v.value::uuid)`,
  },
  batch: {
    value: B.id,
    label: sql`(select n.batch_tag from batches n where n.developer_id = ${developerId} and n.id = v.value::uuid)`,
  },
});

/** A value that needs no name. */
export const UNNAMED = sql<string | null>`null::text`;

/** The value of a filter of batches and its name. */
export const batchChoice = (kind: BatchKind, scope: Scope): ChosenBy =>
  kind === 'status' ? { value: batchState(scope), label: UNNAMED } : batchValues(scope.developerId)[kind];
