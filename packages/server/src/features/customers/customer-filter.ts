import pg from 'pg';
import {
  type ChoiceColumn,
  choiceConditions,
  choiceParam,
  fits,
  LOOKED_AT,
  mostFrequent,
} from '#platform/db/statements/choices.ts';
import type { Period } from '#platform/time/days.ts';

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
const STATE = `(select case when count(*) = 0 then 'none' when bool_and(x.revoked_at is not null) then 'revoked' else 'active' end
  from serials x where (x.developer_id, x.customer_id) = (c.developer_id, c.id))`;

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

const LABELS: Record<CustomerKind, (own: string) => string> = {
  product: (own) => `(select n.name from products n where n.developer_id = ${own} and n.id = v.value::uuid)`,
  reseller: (own) => `(select n.name from partnerships n where n.developer_id = ${own} and n.id = v.value::uuid)`,
  country: () => 'null::text',
  status: () => 'null::text',
};

/**
 * A query for the choices of filters, of which each customer counts once per value.
 * @param own the developer's id, quoted
 * @param newest a query for customers, the newest first
 */
export function choiceQuery(kinds: readonly CustomerKind[], own: string, newest: string): string {
  const bought = kinds.filter((kind) => kind !== 'status');
  const exact = `(select count(*) from newest) <= ${LOOKED_AT} as exact`;
  const grouped = (kind: CustomerKind) =>
    kind === 'status'
      ? `select ${STATE} as value, count(*)::int as count, ${exact} from customer c group by 1`
      : `select value, count(*)::int as count, ${exact} from (select distinct id, ${kind}::text as value from owned) o group by 1`;
  // each serial and redemption is looked up by its key, whatever is known of the tables
  const owned = `, owned as materialized (
    select c.id, ${bought.map((kind) => `${columns[kind].value} as ${kind}`).join(', ')} from customer c
      cross join lateral (select s.developer_id, s.id from serials s where s.developer_id = c.developer_id and s.customer_id = c.id offset 0) s
      cross join lateral (select * from redemptions r where r.developer_id = s.developer_id and r.serial_id = s.id offset 0) r)`;
  return `with newest as materialized (${newest} limit ${LOOKED_AT + 1}),
    customer as materialized (select * from newest limit ${LOOKED_AT})${bought.length > 0 ? owned : ''}
    ${kinds.map((kind) => mostFrequent(kind, grouped(kind), LABELS[kind](own))).join(' union all ')}`;
}
