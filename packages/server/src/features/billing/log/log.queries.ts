import pg from 'pg';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { PaidBy } from '../statements/statements.schemas.ts';
import type { BillingAction } from './log.entity.ts';
import type { ListBillingLogsQuery } from './log.schemas.ts';

type Filter = Omit<ListBillingLogsQuery, 'page'>;

export interface LogRow {
  id: string;
  user_id: string;
  email: string;
  amount_cents: number;
  status: 'success' | 'failed';
  error_message: string | null;
  action: BillingAction;
  attempt: number;
  statement_id: string;
  number: string;
  month: string;
  actor_id: string | null;
  /** Name and address; null: nobody, or an account that is gone. */
  actor: { name: string; email: string } | null;
  created_at: Date;
}

const PAGE = 20;
const ACROSS = '/* across tenants: the admins’ log */';
const FROM = 'billing_logs l join billing_statements s on (s.developer_id, s.id) = (l.developer_id, l.statement_id)';
const ACTOR = `(select json_build_object('name', trim(concat_ws(' ', a.first_name, a.last_name)), 'email', a.email) from users a where a.id = l.actor_id and a.deleted_at is null)`;
const COLUMNS = `l.id, l.developer_id as user_id, l.email, l.amount_cents, l.status, l.error_message, l.action, l.attempt,
  l.statement_id, s.number, to_char(s.month, 'YYYY-MM') as month, l.actor_id, ${ACTOR} as actor, l.created_at`;
const text = (value: string) => pg.escapeLiteral(value);

/** With its values as literals, for COPY too. */
function conditionOf({ status, action, user_id, month, search }: Filter): string {
  const found = search ? text(likeFolded(search)) : null;
  return [
    'true',
    ...(status ? [`l.status = ${text(status)}`] : []),
    ...(action ? [`l.action = ${text(action)}`] : []),
    ...(user_id ? [`l.developer_id = ${text(user_id)}`] : []),
    ...(month ? [`s.month = ${text(`${month}-01`)}`] : []),
    ...(found ? [`(${folded('l.email')} like ${found} or ${folded('s.number')} like ${found})`] : []),
  ].join(' and ');
}

/** Newest first. */
export async function listLogs(sql: Sql, page: number, filter: Filter): Promise<{ rows: LogRow[]; total: number }> {
  const where = conditionOf(filter);
  const rows = await sql.query<LogRow>(
    `${ACROSS} select ${COLUMNS} from ${FROM} where ${where} order by l.created_at desc, l.attempt desc, l.id desc limit ${PAGE} offset $1`,
    [(page - 1) * PAGE],
  );
  const [count] = await sql.query<{ n: number }>(`${ACROSS} select count(*) as n from ${FROM} where ${where}`);
  return { rows, total: count?.n ?? 0 };
}

export function logsExport(filter: Filter): Export {
  const cells = [
    `to_char(l.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    'l.developer_id::text',
    csvSafe('l.email'),
    `(l.amount_cents / 100)::text || '.' || lpad((l.amount_cents % 100)::text, 2, '0')`,
    'l.status',
    'l.action',
    'l.attempt::text',
    innerBreaks(csvSafe("coalesce(l.error_message, '')")),
    csvSafe('s.number'),
    "to_char(s.month, 'YYYY-MM')",
    "coalesce(l.actor_id::text, '')",
    csvSafe(`coalesce(${ACTOR} ->> 'email', '')`),
  ];
  return {
    format: 'csv',
    lineEnd: '\r\n',
    header: csvLine([
      'Time (UTC)',
      'Developer ID',
      'Email',
      'Amount (USD)',
      'Status',
      'Action',
      'Attempt',
      'Error',
      'Invoice',
      'Month (UTC)',
      'Admin ID',
      'Admin email',
    ]),
    query: `${ACROSS} select ${cells.join(', ')} from ${FROM} where ${conditionOf(filter)} order by l.created_at desc, l.attempt desc, l.id desc`,
  };
}

export interface StoryRow {
  id: string;
  user_id: string;
  email: string;
  number: string;
  month: string;
  state: 'rated' | 'settled' | 'local' | 'invoiced' | 'open' | 'paid' | 'failed' | 'uncollectible' | 'void';
  total_cents: number;
  attempts: number;
  next_attempt_at: Date | null;
  first_failed_at: Date | null;
  last_error: string | null;
  stripe_invoice_id: string | null;
  closed_at: Date;
  paid_at: Date | null;
  paid_by: PaidBy | null;
  charged_cents: number | null;
  balance_cents: number | null;
}

/** An admin knows a statement by its id alone. */
export async function findStory(sql: Sql, id: string): Promise<StoryRow | null> {
  const [row] = await sql.query<StoryRow>(
    `${ACROSS} select id, developer_id as user_id, coalesce(party ->> 'email', '') as email, number, to_char(month, 'YYYY-MM') as month,
       state, total_cents, attempts, next_attempt_at, first_failed_at, last_error, stripe_invoice_id, closed_at, paid_at,
       paid_by, charged_cents, balance_cents
     from billing_statements where id = $1`,
    [id],
  );
  return row ?? null;
}

export function linesOf(sql: Sql, developerId: string, id: string) {
  return sql.query<{
    n: number;
    description: string;
    quantity: number;
    unit_cents: number | null;
    amount_cents: number;
  }>(
    'select n, description, quantity, unit_cents, amount_cents from billing_lines where developer_id = $1 and statement_id = $2 order by n',
    [developerId, id],
  );
}

export function logsOf(sql: Sql, developerId: string, id: string): Promise<LogRow[]> {
  return sql.query<LogRow>(
    `select ${COLUMNS} from ${FROM} where l.developer_id = $1 and l.statement_id = $2 order by l.created_at, l.attempt, l.id`,
    [developerId, id],
  );
}
