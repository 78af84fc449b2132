import { csvLine } from '../../platform/csv/write.ts';
import type { PartnerDeveloper } from './partnerships.schemas.ts';

const COLUMNS = [
  'Company',
  'First',
  'Last',
  'Email',
  'Website',
  'Business Address',
  'Tax ID',
  'Status',
  'Since',
  'Ended',
  'Commission %',
  'Redemptions',
  'Revenue',
  'Commission',
];

export function developersCsv(rows: readonly PartnerDeveloper[]): string {
  const lines = rows.map((row) => [
    row.company_name,
    row.first_name,
    row.last_name,
    row.email,
    row.website,
    row.business_address,
    row.tax_id,
    row.status,
    row.since.toISOString(),
    row.ended_at?.toISOString(),
    row.commission_rate,
    row.total_redemptions,
    // numbers, so that a negative one is not taken for a formula
    row.total_revenue,
    row.total_commission,
  ]);
  return [COLUMNS, ...lines].map(csvLine).join('');
}
