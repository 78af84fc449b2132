import { type RawBuilder, sql } from 'kysely';
import { csvExport, csvText } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { ownJoin, ownLeftJoin } from '#platform/db/tenant.ts';
import { plainCentsSql } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import { type SerialsDb, tables } from '../tables.ts';
import { hitsOf, type RedeemedFilter } from './redeemed.queries.ts';
import type { RedeemedColumns } from './redeemed-filter.ts';

type Cells = Readonly<Record<string, string>>;
interface Sheet {
  cells: Cells;
  /** The columns of a serial and its batch that its cells need, beside the ledger. */
  columns: RawBuilder<unknown>;
  joins: RawBuilder<unknown>;
}

const DOLLARS = plainCentsSql('r.final_price_cents');

function listSheet(personal: (column: string) => string, timeZone: string): Sheet {
  return {
    cells: {
      'Redeem Date': csvMoment('r.redeemed_at', timeZone, 's'),
      First: personal('r.first_name'),
      Last: personal('r.last_name'),
      Email: personal('r.email'),
      Serial: 'r.code',
      Product: 'r.product_name',
      Total: DOLLARS,
    },
    columns: sql``,
    joins: sql``,
  };
}

/** Each serial is looked up by itself: to hash all serials of an account would read its stock too. */
function importSheet(personal: (column: string) => string, timeZone: string, developerId: string): Sheet {
  return {
    cells: {
      Serial: 'r.code',
      Product: 'r.product_name',
      'First Name': personal('r.first_name'),
      'Last Name': personal('r.last_name'),
      Email: personal('r.email'),
      'Total Price': DOLLARS,
      'Purchase Date': csvMoment('r.redeemed_at', timeZone),
      Downloads: 'r.download_count',
      Revoked: `case when r.revoked then 'Yes' else 'No' end`,
      Reseller: 'r.reseller',
      Country: 'r.country',
    },
    columns: sql`, s.download_count, s.revoked_at is not null as revoked, r.country,
        ${sql.raw(csvText('coalesce(g.name, t.name)'))} as reseller`,
    joins: sql`cross join lateral (
          select s.download_count, s.revoked_at from serials s where s.developer_id = ${developerId} and s.id = r.serial_id limit 1) s
        ${ownLeftJoin('partnerships as t', 't.id', 'r.partnership_id')}
        ${ownLeftJoin('partnerships as g', 'g.id', 't.merged_into')}`,
  };
}

/** All that fit the filter, newest first. */
export async function redeemedExport(
  db: SerialsDb,
  filter: RedeemedFilter,
  { columns, timeZone }: { columns: RedeemedColumns; timeZone: string },
): Promise<Export> {
  const { developerId } = filter;
  const hits = await hitsOf(db, filter);
  const personal = (column: string) => (filter.people ? column : 'null');
  const sheet = columns === 'list' ? listSheet(personal, timeZone) : importSheet(personal, timeZone, developerId);
  const text = (column: string, name: string) => sql`${sql.raw(csvSafe(column))} as ${sql.ref(name)}`;
  const found = hits.all
    ? sql`redemptions r`
    : sql`(select distinct id from (${hits.newest(null)}) found) h join redemptions r on r.id = h.id`;
  const those = hits.all
    ? sql`${hits.all} and ${inList('p.created_at')} and ${inList('c.created_at')}`
    : sql`r.developer_id = ${developerId}`;
  // few serials change hands: all others still belong to the customer in the ledger, without a look at the serials;
  // those few are looked up one by one, because joins are hashed here, which would read everybody's serials
  const select = (row: RawBuilder<unknown>) => sql`with moved as materialized (
      select e.serial_id as id, (
        select s.customer_id from serials s where s.developer_id = ${developerId} and s.id = e.serial_id) as customer_id
      from (
        select distinct e.serial_id from serial_events e
        where e.developer_id = ${developerId} and e.kind = 'transferred') e)
    select ${row} from (
      select r.redeemed_at, ${text('c.first_name', 'first_name')}, ${text('c.last_name', 'last_name')}, ${text('c.email', 'email')},
        ${text('r.code', 'code')}, ${text('p.name', 'product_name')}, r.final_price_cents${sheet.columns}
      from ${found} ${ownJoin('products as p', 'p.id', 'r.product_id')}
        left join moved m on m.id = r.serial_id
        join customers c on (c.developer_id, c.id) = (r.developer_id, coalesce(m.customer_id, r.customer_id)) ${sheet.joins}
      where ${those} order by r.redeemed_at desc, r.id desc offset 0) r`;
  // sorted before times and prices become longer texts; all of them are joined with the customers read once, also where the
  // statistics don't know the account yet
  const settings: Record<string, string> = hits.all ? { enable_nestloop: 'off' } : {};
  return csvExport(tables, sheet.cells, select, { timeZone, settings, lineEnd: '\n' });
}
