import type { Sql } from '../../platform/db/database.ts';
import { toDollars } from '../../platform/money.ts';
import { COLUMNS, type Row, TABLES, view } from './serials.queries.ts';
import type { SerialDetail } from './serials.schemas.ts';

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
  const machines = await sql.query<SerialDetail['machines'][number]>(
    `select id, machine_id, label, os, version, created_at, last_seen_at, released_at from activations
     where developer_id = $1 and serial_id = $2 order by released_at is not null, last_seen_at desc limit 200`,
    [developerId, id],
  );
  const history = await sql.query<HistoryRow>(HISTORY, [developerId, id]);
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
    machines,
    history: history.map(({ cents, ...event }) => ({ ...event, amount: toDollars(cents) })),
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

interface HistoryRow extends Omit<SerialDetail['history'][number], 'amount'> {
  cents: number | null;
}

// read from the tables that store them; only the rest is kept as events
const HISTORY = `
  select kind, at, detail, cents from (
    select 'made' as kind, b.created_at as at, b.origin as detail, 0 as n, null::int as cents
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1 and s.id = $2
    union all
    select 'given', b.created_at, t.name, 1, null
      from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id) where s.developer_id = $1 and s.id = $2
    union all
    select 'redeemed', r.redeemed_at, r.source, 2, null from redemptions r
      where r.developer_id = $1 and r.serial_id = $2
    union all
    select ${ADJUSTED_KIND}, a.created_at, a.reason, 4, a.revenue_cents from redemptions r
        join ledger_adjustments a on (a.developer_id, a.redemption_id) = (r.developer_id, r.id)
      where r.developer_id = $1 and r.serial_id = $2
    union all
    select 'activated', a.created_at, a.machine_id, 3, null from activations a
      where a.developer_id = $1 and a.serial_id = $2
    union all
    select 'released', a.released_at, a.machine_id, 4, null from activations a
      where a.developer_id = $1 and a.serial_id = $2 and a.released_at is not null
    union all
    select 'handed_out', d.created_at, d.reference, 2, null from draw_items i join draws d on (d.developer_id, d.id) = (i.developer_id, i.draw_id)
      where i.developer_id = $1 and i.serial_id = $2
    union all
    select 'returned', i.returned_at, d.reference, 2, null from draw_items i join draws d on (d.developer_id, d.id) = (i.developer_id, i.draw_id)
      where i.developer_id = $1 and i.serial_id = $2 and i.returned_at is not null
    union all
    select * from (select case r.action when 'redeem' then 'redemption_refused' else 'refused' end, r.at, r.status, 6, null::int from license_refusals r
      where r.developer_id = $1 and r.serial_id = $2 order by r.at desc limit 50) refused
    union all
    select e.kind, e.happened_at, case when e.kind = 'transferred' then (
        select nullif(c.email, '') from customers c where c.developer_id = $1 and c.id = e.detail::uuid)
        when e.kind not in ('revoked', 'reassigned') then e.detail end, 5, null
      from serial_events e
      where e.developer_id = $1 and e.serial_id = $2
  ) events order by at desc, n desc limit 200`;
