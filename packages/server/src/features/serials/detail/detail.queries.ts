import { type Expression, type InferResult, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import type { Tables } from '#platform/db/tables.ts';
import { joinOwn, leftJoinOwn, ownJoin } from '#platform/db/tenant.ts';
import { pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import { selectSerials, view } from '../serials.queries.ts';
import { tables } from '../tables.ts';
import type { SerialDetail } from './detail.schemas.ts';

/** The most machines, and the most of the history, that a page has. */
const SHOWN = 200;

/** A serial with its owner and what it was sold for. */
const selectDetail = (begin: Begins<Tables, never>, developerId: string, id: string) =>
  selectSerials(begin, developerId)
    .$call(leftJoinOwn('partnerships as t', 't.id', 'b.partnership_id'))
    .$call(leftJoinOwn('customers as c', 'c.id', 's.customer_id'))
    .$call(leftJoinOwn('redemptions as r', 'r.serial_id', 's.id'))
    .select(['t.name as reseller_name', 'r.final_price_cents', 'r.country', 'r.source', 's.seats_used'])
    .select([
      sql<number>`coalesce(s.max_activations, p.max_activations)`.as('max_activations'),
      sql<number | null>`(select sum(a.revenue_cents)::int from ledger_adjustments a
        where a.developer_id = ${developerId} and a.redemption_id = r.id)`.as('adjusted_cents'),
      sql<SerialDetail['order']>`(select json_build_object('id', o.id, 'number', o.number)
        from shop_units u ${ownJoin('shop_orders as o', 'o.id', 'u.order_id')}
        where u.developer_id = ${developerId} and u.serial_id = ${id} limit 1)`.as('order'),
      sql<SerialDetail['customer']>`case when c.id is not null then
        json_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email) end`.as(
        'customer',
      ),
    ])
    .where('s.id', '=', id);
type DetailRow = InferResult<ReturnType<typeof selectDetail>>[number];

/** A serial with its machines, its history and its money, as it is shown. */
type Shown = Omit<SerialDetail, 'standing' | 'refresh_cost' | 'redeem_link'>;

/** One serial with its owner, its machines and its history. */
export async function findDetail(handle: Sql, developerId: string, id: string): Promise<Shown | undefined> {
  const row = await selectDetail(tables.in(handle), developerId, id).executeTakeFirst();
  if (!row) return undefined;
  const machines = pageOf(await listMachines(handle, { developerId, id }, null, SHOWN + 1), SHOWN, machinePlaceOf);
  const history = pageOf(await listHistory(handle, { developerId, id }, null, SHOWN + 1), SHOWN, placeOf);
  const { reseller_name, customer, order, country, max_activations, seats_used } = row;
  return {
    ...view(row),
    reseller_name,
    customer,
    order,
    country,
    ...moneyOf(row),
    refunds: await refundsOf(handle, developerId, id),
    max_activations,
    seats_used,
    machines: machines.rows,
    machines_cursor: machines.next_cursor,
    history: history.rows.map(({ id: _, ...event }) => event),
    history_cursor: history.next_cursor,
  };
}

function moneyOf({ final_price_cents, adjusted_cents, source }: DetailRow) {
  const adjusted = adjusted_cents ?? 0;
  return {
    final_price: toDollars(final_price_cents),
    refunded: toDollars(0 - adjusted),
    refundable: source === 'import' ? 0 : toDollars((final_price_cents ?? 0) + adjusted),
  };
}

/** Later changes to the money of its redemption, newest first. */
async function refundsOf(handle: Sql, developerId: string, id: string): Promise<SerialDetail['refunds']> {
  const rows = await tables
    .in(handle)
    .selectFrom('redemptions as r')
    .$call(joinOwn('ledger_adjustments as a', 'a.redemption_id', 'r.id'))
    .select(['a.id', 'a.kind', 'a.reason', 'a.created_at', 'a.revenue_cents', 'a.commission_cents'])
    .where('r.developer_id', '=', developerId)
    .where('r.serial_id', '=', id)
    .orderBy('a.created_at', 'desc')
    .orderBy('a.id', 'desc')
    .limit(100)
    .execute();
  return rows.map(({ revenue_cents, commission_cents, ...refund }) => ({
    ...refund,
    amount: toDollars(revenue_cents),
    commission: toDollars(commission_cents),
  }));
}

/** The kind of adjustment `a`, as the history calls it. */
const ADJUSTED_KIND = sql`case a.kind when 'refund' then 'refunded' when 'chargeback' then 'charged_back'
  when 'reinstatement' then 'reinstated' else 'corrected' end`;

/** The key of a serial: its developer and its id. */
interface SerialKey {
  developerId: string;
  id: string;
}
/** The last entry of the previous page. */
type Place = { at: string; kind: string; id: string } | null;

type Machine = SerialDetail['machines'][number];

const HELD = 'held';
/** The place of a machine in the list: when it was seen, and whether it holds a seat. */
export const machinePlaceOf = ({ last_seen_at: at, released_at, id }: Machine) =>
  placeOf({ at, kind: released_at ? 'released' : HELD, id });

export async function hasSerial(handle: Sql, { developerId, id }: SerialKey): Promise<boolean> {
  const found = await tables
    .in(handle)
    .selectFrom('serials')
    .select('id')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .executeTakeFirst();
  return found !== undefined;
}

/** Those with a seat first, each seen most recently first. */
export function listMachines(
  handle: Sql,
  { developerId, id }: SerialKey,
  after: Place,
  most: number,
): Promise<Machine[]> {
  const seated = sql`released_at is null`;
  return tables
    .in(handle)
    .selectFrom('activations')
    .select(['id', 'machine_id', 'label', 'os', 'version', 'created_at', 'last_seen_at', 'released_at'])
    .where('developer_id', '=', developerId)
    .where('serial_id', '=', id)
    .$if(after !== null, (machines) =>
      machines.where(
        sql<boolean>`(${seated}, last_seen_at, id) < (${after?.kind === HELD}::boolean, ${after?.at}::timestamptz, ${after?.id}::uuid)`,
      ),
    )
    .orderBy(seated, 'desc')
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(most)
    .execute();
}

/** Among what happened at the same moment, what came first. */
const rankOf = (
  kind: Expression<string>,
) => sql<number>`case ${kind} when 'made' then 0 when 'given' then 1 when 'redeemed' then 2
  when 'handed_out' then 2 when 'returned' then 2 when 'activated' then 3 when 'released' then 4 when 'refunded' then 4
  when 'charged_back' then 4 when 'reinstated' then 4 when 'corrected' then 4 when 'refused' then 6 when 'redemption_refused' then 6
  else 5 end`;
const RANK = rankOf(sql`kind`);

/** The history, read from the tables that store it; only the rest is kept as events. */
const eventsOf = ({ developerId, id }: SerialKey) => sql`
    select b.id, 'made' as kind, b.created_at as at, b.origin as detail, null::int as cents
      from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')} where s.developer_id = ${developerId} and s.id = ${id}
    union all
    select b.id, 'given', b.created_at, t.name, null
      from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')} ${ownJoin('partnerships as t', 't.id', 'b.partnership_id')} where s.developer_id = ${developerId} and s.id = ${id}
    union all
    select r.id, 'redeemed', r.redeemed_at, r.source, null from redemptions r
      where r.developer_id = ${developerId} and r.serial_id = ${id}
    union all
    select a.id, ${ADJUSTED_KIND}, a.created_at, a.reason, a.revenue_cents from redemptions r
        ${ownJoin('ledger_adjustments as a', 'a.redemption_id', 'r.id')}
      where r.developer_id = ${developerId} and r.serial_id = ${id}
    union all
    select a.id, 'activated', a.created_at, a.machine_id, null from activations a
      where a.developer_id = ${developerId} and a.serial_id = ${id}
    union all
    select a.id, 'released', a.released_at, a.machine_id, null from activations a
      where a.developer_id = ${developerId} and a.serial_id = ${id} and a.released_at is not null
    union all
    select d.id, 'handed_out', d.created_at, d.reference, null from draw_items i ${ownJoin('draws as d', 'd.id', 'i.draw_id')}
      where i.developer_id = ${developerId} and i.serial_id = ${id}
    union all
    select d.id, 'returned', i.returned_at, d.reference, null from draw_items i ${ownJoin('draws as d', 'd.id', 'i.draw_id')}
      where i.developer_id = ${developerId} and i.serial_id = ${id} and i.returned_at is not null
    union all
     select r.id, case r.action when 'redeem' then 'redemption_refused' else 'refused' end, r.at, r.status, null from license_refusals r
       where r.developer_id = ${developerId} and r.serial_id = ${id}
    union all
    select e.id, e.kind, e.happened_at, case when e.kind = 'transferred' then (
        select nullif(c.email, '') from customers c where c.developer_id = ${developerId} and c.id = e.detail::uuid)
        when e.kind not in ('revoked', 'reassigned') then e.detail end, null
      from serial_events e
      where e.developer_id = ${developerId} and e.serial_id = ${id}`;

type Happened = SerialDetail['history'][number] & { id: string };

/** The history of a serial, newest first. */
export async function listHistory(handle: Sql, serial: SerialKey, after: Place, most: number): Promise<Happened[]> {
  const further = after
    ? sql`where (at, ${RANK}, kind, id)
        < (${after.at}::timestamptz, ${rankOf(sql`${after.kind}::text`)}, ${after.kind}::text, ${after.id}::uuid)`
    : sql``;
  const { rows } = await sql<Omit<Happened, 'amount'> & { cents: number | null }>`
    select id, kind, at, detail, cents from (${eventsOf(serial)}) events ${further}
    order by at desc, ${RANK} desc, kind desc, id desc limit ${most}`.execute(tables.in(handle));
  return rows.map(({ cents, ...event }) => ({ ...event, amount: toDollars(cents) }));
}
