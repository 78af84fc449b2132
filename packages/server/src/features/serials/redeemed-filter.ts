import pg from 'pg';
import { z } from 'zod';
import { invalidField } from '../../platform/errors.ts';
import { DOWNLOAD_LIMIT } from './download-count.ts';

/** The states of a redeemed serial that a list can be filtered by. Each serial is in one of them. */
export const redeemedStates = ['active', 'download_limit', 'seats_taken', 'revoked'] as const;

const MOST = 50;
const LIST = z.string().trim().max(4000).optional();
const about = (what: string) =>
  LIST.describe(`${what}; several with commas between them, \`-\` before one leaves it out.`);

/** Filters that combine: each of them must fit. */
export const redeemedChoices = {
  product: about('Ids of products'),
  reseller: about('Ids of resellers, or `none` for your own sales'),
  batch: about('Ids of batches'),
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

interface Choice {
  only: string[];
  not: string[];
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const fits: Record<keyof RedeemedChoices, (value: string) => boolean> = {
  product: (value) => UUID.test(value),
  batch: (value) => UUID.test(value),
  reseller: (value) => value === 'none' || UUID.test(value),
  country: (value) => value === 'none' || /^[A-Z]{2}$/.test(value),
  status: (value) => (redeemedStates as readonly string[]).includes(value),
};

/** @throws {AppError} invalid_request at the parameter. */
function choiceOf(path: keyof RedeemedChoices, text: string): Choice {
  const values = text.split(',').filter((value) => value !== '');
  if (values.length > MOST) throw invalidField(path, `Choose at most ${MOST}.`);
  const only = values.filter((value) => !value.startsWith('-'));
  const not = values.filter((value) => value.startsWith('-')).map((value) => value.slice(1));
  const wrong = [...only, ...not].find((value) => !fits[path](value));
  if (wrong !== undefined) throw invalidField(path, 'Not valid.');
  return { only, not };
}

/** The state of serial `x` of product `xp`. The same order as in `standing.ts`. */
const STATE = `case when x.revoked_at is not null or xp.deleted_at is not null then 'revoked'
  when x.download_count >= ${DOWNLOAD_LIMIT} then 'download_limit'
  when x.seats_used >= coalesce(x.max_activations, xp.max_activations) then 'seats_taken' else 'active' end`;

/** What is looked at for each filter, of ledger row `r`. */
const columns: Record<keyof RedeemedChoices, { value: string; of: string | null; type: string }> = {
  product: { value: 'r.product_id', of: null, type: 'uuid' },
  reseller: { value: 'r.partnership_id', of: null, type: 'uuid' },
  country: { value: 'r.country', of: null, type: 'text' },
  batch: { value: 'x.batch_id', of: 'serials x', type: 'uuid' },
  status: {
    value: STATE,
    of: `serials x join batches xb on (xb.developer_id, xb.id) = (x.developer_id, x.batch_id)
      join products xp on (xp.developer_id, xp.id) = (xb.developer_id, xb.product_id)`,
    type: 'text',
  },
};

/**
 * Conditions on the ledger row `r`, with their values quoted, because COPY takes no parameters.
 * @throws {AppError} invalid_request at the parameter.
 */
export function choiceConditions(choices: RedeemedChoices): string[] {
  return (Object.keys(redeemedChoices) as (keyof RedeemedChoices)[]).flatMap((path) => {
    const text = choices[path];
    if (!text) return [];
    const { only, not } = choiceOf(path, text);
    const { value, of, type } = columns[path];
    const among = (values: string[]) => {
      const listed = values.filter((each) => each !== 'none').map((each) => pg.escapeLiteral(each));
      const parts = [
        ...(listed.length > 0 ? [`${value} = any(array[${listed.join(',')}]::${type}[])`] : []),
        ...(values.includes('none') ? [`${value} is null`] : []),
      ];
      // null is in none of the listed ones
      return `coalesce(${parts.join(' or ')}, false)`;
    };
    const conditions = [...(only.length > 0 ? [among(only)] : []), ...(not.length > 0 ? [`not ${among(not)}`] : [])];
    if (of === null) return conditions;
    return conditions.map(
      (condition) =>
        `exists (select 1 from ${of} where (x.developer_id, x.id) = (r.developer_id, r.serial_id) and ${condition})`,
    );
  });
}

/** Where the values of a filter and their names are read, of ledger row `r`. */
export function choiceSource(kind: keyof RedeemedChoices): { value: string; label: string; from: string } {
  const { value, of } = columns[kind];
  const own = of
    ? `join ${of.replace('serials x', 'serials x on (x.developer_id, x.id) = (r.developer_id, r.serial_id)')}`
    : '';
  switch (kind) {
    case 'product':
      return {
        value,
        label: 'n.name',
        from: 'join products n on (n.developer_id, n.id) = (r.developer_id, r.product_id)',
      };
    case 'reseller':
      return {
        value,
        label: 'n.name',
        from: 'left join partnerships n on (n.developer_id, n.id) = (r.developer_id, r.partnership_id)',
      };
    case 'batch':
      return {
        value,
        label: 'n.batch_tag',
        from: `${own} join batches n on (n.developer_id, n.id) = (x.developer_id, x.batch_id)`,
      };
    default:
      return { value, label: 'null::text', from: own };
  }
}
