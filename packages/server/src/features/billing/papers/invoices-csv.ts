import pg from 'pg';
import { csvLine } from '#platform/csv/write.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Export } from '#platform/spool/exports.ts';
import type { Filter } from '../statements/statements.queries.ts';

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
const dollars = (column: string) => `round(s.${column} * 0.01, 2)`;
const iso = (column: string) => `to_char(s.${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** Every invoice that matches, the newest month first. */
export function invoicesCsv(developerId: string, { year, state }: Filter): Export {
  const filters = [
    `s.developer_id = ${pg.escapeLiteral(developerId)} and ${listOf('s', 'closed_at')}`,
    ...(year === undefined ? [] : [`extract(year from s.month) = ${year}`]),
    ...(state === undefined ? [] : [`s.state = ${pg.escapeLiteral(state)}`]),
  ];
  return {
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
    query: `select s.number, to_char(s.month, 'YYYY-MM'), s.plan, ${dollars('fee_cents')}, s.redemptions, s.overage_redemptions,
        ${dollars('overage_cents')}, s.refresh_count, ${dollars('refresh_cents')}, ${dollars('total_cents')}, s.state,
        ${iso('closed_at')}, ${iso('paid_at')}, s.paid_by, s.id
      from billing_statements s where ${filters.join(' and ')} order by s.month desc, s.id desc`,
  };
}
