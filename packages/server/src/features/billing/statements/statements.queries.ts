import { type InferResult, sql } from 'kysely';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import type { BillingDb, BillingHandle } from '../tables.ts';
import type { BillingState } from './statements.schemas.ts';
import { isUnfinished } from './unfinished.ts';

const COLUMNS = [
  's.id',
  's.developer_id',
  's.month',
  's.number',
  's.plan',
  's.fee_cents',
  's.redemptions',
  's.overage_redemptions',
  's.overage_cents',
  's.refresh_count',
  's.refresh_cents',
  's.total_cents',
  's.party',
  's.closed_at',
  's.state',
  's.attempts',
  's.next_attempt_at',
  's.first_failed_at',
  's.last_reason',
  's.paid_at',
  's.paid_by',
  's.charged_cents',
  's.balance_cents',
] as const;

/** Why the last charge of statement `s` failed. What went wrong on our side is not the developer's to read. */
export const chargeError = (developerId: string) =>
  sql<string | null>`(select l.error_message from billing_logs l where l.developer_id = ${developerId}
    and l.statement_id = s.id and l.attempt = s.attempts and l.action = 'charge' and l.status = 'failed')`;

const selectStatements = (db: BillingDb, developerId: string) =>
  db
    .selectFrom('billing_statements as s')
    .select([...COLUMNS, chargeError(developerId).as('charge_error')])
    .where('s.developer_id', '=', developerId);

export type StatementRow = InferResult<ReturnType<typeof selectStatements>>[number];

export interface Filter {
  year?: number | undefined;
  state?: BillingState | undefined;
}

/** A developer's statements `s` that match. */
export function matching(developerId: string, { year, state }: Filter) {
  const conditions = [
    sql`s.developer_id = ${developerId}`,
    inList('s.closed_at'),
    ...(year === undefined ? [] : [sql`extract(year from s.month) = ${year}`]),
    ...(state === undefined ? [] : [sql`s.state = ${state}`]),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

/** The newest month first. `after`: month and id of the last row before. */
export function listStatements(
  db: BillingDb,
  developerId: string,
  filter: Filter,
  after: string[] | null,
  limit: number,
): Promise<StatementRow[]> {
  return selectStatements(db, developerId)
    .where(matching(developerId, filter))
    .$if(after !== null, (query) =>
      query.where(sql<boolean>`(s.month, s.id) < (${after?.[0]}::date, ${after?.[1]}::uuid)`),
    )
    .orderBy('s.month', 'desc')
    .orderBy('s.id', 'desc')
    .limit(limit)
    .execute();
}

interface Sums {
  n: number;
  total: Cents;
  paid: Cents;
  outstanding: Cents;
}

export async function sumStatements(db: BillingDb, developerId: string, filter: Filter): Promise<Sums> {
  const { rows } = await sql<Sums>`
    select count(*)::int as n, coalesce(sum(s.total_cents), 0)::bigint as total,
      coalesce(sum(s.total_cents) filter (where s.state = 'paid'), 0)::bigint as paid,
      coalesce(sum(s.total_cents) filter (where ${isUnfinished('s.state')}), 0)::bigint as outstanding
    from billing_statements s where ${matching(developerId, filter)}`.execute(db);
  return rows[0] ?? { n: 0, total: 0, paid: 0, outstanding: 0 };
}

export function findStatement(db: BillingDb, developerId: string, id: string): Promise<StatementRow | undefined> {
  return selectStatements(db, developerId).where('s.id', '=', id).executeTakeFirst();
}

const selectLines = (handle: BillingHandle, { developer_id, id }: Pick<StatementRow, 'developer_id' | 'id'>) =>
  handle
    .selectFrom('billing_lines')
    .select(['n', 'kind', 'description', 'quantity', 'unit_cents', 'amount_cents'])
    .where('developer_id', '=', developer_id)
    .where('statement_id', '=', id)
    .orderBy('n');

export type LineRow = InferResult<ReturnType<typeof selectLines>>[number];

/** The lines of a statement's total. */
export const linesOf = (...of: Parameters<typeof selectLines>): Promise<LineRow[]> => selectLines(...of).execute();

/** A developer's invoices in short, by their months. */
export async function invoicesByMonth(db: BillingDb, developerId: string) {
  const rows = await db
    .selectFrom('billing_statements')
    .select(['id', 'number', 'state', 'paid_by', 'month'])
    .where('developer_id', '=', developerId)
    .where(inList('closed_at'))
    .execute();
  return new Map(rows.map(({ month, ...invoice }) => [month, invoice]));
}
