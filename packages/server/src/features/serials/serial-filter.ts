import pg from 'pg';
import type { Period } from '../../platform/days.ts';
import { type ChoiceColumn, choiceConditions, choiceParam, fits } from '../../platform/db/choices.ts';

/** How it is with a serial. Each is in one of these. */
export const serialStates = ['available', 'handed_out', 'expired', 'redeemed', 'revoked'] as const;
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
export type SerialChoices = { [Key in SerialKind]?: string | undefined };
export type BatchKind = keyof typeof batchChoices;
export type BatchChoices = { [Key in BatchKind]?: string | undefined };

const literal = (moment: Date) => `${pg.escapeLiteral(moment.toISOString())}::timestamptz`;

/** The state of serial `s`, of whichever batch. */
const serialState = (now: Date) => `case when s.revoked_at is not null then 'revoked'
  when s.redeemed_at is not null then 'redeemed'
  when exists (select 1 from batches xb where (xb.developer_id, xb.id) = (s.developer_id, s.batch_id) and xb.expires_at <= ${literal(now)}) then 'expired'
  when s.handed_out_at is not null then 'handed_out' else 'available' end`;

const batchState = (now: Date) => `case when b.expires_at <= ${literal(now)} then 'expired'
  when exists (select 1 from serials x where (x.developer_id, x.batch_id) = (b.developer_id, b.id)
    and x.redeemed_at is null and x.revoked_at is null and x.handed_out_at is null) then 'open' else 'used_up' end`;

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
 * Conditions, apart for batch `b` and serial `s`, because few batches have many serials.
 * @throws {AppError} invalid_request at the parameter.
 */
export function serialConditions(choices: SerialChoices, period: Period, now: Date) {
  return {
    batches: [
      ...(['product', 'reseller', 'batch'] as const).flatMap((kind) =>
        choiceConditions(kind, choices[kind], ofBatch[kind]),
      ),
      ...made(period),
    ],
    serials: choiceConditions('status', choices.status, status(serialState(now), serialStates)),
  };
}

/** Conditions on batch `b`. @throws {AppError} invalid_request at the parameter. */
export function batchConditions(choices: BatchChoices, period: Period, now: Date): string[] {
  return [
    ...(['product', 'reseller'] as const).flatMap((kind) => choiceConditions(kind, choices[kind], ofBatch[kind])),
    ...choiceConditions('status', choices.status, status(batchState(now), batchStates)),
    ...made(period),
  ];
}

const LABELS = {
  product: 'p.name',
  reseller: '(select n.name from partnerships n where (n.developer_id, n.id) = (b.developer_id, b.partnership_id))',
  batch: 'b.batch_tag',
};

/** The value of a filter and its name, of `s`, `b` and `p`. */
export function serialChoice(kind: SerialKind, now: Date): { value: string; label: string } {
  return kind === 'status'
    ? { value: serialState(now), label: 'null::text' }
    : { value: ofBatch[kind].value, label: LABELS[kind] };
}

/** The same of `b` and `p`. */
export function batchChoice(kind: BatchKind, now: Date): { value: string; label: string } {
  return kind === 'status'
    ? { value: batchState(now), label: 'null::text' }
    : { value: ofBatch[kind].value, label: LABELS[kind] };
}
