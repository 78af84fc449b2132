import pg from 'pg';
import type { Period } from '../../platform/days.ts';
import { type ChoiceColumn, choiceConditions, choiceParam, fits } from '../../platform/db/choices.ts';

/** How it is with a customer's serials. Each customer is in one of these. */
export const customerStates = ['active', 'revoked', 'none'] as const;

/** Filters that combine: each of them must fit. Those about serials look at the ones that the customer owns now. */
export const customerChoices = {
  product: choiceParam('Ids of products'),
  reseller: choiceParam('Ids of resellers, or `none` for your own sales'),
  country: choiceParam('Countries such as `DE`, or `none` where it is unknown'),
  status: choiceParam('`active`: a serial works; `revoked`: all are revoked; `none`: without serials'),
};
export type CustomerKind = keyof typeof customerChoices;
export type CustomerChoices = { [Key in CustomerKind]?: string | undefined };
export const customerKinds = Object.keys(customerChoices) as CustomerKind[];

export const customerSorts = [
  '-signup_date',
  'signup_date',
  'name',
  '-name',
  'email',
  '-email',
  'last_login',
  '-last_login',
] as const;
export type CustomerSort = (typeof customerSorts)[number];

/** How it is with the serials of customer `c`. */
const STATE = `case when exists (select 1 from serials x where (x.developer_id, x.customer_id) = (c.developer_id, c.id) and x.revoked_at is null) then 'active'
  when exists (select 1 from serials x where (x.developer_id, x.customer_id) = (c.developer_id, c.id)) then 'revoked' else 'none' end`;

const columns: Record<CustomerKind, ChoiceColumn> = {
  product: { value: 'r.product_id', type: 'uuid', fits: fits.id },
  reseller: { value: 'r.partnership_id', type: 'uuid', fits: fits.idOrNone },
  country: { value: 'r.country', type: 'text', fits: fits.countryOrNone },
  status: { value: STATE, type: 'text', fits: fits.oneOf(customerStates) },
};

const OWNED =
  'serials s join redemptions r on (r.developer_id, r.serial_id) = (s.developer_id, s.id) where (s.developer_id, s.customer_id) = (c.developer_id, c.id)';
const owns = (condition: string) => `exists (select 1 from ${OWNED} and ${condition})`;

/**
 * Conditions on customer `c`.
 * @param redeemed when a serial that the customer owns was redeemed
 * @throws {AppError} invalid_request at the parameter.
 */
export function chosenConditions(choices: CustomerChoices, redeemed: Period): string[] {
  const moment = (value: Date) => `${pg.escapeLiteral(value.toISOString())}::timestamptz`;
  const days = [
    ...(redeemed.from ? [`s.redeemed_at >= ${moment(redeemed.from)}`] : []),
    ...(redeemed.to ? [`s.redeemed_at <= ${moment(redeemed.to)}`] : []),
  ];
  return [
    ...customerKinds.flatMap((kind) =>
      choiceConditions(kind, choices[kind], columns[kind], kind === 'status' ? undefined : owns),
    ),
    ...(days.length > 0 ? [owns(days.join(' and '))] : []),
  ];
}

const NAMES = {
  product: { label: 'n.name', from: 'join products n on (n.developer_id, n.id) = (r.developer_id, r.product_id)' },
  reseller: {
    label: 'n.name',
    from: 'left join partnerships n on (n.developer_id, n.id) = (r.developer_id, r.partnership_id)',
  },
  country: { label: 'null::text', from: '' },
};

/** A query for the values of a filter, of each customer `c` once per value. @param customers a query for customers */
export function choiceValues(kind: CustomerKind, customers: string): string {
  if (kind === 'status') return `select c.id, ${STATE} as value, null::text as label from (${customers}) c`;
  const { label, from } = NAMES[kind];
  return `select distinct c.id, ${columns[kind].value}::text as value, ${label} as label from (${customers}) c
    join serials s on (s.developer_id, s.customer_id) = (c.developer_id, c.id)
    join redemptions r on (r.developer_id, r.serial_id) = (s.developer_id, s.id) ${from}`;
}
