import type { Sql } from '#platform/db/database.ts';
import { pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import { COLUMNS, type Row, TABLES, view } from './serials.queries.ts';
import type { SerialDetail } from './serials.schemas.ts';

/** Of its machines and of its history. */
const SHOWN = 200;

interface DetailRow extends Row {
  reseller_name: string | null;
  customer: SerialDetail['customer'];
  final_price_cents: number | null;
  country: string | null;
  adjusted_cents: number | null;
  source: string | null;
  max_activations: number;
  seats_used: number;
}

/** One serial with its owner, its machines and its history. */
export async function findDetail(
  sql: Sql,
  developerId: string,
  id: string,
): Promise<Omit<SerialDetail, 'standing' | 'refresh_cost' | 'redeem_link'> | undefined> {
  const [row] = await sql.query<DetailRow>(
    `select ${COLUMNS}, t.name as reseller_name, r.final_price_cents, r.country, r.source, ${ADJUSTED} as adjusted_cents,
       coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used,
       case when c.id is not null then
         json_build_object('id', c.id, 'first_name', c.first_name, 'last_name', c.last_name, 'email', c.email) end as customer
     from ${TABLES} left join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id) left join customers c on (c.developer_id, c.id) = (s.developer_id, s.customer_id)
       left join redemptions r on (r.developer_id, r.serial_id) = (s.developer_id, s.id)
     where s.id = $2 and s.developer_id = $1`,
    [developerId, id],
  );
  if (!row) return undefined;
  const machines = pageOf(await listMachines(sql, { developerId, id }, null, SHOWN + 1), SHOWN, machinePlaceOf);
  const history = pageOf(await listHistory(sql, { developerId, id }, null, SHOWN + 1), SHOWN, placeOf);
  const refunds = await sql.query<AdjustmentRow>(ADJUSTMENTS, [developerId, id]);
  const adjusted = row.adjusted_cents ?? 0;
  const { reseller_name, customer, country, max_activations, seats_used } = row;
  return {
    ...view(row),
    reseller_name,
    customer,
    final_price: toDollars(row.final_price_cents),
    country,
    refunded: toDollars(0 - adjusted),
    refundable: row.source === 'import' ? 0 : toDollars((row.final_price_cents ?? 0) + adjusted),
    refunds: refunds.map(({ revenue_cents, commission_cents, ...refund }) => ({
      ...refund,
      amount: toDollars(revenue_cents),
      commission: toDollars(commission_cents),
    })),
    max_activations,
    seats_used,
    machines: machines.rows,
    machines_cursor: machines.next_cursor,
    history: history.rows.map(({ id: _, ...event }) => event),
    history_cursor: history.next_cursor,
  };
}

const ADJUSTED = `(select sum(a.revenue_cents)::int from ledger_adjustments a
  where (a.developer_id, a.redemption_id) = (r.developer_id, r.id))`;

const ADJUSTMENTS = `
  select a.id, a.kind, a.reason, a.created_at, a.revenue_cents, a.commission_cents
  from redemptions r join ledger_adjustments a on (a.developer_id, a.redemption_id) = (r.developer_id, r.id)
  where r.developer_id = $1 and r.serial_id = $2 order by a.created_at desc, a.id desc limit 100`;

interface AdjustmentRow extends Omit<SerialDetail['refunds'][number], 'amount' | 'commission'> {
  revenue_cents: number;
  commission_cents: number;
}

const ADJUSTED_KIND = `case a.kind when 'refund' then 'refunded' when 'chargeback' then 'charged_back'
  when 'reinstatement' then 'reinstated' else 'corrected' end`;

type Machine = SerialDetail['machines'][number];

const HELD = 'held';
/** Of a machine, as of something that happened: when it was seen, and whether it holds a seat. */
export const machinePlaceOf = ({ last_seen_at: at, released_at, id }: Machine) =>
  placeOf({ at, kind: released_at ? 'released' : HELD, id });

/** Those with a seat first, each seen most recently first. `after`: where the page before ended. */
export const listMachines = (
  sql: Sql,
  { developerId, id }: { developerId: string; id: string },
  after: { at: string; kind: string; id: string } | null,
  most: number,
): Promise<Machine[]> =>
  sql.query<Machine>(
    `select id, machine_id, label, os, version, created_at, last_seen_at, released_at from activations
     where developer_id = $1 and serial_id = $2
       and ($4::timestamptz is null or (released_at is null, last_seen_at, id) < ($5::boolean, $4, $6::uuid))
     order by released_at is null desc, last_seen_at desc, id desc limit $3`,
    [developerId, id, most, after?.at ?? null, after ? after.kind === HELD : null, after?.id ?? null],
  );

/** Among what happened at the same moment, what came first. */
const RANK = `case kind when 'made' then 0 when 'given' then 1 when 'redeemed' then 2 when 'handed_out' then 2 when 'returned' then 2
  when 'activated' then 3 when 'released' then 4 when 'refunded' then 4 when 'charged_back' then 4 when 'reinstated' then 4
  when 'corrected' then 4 when 'refused' then 6 when 'redemption_refused' then 6 else 5 end`;

// read from the tables that store them; only the rest is kept as events. $3 how many; $4 to $6 where the page before ended
const HISTORY = `
  select id, kind, at, detail, cents from (
    select b.id, 'made' as kind, b.created_at as at, b.origin as detail, null::int as cents
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1 and s.id = $2
    union all
    select b.id, 'given', b.created_at, t.name, null
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id) where s.developer_id = $1 and s.id = $2
    union all
    select r.id, 'redeemed', r.redeemed_at, r.source, null from redemptions r
      where r.developer_id = $1 and r.serial_id = $2
    union all
    select a.id, ${ADJUSTED_KIND}, a.created_at, a.reason, a.revenue_cents from redemptions r
        join ledger_adjustments a on (a.developer_id, a.redemption_id) = (r.developer_id, r.id)
      where r.developer_id = $1 and r.serial_id = $2
    union all
    select a.id, 'activated', a.created_at, a.machine_id, null from activations a
      where a.developer_id = $1 and a.serial_id = $2
    union all
    select a.id, 'released', a.released_at, a.machine_id, null from activations a
      where a.developer_id = $1 and a.serial_id = $2 and a.released_at is not null
    union all
    select d.id, 'handed_out', d.created_at, d.reference, null from draw_items i join draws d on (d.developer_id, d.id) = (i.developer_id, i.draw_id)
      where i.developer_id = $1 and i.serial_id = $2
    union all
    select d.id, 'returned', i.returned_at, d.reference, null from draw_items i join draws d on (d.developer_id, d.id) = (i.developer_id, i.draw_id)
      where i.developer_id = $1 and i.serial_id = $2 and i.returned_at is not null
    union all
     select r.id, case r.action when 'redeem' then 'redemption_refused' else 'refused' end, r.at, r.status, null from license_refusals r
       where r.developer_id = $1 and r.serial_id = $2
    union all
    select e.id, e.kind, e.happened_at, case when e.kind = 'transferred' then (
        select nullif(c.email, '') from customers c where c.developer_id = $1 and c.id = e.detail::uuid)
        when e.kind not in ('revoked', 'reassigned') then e.detail end, null
      from serial_events e
      where e.developer_id = $1 and e.serial_id = $2
  ) events
  where $4::timestamptz is null or (at, ${RANK}, kind, id) < ($4, ${RANK.replace('case kind', 'case $5::text')}, $5::text, $6::uuid)
  order by at desc, ${RANK} desc, kind desc, id desc limit $3`;

type Happened = SerialDetail['history'][number] & { id: string };

/** What happened with a serial, newest first. `after`: where the page before ended. */
export async function listHistory(
  sql: Sql,
  { developerId, id }: { developerId: string; id: string },
  after: { at: string; kind: string; id: string } | null,
  most: number,
): Promise<Happened[]> {
  const rows = await sql.query<Omit<Happened, 'amount'> & { cents: number | null }>(HISTORY, [
    developerId,
    id,
    most,
    after?.at ?? null,
    after?.kind ?? null,
    after?.id ?? null,
  ]);
  return rows.map(({ cents, ...event }) => ({ ...event, amount: toDollars(cents) }));
}
