import { sql } from 'kysely';
import { csvLine } from '#platform/csv/write.ts';
import type { Export } from '#platform/spool/exports.ts';
import { type Filter, matching } from '../statements/statements.queries.ts';
import { tables } from '../tables.ts';

const COLUMNS = [
  'Number',
  'Month (UTC)',
  'Plan',
  'Fee',
  'Redemptions',
  'Overage Redemptions',
  'Overage',
  'Refreshes',
  'Refresh Cost',
  'Total',
  'State',
  'Closed At',
  'Paid At',
  'Paid By',
  'ID',
];

/** A plain number. */
const dollars = (column: string) => sql`round(${sql.ref(column)} * 0.01, 2)`;
const iso = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Every invoice that matches, the newest month first. */
export function invoicesCsv(developerId: string, filter: Filter): Export {
  return {
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    query: tables.text(sql`
      select s.number, to_char(s.month, 'YYYY-MM'), s.plan, ${dollars('s.fee_cents')}, s.redemptions, s.overage_redemptions,
        ${dollars('s.overage_cents')}, s.refresh_count, ${dollars('s.refresh_cents')}, ${dollars('s.total_cents')}, s.state,
        ${iso('s.closed_at')}, ${iso('s.paid_at')}, s.paid_by, s.id
      from billing_statements s where ${matching(developerId, filter)} order by s.month desc, s.id desc`),
    feature: tables.feature,
  };
}
