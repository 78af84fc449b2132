import { type RawBuilder, sql } from 'kysely';
import { csvExport } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { plainCentsSql } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import { type Filter, matching } from '../statements/statements.queries.ts';
import { tables } from '../tables.ts';

const CELLS = {
  Number: 's.number',
  'Month (UTC)': "to_char(s.month, 'YYYY-MM')",
  Plan: 's.plan',
  Fee: plainCentsSql('s.fee_cents'),
  Redemptions: 's.redemptions',
  'Overage Redemptions': 's.overage_redemptions',
  Overage: plainCentsSql('s.overage_cents'),
  Refreshes: 's.refresh_count',
  'Refresh Cost': plainCentsSql('s.refresh_cents'),
  Total: plainCentsSql('s.total_cents'),
  State: 's.state',
  'Closed At': csvMoment('s.closed_at', 'UTC'),
  'Paid At': csvMoment('s.paid_at', 'UTC'),
  'Paid By': 's.paid_by',
  ID: 's.id',
};

/** Every invoice that matches, the newest month first. */
export function invoicesCsv(developerId: string, filter: Filter): Export {
  const select = (row: RawBuilder<unknown>) => sql`
    select ${row} from billing_statements s where ${matching(developerId, filter)} order by s.month desc, s.id desc`;
  return csvExport(tables, CELLS, select, { timeZone: 'UTC' });
}
