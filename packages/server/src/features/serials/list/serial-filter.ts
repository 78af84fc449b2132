import pg from 'pg';
import { type ChoiceColumn, choiceConditions, choiceParam, fits, readChoice } from '#platform/db/statements/choices.ts';
import type { Period } from '#platform/time/days.ts';
import { BY_ID, OF_BATCH, OPEN } from '../rules/availability-rules.ts';

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

const literal = (moment: Date) => `${pg.escapeLiteral(moment.toISOString())}::timestamptz`;

/** The state of batch `b`. Not `exists`, which may become a list of all batches that have any, whoever's they are. */
const batchState = (now: Date) => `case when b.expires_at <= ${literal(now)} then 'expired'
  when (select true from serials s where ${OF_BATCH} and ${OPEN} order by ${BY_ID} limit 1) then 'open'
  else 'used_up' end`;

const ofBatch: Record<Exclude<SerialKind, 'status'>, ChoiceColumn> = {
  product: { value: 'b.product_id', type: 'uuid', fits: fits.id },
  reseller: { value: 'b.partnership_id', type: 'uuid', fits: fits.idOrNone },
  batch: { value: 'b.id', type: 'uuid', fits: fits.id },
};
const status = (value: string, words: readonly string[]): ChoiceColumn => ({
  value,
  type: 'text',
  fits: fits.oneOf(words),
});

/** When batch `b` was made. */
function made(period: Period): string[] {
  return [
    ...(period.from ? [`b.created_at >= ${literal(period.from)}`] : []),
    ...(period.to ? [`b.created_at <= ${literal(period.to)}`] : []),
  ];
}

/**
 * Conditions on batch `b`, and the states of its serials, each of which has an index: few batches have many serials.
 * @throws {AppError} invalid_request at the parameter.
 */
export function serialConditions(
  choices: SerialChoices,
  period: Period,
): { batches: string[]; states: SerialStateName[] | null } {
  return {
    batches: [
      ...(['product', 'reseller', 'batch'] as const).flatMap((kind) =>
        choiceConditions(kind, choices[kind], ofBatch[kind]),
      ),
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
export function batchConditions(choices: BatchChoices, period: Period, now: Date): string[] {
  return [
    ...(['product', 'reseller'] as const).flatMap((kind) => choiceConditions(kind, choices[kind], ofBatch[kind])),
    ...choiceConditions('status', choices.status, status(batchState(now), batchStates)),
    ...made(period),
  ];
}

/** What is chosen by, of `b`, and the name of value `v`. */
export const BATCH_VALUES = {
  product: {
    value: 'b.product_id',
    label: '(select p.name from products p where p.developer_id = $1 and p.id = v.value::uuid)',
  },
  reseller: {
    value: 'b.partnership_id',
    label: '(select n.name from partnerships n where n.developer_id = $1 and n.id = v.value::uuid)',
  },
  batch: {
    value: 'b.id',
    label: '(select n.batch_tag from batches n where n.developer_id = $1 and n.id = v.value::uuid)',
  },
};

/** The value of a filter of batches and its name. */
export function batchChoice(kind: BatchKind, now: Date): { value: string; label: string } {
  return kind === 'status' ? { value: batchState(now), label: 'null::text' } : BATCH_VALUES[kind];
}
