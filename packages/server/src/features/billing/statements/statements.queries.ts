import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import type { BillLine } from './bill.ts';
import type { BilledParty } from './statements.entity.ts';
import type { BillingState, PaidBy } from './statements.schemas.ts';

export interface StatementRow {
  id: string;
  developer_id: string;
  month: string;
  number: string;
  plan: string;
  fee_cents: Cents;
  redemptions: number;
  overage_redemptions: number;
  overage_cents: Cents;
  refresh_count: number;
  refresh_cents: Cents;
  total_cents: Cents;
  party: BilledParty;
  closed_at: Date;
  state: BillingState;
  attempts: number;
  next_attempt_at: Date | null;
  first_failed_at: Date | null;
  /** Why its last charge failed. What went wrong on our side is not the developer's to read. */
  charge_error: string | null;
  last_reason: string | null;
  paid_at: Date | null;
  paid_by: PaidBy | null;
  charged_cents: Cents | null;
  balance_cents: Cents | null;
}

export interface LineRow extends BillLine {
  n: number;
}

export interface Filter {
  year?: number | undefined;
  state?: BillingState | undefined;
}

/** The states in which money is still expected. */
export const OUTSTANDING = "s.state in ('rated', 'invoiced', 'open', 'failed')";

const SEEN = `from billing_statements s where s.developer_id = $1 and ${listOf('s', 'closed_at')}
  and ($2::int is null or extract(year from s.month) = $2) and ($3::text is null or s.state = $3)`;

/** The words of the last charge, if it failed. */
export const CHARGE_ERROR = `(select l.error_message from billing_logs l where l.developer_id = s.developer_id
  and l.statement_id = s.id and l.attempt = s.attempts and l.action = 'charge' and l.status = 'failed') as charge_error`;

const valuesOf = (developerId: string, { year, state }: Filter) => [developerId, year ?? null, state ?? null];

/** The newest month first. `after`: month and id of the last row before. */
export function listStatements(
  sql: Sql,
  developerId: string,
  filter: Filter,
  after: string[] | null,
  limit: number,
): Promise<StatementRow[]> {
  return sql.query<StatementRow>(
    `select s.*, ${CHARGE_ERROR} ${SEEN} and ($4::date is null or (s.month, s.id) < ($4, $5::uuid)) order by s.month desc, s.id desc limit $6`,
    [...valuesOf(developerId, filter), after?.[0] ?? null, after?.[1] ?? null, limit],
  );
}

interface Sums {
  n: number;
  total: Cents;
  paid: Cents;
  outstanding: Cents;
}

export async function sumStatements(sql: Sql, developerId: string, filter: Filter): Promise<Sums> {
  const [sums] = await sql.query<Sums>(
    `select count(*)::int as n, coalesce(sum(s.total_cents), 0)::bigint as total,
       coalesce(sum(s.total_cents) filter (where s.state = 'paid'), 0)::bigint as paid,
       coalesce(sum(s.total_cents) filter (where ${OUTSTANDING}), 0)::bigint as outstanding ${SEEN}`,
    valuesOf(developerId, filter),
  );
  return sums ?? { n: 0, total: 0, paid: 0, outstanding: 0 };
}

export async function findStatement(sql: Sql, developerId: string, id: string): Promise<StatementRow | undefined> {
  const [row] = await sql.query<StatementRow>(
    `select s.*, ${CHARGE_ERROR} from billing_statements s where s.developer_id = $1 and s.id = $2`,
    [developerId, id],
  );
  return row;
}

export function linesOf(sql: Sql, { developer_id, id }: Pick<StatementRow, 'developer_id' | 'id'>): Promise<LineRow[]> {
  return sql.query<LineRow>(
    `select l.n, l.kind, l.description, l.quantity, l.unit_cents, l.amount_cents from billing_lines l
     where l.developer_id = $1 and l.statement_id = $2 order by l.n`,
    [developer_id, id],
  );
}

/** A developer's invoices in short, by their months. */
export async function invoicesByMonth(sql: Sql, developerId: string) {
  const rows = await sql.query<Pick<StatementRow, 'id' | 'number' | 'state' | 'paid_by' | 'month'>>(
    `select s.id, s.number, s.state, s.paid_by, s.month from billing_statements s where s.developer_id = $1 and ${listOf('s', 'closed_at')}`,
    [developerId],
  );
  return new Map(rows.map(({ month, ...invoice }) => [month, invoice]));
}
