import { type Expression, type SqlBool, sql } from 'kysely';
import { choiceParam as about, type BuiltChoice, chosen, fits } from '#platform/db/statements/choices.ts';
import { ownJoin } from '#platform/db/tenant.ts';
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
const STATE = sql<string>`case when x.revoked_at is not null or xp.deleted_at is not null then 'revoked'
  when x.download_count >= ${sql.lit(DOWNLOAD_LIMIT)} then 'download_limit'
  when x.seats_used >= coalesce(x.max_activations, xp.max_activations) then 'seats_taken' else 'active' end`;

/** The rows that a condition needs: the ledger’s row alone, its serial `x`, or that with its batch and product `xp`. */
type Source = 'ledger' | 'serial' | 'product';

/** The value of ledger row `r` that each filter looks at. */
const columns: Record<keyof RedeemedChoices, BuiltChoice & { of: Source }> = {
  product: { value: sql`r.product_id`, of: 'ledger', type: 'uuid', fits: fits.id },
  reseller: { value: sql`r.partnership_id`, of: 'ledger', type: 'uuid', fits: fits.idOrNone },
  country: { value: sql`r.country`, of: 'ledger', type: 'text', fits: fits.countryOrNone },
  batch: { value: sql`x.batch_id`, of: 'serial', type: 'uuid', fits: fits.id },
  customer: { value: sql`x.customer_id`, of: 'serial', type: 'uuid', fits: fits.id },
  status: { value: STATE, of: 'product', type: 'text', fits: fits.oneOf(redeemedStates) },
};

const ITS_PRODUCT = sql`${ownJoin('batches as xb', 'xb.id', 'x.batch_id')}
  ${ownJoin('products as xp', 'xp.id', 'xb.product_id')}`;

/**
 * Conditions on the ledger row `r`.
 * @throws {AppError} invalid_request at the parameter.
 */
export function choiceConditions(developerId: string, choices: RedeemedChoices): Expression<SqlBool>[] {
  return (Object.keys(redeemedChoices) as (keyof RedeemedChoices)[]).flatMap((path) => {
    const { of } = columns[path];
    const conditions = chosen(path, choices[path], columns[path]);
    if (of === 'ledger') return conditions;
    return conditions.map(
      (condition) => sql<boolean>`exists (
        select 1 from serials x ${of === 'product' ? ITS_PRODUCT : sql``}
        where x.developer_id = ${developerId} and x.id = r.serial_id and ${condition})`,
    );
  });
}

/** The filters that are offered with counts: there may be as many customers as serials. */
export type RedeemedKind = Exclude<keyof RedeemedChoices, 'customer'>;

export const redeemedKinds = (Object.keys(redeemedChoices) as (keyof RedeemedChoices)[]).filter(
  (kind): kind is RedeemedKind => kind !== 'customer',
);

/** Conditions on serial `x` and product `xp` of a ledger row. @throws {AppError} invalid_request at the parameter. */
export const statusConditions = (status: string | undefined): Expression<SqlBool>[] =>
  chosen('status', status, columns.status);

/** The value of a filter, of ledger row `r`; of serial `x`, its batch `xb` and product `xp` where it `looks` at the serial. */
export function redeemedValue(kind: RedeemedKind): { value: Expression<string | null>; looks: boolean } {
  const { value, of } = columns[kind];
  return { value, looks: of !== 'ledger' };
}

/** Columns of the CSV. `list`: what the list shows. `import`: what an import reads, so that the file comes back without loss. */
export const redeemedColumns = ['list', 'import'] as const;
export type RedeemedColumns = (typeof redeemedColumns)[number];
