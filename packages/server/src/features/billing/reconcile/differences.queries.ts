import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import type { BillingDifference } from './differences.schemas.ts';

export async function differenceOf(sql: Sql, developerId: string, statementId: string): Promise<string | null> {
  const [row] = await sql.query<{ words: string }>(
    'select words from billing_differences where developer_id = $1 and statement_id = $2',
    [developerId, statementId],
  );
  return row?.words ?? null;
}

export interface Difference {
  developerId: string;
  statementId: string;
  /** Of the statement that is here, if there is one. */
  number: string | null;
  invoiceId: string | null;
  words: string;
}

/** Replaces what was found before. @param found one for each statement. */
export async function saveDifferences(sql: Sql, found: readonly Difference[], now: Date): Promise<void> {
  await sql.query('/* across tenants: the reconciliation */ delete from billing_differences where true');
  await sql.query(
    `insert into billing_differences (developer_id, statement_id, invoice_id, words, found_at)
     select d.developer_id, d.statement_id, d.invoice_id, d.words, $5
     from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[]) as d (developer_id, statement_id, invoice_id, words)`,
    [
      found.map(({ developerId }) => developerId),
      found.map(({ statementId }) => statementId),
      found.map(({ invoiceId }) => invoiceId),
      found.map(({ words }) => words),
      now,
    ],
  );
}

export async function countDifferences(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    '/* across tenants: a figure of the platform */ select count(*) as n from billing_differences',
  );
  return row?.n ?? 0;
}

const PAGE = 20;
const ACROSS = '/* across tenants: the admins’ list */';
const FROM = `billing_differences d
     left join billing_statements s on (s.developer_id, s.id) = (d.developer_id, d.statement_id)`;
const ORDER = 'd.found_at desc, d.developer_id, d.statement_id';

/** With the statements that they are about, where there are any. */
export function listDifferences(sql: Sql, page: number): Promise<BillingDifference[]> {
  return sql.query<BillingDifference>(
    `${ACROSS}
     select d.developer_id as user_id, s.party ->> 'email' as email, d.statement_id, s.number, to_char(s.month, 'YYYY-MM') as month,
       d.invoice_id as stripe_invoice_id, d.words, d.found_at
     from ${FROM}
     order by ${ORDER} limit ${PAGE} offset $1`,
    [(page - 1) * PAGE],
  );
}

export function differencesExport(): Export {
  const cells = [
    `to_char(d.found_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    'd.developer_id::text',
    csvSafe("(s.party ->> 'email')"),
    csvSafe('s.number'),
    "to_char(s.month, 'YYYY-MM')",
    'd.statement_id::text',
    csvSafe('d.invoice_id'),
    innerBreaks(csvSafe('d.words')),
  ];
  return {
    format: 'csv',
    lineEnd: '\r\n',
    header: csvLine([
      'Time (UTC)',
      'Developer ID',
      'Email',
      'Invoice',
      'Month (UTC)',
      'Invoice ID',
      'Stripe Invoice ID',
      'Difference',
    ]),
    query: `${ACROSS} select ${cells.join(', ')} from ${FROM} order by ${ORDER}`,
  };
}
