import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { otherSums, type Sums } from './difference-words.ts';
import type { Difference } from './differences.queries.ts';

export interface Comparable {
  developer_id: string;
  id: string;
  number: string;
  /** First day of the month. */
  month: string;
  state: string;
  total_cents: number;
  stripe_invoice_id: string | null;
  /** Somebody works on it. */
  busy: boolean;
  /** It was given up, and is charged again: at Stripe it stays given up until it is paid. */
  taken_up: boolean;
}

/** Statements of late, and those that Stripe's invoices name. */
export function statementsToCompare(sql: Sql, since: Date, named: readonly string[]): Promise<Comparable[]> {
  return sql.query<Comparable>(
    `/* across tenants: the reconciliation */ select developer_id, id, number, month, state, total_cents, stripe_invoice_id, lease_until is not null as busy,
       exists (select 1 from billing_logs l where l.developer_id = s.developer_id and l.statement_id = s.id
         and (l.action = 'uncollectible' or (l.action = 'retry' and l.attempt = s.attempts))) as taken_up
     from billing_statements s where closed_at >= $1 or id = any($2::uuid[])`,
    [since, named],
  );
}

/** How many statements are compared: those of late with the ledger, and others that Stripe names. */
export async function countCompared(sql: Sql, since: Date, named: readonly string[]): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    '/* across tenants: the reconciliation */ select count(*) as n from billing_statements where closed_at >= $1 or id = any($2::uuid[])',
    [since, named],
  );
  return row?.n ?? 0;
}

/** Statements whose figures are not those of the ledger, or whose lines do not add up. */
export async function againstLedger(sql: Sql, since: Date): Promise<Difference[]> {
  const rows = await sql.query<{ developer_id: string; id: string; number: string } & Sums>(
    `/* across tenants: the reconciliation */
     select s.developer_id, s.id, s.number, s.total_cents::int8 as total, l.cents::int8 as lines, s.overage_cents::int8 as overage,
       r.cents::int8 as ledger, s.refresh_cents::int8 as refreshes, c.cents::int8 as refreshed
     from billing_statements s
     cross join lateral (select coalesce(sum(b.amount_cents), 0) as cents from billing_lines b
       where b.developer_id = s.developer_id and b.statement_id = s.id) l
     cross join lateral (select coalesce(sum(d.usage_cents), 0) as cents from redemptions d
       where d.developer_id = s.developer_id and ${listOf('d', 'redeemed_at')} and d.redeemed_at >= s.month::timestamp at time zone 'UTC'
         and d.redeemed_at < (s.month + interval '1 month') at time zone 'UTC') r
     cross join lateral (select coalesce(sum(x.cost_cents), 0) as cents from refresh_charges x
       where x.developer_id = s.developer_id and x.refreshed_at >= s.month::timestamp at time zone 'UTC'
         and x.refreshed_at < (s.month + interval '1 month') at time zone 'UTC') c
     where s.closed_at >= $1
       and (l.cents <> s.total_cents or r.cents <> s.overage_cents or c.cents <> s.refresh_cents)`,
    [since],
  );
  return rows.map(({ developer_id, id, number, ...sums }) => ({
    developerId: developer_id,
    statementId: id,
    number,
    invoiceId: null,
    words: otherSums(sums),
  }));
}
