import {
  choiceParam as about,
  type ChoiceColumn,
  choiceConditions as conditionsOf,
  fits,
} from '#platform/db/statements/choices.ts';
import { DOWNLOAD_LIMIT } from './download-count.ts';

/** The states of a redeemed serial that a list can be filtered by. Each serial is in one of them. */
export const redeemedStates = ['active', 'download_limit', 'seats_taken', 'revoked'] as const;

/** Filters that combine: each of them must fit. */
export const redeemedChoices = {
  product: about('Ids of products'),
  reseller: about('Ids of resellers, or `none` for your own sales'),
  batch: about('Ids of batches'),
  customer: about('Ids of customers who own them'),
  country: about('Countries such as `DE`, or `none` where it is unknown'),
  status: about(`\`${redeemedStates.join('`, `')}\``),
};
export type RedeemedChoices = { [Key in keyof typeof redeemedChoices]?: string | undefined };

export const redeemedSorts = [
  '-redeemed_at',
  'redeemed_at',
  'customer',
  '-customer',
  'product',
  '-product',
  'total',
  '-total',
] as const;
export type RedeemedSort = (typeof redeemedSorts)[number];

/** The state of serial `x` of product `xp`. The same order as in `standing.ts`. */
const STATE = `case when x.revoked_at is not null or xp.deleted_at is not null then 'revoked'
  when x.download_count >= ${DOWNLOAD_LIMIT} then 'download_limit'
  when x.seats_used >= coalesce(x.max_activations, xp.max_activations) then 'seats_taken' else 'active' end`;

/** What is looked at for each filter, of ledger row `r`. */
const columns: Record<keyof RedeemedChoices, ChoiceColumn & { of: string | null }> = {
  product: { value: 'r.product_id', of: null, type: 'uuid', fits: fits.id },
  reseller: { value: 'r.partnership_id', of: null, type: 'uuid', fits: fits.idOrNone },
  country: { value: 'r.country', of: null, type: 'text', fits: fits.countryOrNone },
  batch: { value: 'x.batch_id', of: 'serials x', type: 'uuid', fits: fits.id },
  customer: { value: 'x.customer_id', of: 'serials x', type: 'uuid', fits: fits.id },
  status: {
    value: STATE,
    of: `serials x join batches xb on (xb.developer_id, xb.id) = (x.developer_id, x.batch_id)
      join products xp on (xp.developer_id, xp.id) = (xb.developer_id, xb.product_id)`,
    type: 'text',
    fits: fits.oneOf(redeemedStates),
  },
};

/**
 * Conditions on the ledger row `r`.
 * @throws {AppError} invalid_request at the parameter.
 */
export function choiceConditions(choices: RedeemedChoices): string[] {
  return (Object.keys(redeemedChoices) as (keyof RedeemedChoices)[]).flatMap((path) => {
    const { of } = columns[path];
    return conditionsOf(path, choices[path], columns[path], (condition) =>
      of === null
        ? condition
        : `exists (select 1 from ${of} where (x.developer_id, x.id) = (r.developer_id, r.serial_id) and ${condition})`,
    );
  });
}

/** The filters that are offered with counts: there may be as many customers as serials. */
export type RedeemedKind = Exclude<keyof RedeemedChoices, 'customer'>;

export const redeemedKinds = (Object.keys(redeemedChoices) as (keyof RedeemedChoices)[]).filter(
  (kind): kind is RedeemedKind => kind !== 'customer',
);

/** Conditions on serial `x` and product `xp` of a ledger row. @throws {AppError} invalid_request at the parameter. */
export const statusConditions = (status: string | undefined): string[] =>
  conditionsOf('status', status, columns.status);

/** The value of a filter, of ledger row `r`; of serial `x`, its batch `xb` and product `xp` where it `looks` at the serial. */
export function redeemedValue(kind: RedeemedKind): { value: string; looks: boolean } {
  const { value, of } = columns[kind];
  return { value, looks: of !== null };
}
