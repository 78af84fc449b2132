import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type BuiltChoice,
  choiceParam,
  chosen,
  fits,
  type KindCount,
  LOOKED_AT,
  mostFrequentOf,
  readChoice,
} from '#platform/db/statements/choices.ts';
import { ownJoin } from '#platform/db/tenant.ts';
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
const stateOf = (developerId: string) =>
  sql<string>`(select case when count(*) = 0 then 'none' when bool_and(x.revoked_at is not null) then 'revoked' else 'active' end
    from serials x where x.developer_id = ${developerId} and x.customer_id = c.id)`;

/** The values of the filters: of redemption `r`, or of customer `c`. */
const columnsOf = (developerId: string): Record<CustomerKind, BuiltChoice> => ({
  product: { value: sql`r.product_id`, type: 'uuid', fits: fits.id },
  reseller: { value: sql`r.partnership_id`, type: 'uuid', fits: fits.idOrNone },
  country: { value: sql`r.country`, type: 'text', fits: fits.countryOrNone },
  status: { value: stateOf(developerId), type: 'text', fits: fits.oneOf(customerStates) },
});

/**
 * Conditions on customer `c`.
 * @param redeemed when a serial that the customer owns was redeemed
 * @throws {AppError} invalid_request at the parameter.
 */
export function chosenConditions(
  developerId: string,
  choices: CustomerChoices,
  redeemed: Period,
): Expression<SqlBool>[] {
  const columns = columnsOf(developerId);
  const owns = (conditions: Expression<SqlBool>[]) =>
    sql<boolean>`exists (
      select 1 from serials s ${ownJoin('redemptions as r', 'r.serial_id', 's.id')}
      where s.developer_id = ${developerId} and s.customer_id = c.id and ${sql.join(conditions, sql` and `)})`;
  const days = [
    ...(redeemed.from ? [sql<boolean>`s.redeemed_at >= ${redeemed.from}`] : []),
    ...(redeemed.to ? [sql<boolean>`s.redeemed_at <= ${redeemed.to}`] : []),
  ];
  const ofSerials = (kind: CustomerKind, text: string) => {
    const { only, not } = readChoice(kind, text, columns[kind]);
    const among = (values: string[]) => owns(chosen(kind, values.join(','), columns[kind]));
    // customers who own one of the listed are left out, whatever else they own
    return [...(only.length > 0 ? [among(only)] : []), ...(not.length > 0 ? [sql<boolean>`not ${among(not)}`] : [])];
  };
  return [
    ...customerKinds.flatMap((kind) => {
      const text = choices[kind];
      if (!text) return [];
      return kind === 'status' ? chosen(kind, text, columns.status) : ofSerials(kind, text);
    }),
    ...(days.length > 0 ? [owns(days)] : []),
  ];
}

const noLabel = () => sql<string | null>`null::text`;
const LABELS: Record<CustomerKind, (developerId: string) => RawBuilder<string | null>> = {
  product: (own) => sql`(select n.name from products n where n.developer_id = ${own} and n.id = v.value::uuid)`,
  reseller: (own) => sql`(select n.name from partnerships n where n.developer_id = ${own} and n.id = v.value::uuid)`,
  country: noLabel,
  status: noLabel,
};

/**
 * A query for the choices of filters, of which each customer counts once per value.
 * @param newest a query for customers, the newest first
 */
export function choiceQuery(
  kinds: readonly CustomerKind[],
  developerId: string,
  newest: RawBuilder<unknown>,
): RawBuilder<KindCount<CustomerKind>> {
  const columns = columnsOf(developerId);
  const bought = kinds.filter((kind) => kind !== 'status');
  const exact = sql`(select count(*) from newest) <= ${sql.lit(LOOKED_AT)} as exact`;
  const grouped = (kind: CustomerKind) =>
    kind === 'status'
      ? sql`select ${columns.status.value} as value, count(*)::int as count, ${exact} from customer c group by 1`
      : sql`select value, count(*)::int as count, ${exact}
          from (select distinct id, ${sql.ref(kind)}::text as value from owned) o group by 1`;
  const values = bought.map((kind) => sql`${columns[kind].value} as ${sql.ref(kind)}`);
  // each serial and redemption is looked up by its key, whatever is known of the tables
  const owned = sql`, owned as materialized (
    select c.id, ${sql.join(values)} from customer c
      cross join lateral (select s.id from serials s where s.developer_id = ${developerId} and s.customer_id = c.id offset 0) s
      cross join lateral (select * from redemptions r where r.developer_id = ${developerId} and r.serial_id = s.id offset 0) r)`;
  const each = kinds.map((kind) => mostFrequentOf(kind, grouped(kind), LABELS[kind](developerId)));
  return sql`with newest as materialized (${newest} limit ${sql.lit(LOOKED_AT + 1)}),
    customer as materialized (select * from newest limit ${sql.lit(LOOKED_AT)})${bought.length > 0 ? owned : sql``}
    ${sql.join(each, sql` union all `)}`;
}
