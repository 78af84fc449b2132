import { type RawBuilder, sql } from 'kysely';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { acrossTenants, leftJoinOwn, ownLeftJoin } from '#platform/db/tenant.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { StatementKey } from '../collection/due.queries.ts';
import { type BillingDb, type BillingHandle, tables } from '../tables.ts';
import type { BillingDifference } from './differences.schemas.ts';

export async function differenceOf(db: BillingDb, { developer_id, id }: StatementKey): Promise<string | null> {
  const difference = await db
    .selectFrom('billing_differences')
    .select('words')
    .where('developer_id', '=', developer_id)
    .where('statement_id', '=', id)
    .executeTakeFirst();
  return difference?.words ?? null;
}

export interface Difference {
  developerId: string;
  statementId: string;
  /** The number of the statement that is here, if there is one. */
  number: string | null;
  invoiceId: string | null;
  words: string;
}

/** Replaces what was found before. @param found one for each statement. */
export async function saveDifferences(tx: BillingHandle, found: readonly Difference[], now: Date): Promise<void> {
  await tx.deleteFrom('billing_differences').modifyEnd(acrossTenants('the reconciliation')).execute();
  await sql`
    insert into billing_differences (developer_id, statement_id, invoice_id, words, found_at)
    select d.developer_id, d.statement_id, d.invoice_id, d.words, ${now}::timestamptz
    from unnest(${found.map(({ developerId }) => developerId)}::uuid[], ${found.map(({ statementId }) => statementId)}::uuid[],
      ${found.map(({ invoiceId }) => invoiceId)}::text[], ${found.map(({ words }) => words)}::text[])
      as d (developer_id, statement_id, invoice_id, words)`.execute(tx);
}

export async function countDifferences(handle: BillingHandle): Promise<number> {
  const { n } = await handle
    .selectFrom('billing_differences')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .modifyEnd(acrossTenants('a figure of the platform'))
    .executeTakeFirstOrThrow();
  return n;
}

const PAGE = 20;
const ACROSS = acrossTenants('the admins’ list');
const EMAIL = "s.party ->> 'email'";
const MONTH = "to_char(s.month, 'YYYY-MM')";

/** Lists differences with their statements, where there are any. */
export function listDifferences(db: BillingDb, page: number): Promise<BillingDifference[]> {
  return db
    .selectFrom('billing_differences as d')
    .$call(leftJoinOwn('billing_statements as s', 's.id', 'd.statement_id'))
    .select([
      'd.developer_id as user_id',
      sql<string | null>`${sql.raw(EMAIL)}`.as('email'),
      'd.statement_id',
      's.number',
      sql<string | null>`${sql.raw(MONTH)}`.as('month'),
      'd.invoice_id as stripe_invoice_id',
      'd.words',
      'd.found_at',
    ])
    .orderBy('d.found_at', 'desc')
    .orderBy('d.developer_id')
    .orderBy('d.statement_id')
    .limit(PAGE)
    .offset((page - 1) * PAGE)
    .modifyEnd(ACROSS)
    .execute();
}

export function differencesExport(): Export {
  const cells = {
    'Time (UTC)': csvMoment('d.found_at', 'UTC'),
    'Developer ID': 'd.developer_id',
    Email: csvSafe(`(${EMAIL})`),
    Invoice: csvSafe('s.number'),
    'Month (UTC)': MONTH,
    'Invoice ID': 'd.statement_id',
    'Stripe Invoice ID': csvSafe('d.invoice_id'),
    Difference: csvText('d.words'),
  };
  const select = (row: RawBuilder<unknown>) => sql`${ACROSS} select ${row}
    from billing_differences d ${ownLeftJoin('billing_statements as s', 's.id', 'd.statement_id')}
    order by d.found_at desc, d.developer_id, d.statement_id`;
  return csvExport(tables, cells, select, { timeZone: 'UTC' });
}
