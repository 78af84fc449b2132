import { type InferResult, type RawBuilder, sql } from 'kysely';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { acrossTenants, joinOwn, ownJoin } from '#platform/db/tenant.ts';
import { plainCentsSql } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { StatementKey } from '../collection/due.queries.ts';
import { type BillingDb, tables } from '../tables.ts';
import type { ListBillingLogsQuery } from './log.schemas.ts';

type Filter = Omit<ListBillingLogsQuery, 'page'>;

const PAGE = 20;
const ACROSS = acrossTenants('the admins’ log');
const MONTH = "to_char(s.month, 'YYYY-MM')";

/** The admin of line `l`: name and address; null: nobody, or an account that is gone. */
const ACTOR = `(select json_build_object('name', trim(concat_ws(' ', a.first_name, a.last_name)), 'email', a.email)
  from users a where a.id = l.actor_id and a.deleted_at is null)`;

/** Lines `l` of the log, each with its statement `s`. */
const logsWithStatements = (db: BillingDb) =>
  db.selectFrom('billing_logs as l').$call(joinOwn('billing_statements as s', 's.id', 'l.statement_id'));

const selectLogs = (db: BillingDb) =>
  logsWithStatements(db).select([
    'l.id',
    'l.developer_id as user_id',
    'l.email',
    'l.amount_cents',
    'l.status',
    'l.error_message',
    'l.action',
    'l.attempt',
    'l.statement_id',
    's.number',
    sql<string>`${sql.raw(MONTH)}`.as('month'),
    'l.actor_id',
    sql<{ name: string; email: string } | null>`${sql.raw(ACTOR)}`.as('actor'),
    'l.created_at',
  ]);

export type LogRow = InferResult<ReturnType<typeof selectLogs>>[number];

function matching({ status, action, user_id, month, search }: Filter) {
  const found = search ? likeFolded(search) : null;
  const conditions = [
    sql`true`,
    ...(status ? [sql`l.status = ${status}`] : []),
    ...(action ? [sql`l.action = ${action}`] : []),
    ...(user_id ? [sql`l.developer_id = ${user_id}`] : []),
    ...(month ? [sql`s.month = ${`${month}-01`}`] : []),
    ...(found ? [sql`(${EMAIL} like ${found} or ${NUMBER} like ${found})`] : []),
  ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}

const EMAIL = sql.raw(folded('l.email'));
const NUMBER = sql.raw(folded('s.number'));

/** Newest first. */
export async function listLogs(
  db: BillingDb,
  page: number,
  filter: Filter,
): Promise<{ rows: LogRow[]; total: number }> {
  const rows = await selectLogs(db)
    .where(matching(filter))
    .orderBy('l.created_at', 'desc')
    .orderBy('l.attempt', 'desc')
    .orderBy('l.id', 'desc')
    .limit(PAGE)
    .offset((page - 1) * PAGE)
    .modifyEnd(ACROSS)
    .execute();
  const { total } = await logsWithStatements(db)
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(matching(filter))
    .modifyEnd(ACROSS)
    .executeTakeFirstOrThrow();
  return { rows, total };
}

export function logsExport(filter: Filter): Export {
  const cells = {
    'Time (UTC)': csvMoment('l.created_at', 'UTC'),
    'Developer ID': 'l.developer_id',
    Email: csvSafe('l.email'),
    'Amount (USD)': plainCentsSql('l.amount_cents'),
    Status: 'l.status',
    Action: 'l.action',
    Attempt: 'l.attempt',
    Error: csvText('l.error_message'),
    Invoice: csvSafe('s.number'),
    'Month (UTC)': MONTH,
    'Admin ID': 'l.actor_id',
    'Admin email': csvSafe(`(${ACTOR} ->> 'email')`),
  };
  const select = (row: RawBuilder<unknown>) => sql`${ACROSS} select ${row}
    from billing_logs l ${ownJoin('billing_statements as s', 's.id', 'l.statement_id')}
    where ${matching(filter)} order by l.created_at desc, l.attempt desc, l.id desc`;
  return csvExport(tables, cells, select, { timeZone: 'UTC' });
}

/** An admin knows a statement by its id alone. */
const selectStory = (db: BillingDb, id: string) =>
  db
    .selectFrom('billing_statements as s')
    .select([
      's.id',
      's.developer_id as user_id',
      sql<string>`coalesce(s.party ->> 'email', '')`.as('email'),
      's.number',
      sql<string>`${sql.raw(MONTH)}`.as('month'),
      's.state',
      's.total_cents',
      's.attempts',
      's.next_attempt_at',
      's.first_failed_at',
      's.last_error',
      's.stripe_invoice_id',
      's.closed_at',
      's.paid_at',
      's.paid_by',
      's.charged_cents',
      's.balance_cents',
    ])
    .where('s.id', '=', id)
    .modifyEnd(ACROSS);

export type StoryRow = InferResult<ReturnType<typeof selectStory>>[number];

export const findStory = (db: BillingDb, id: string): Promise<StoryRow | undefined> =>
  selectStory(db, id).executeTakeFirst();

/** What was tried with a statement, the oldest first. */
export function logsOf(db: BillingDb, { developer_id, id }: StatementKey): Promise<LogRow[]> {
  return selectLogs(db)
    .where('l.developer_id', '=', developer_id)
    .where('l.statement_id', '=', id)
    .orderBy('l.created_at')
    .orderBy('l.attempt')
    .orderBy('l.id')
    .execute();
}
