import pg from 'pg';
import { accountName } from '#features/accounts';
import { customersLike } from '#features/customers';
import { familyIds } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import { codePattern, notForSale, OPEN, sellable } from '#features/serials';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { momentOf } from '#platform/time/days.ts';
import { COUNT, TERMS } from './catalog.queries.ts';
import type { ResellerRedeemedSerial, ResellerSerial, Which } from './catalog.schemas.ts';

/** A search that finds more is counted no further. */
const COUNT_LIMIT = 10_000;

/** A product as a reseller may see it, and the partnership that lets them. */
export interface SharedProduct {
  developer_id: string;
  partnership_id: string;
  developer_name: string;
  developer_time_zone: string;
  commission_bps: number;
  product_id: string;
  product_name: string;
  image_url: string | null;
  price_cents: number | null;
  sale_price_cents: number | null;
  created_at: Date;
  short_desc: string;
  long_desc: string;
  feature_list: string[];
  file_urls: { url: string }[];
}

/** Undefined for a draft, a deleted product, and one of a developer that the reseller doesn't work with. */
export async function findSharedProduct(sql: Sql, resellerId: string, id: string): Promise<SharedProduct | undefined> {
  const [product] = await sql.query<SharedProduct>(
    `/* across tenants: a reseller names a product of one of many developers */
     select p.developer_id, t.id as partnership_id, ${accountName('u')} as developer_name, u.time_zone as developer_time_zone,
       t.commission_bps, p.id as product_id,
       p.name as product_name, p.image_url, p.price_cents, p.sale_price_cents, p.created_at, p.short_desc, p.long_desc,
       p.feature_list, p.file_urls
     from partnerships t join users u on u.id = t.developer_id join products p on p.developer_id = t.developer_id and p.id = $2
     where t.reseller_id = $1 and t.status = 'active' and u.deleted_at is null and ${SEEN_BY_RESELLERS}`,
    [resellerId, id],
  );
  return product;
}

/** The sum of the downloads in our own storage; null when one of them is elsewhere, or there are none. */
export async function findDownloadBytes(sql: Sql, { developer_id, file_urls }: SharedProduct): Promise<number | null> {
  const ids = file_urls.map(({ url }) => fileIdOf(url)).filter((id) => id !== null);
  if (ids.length === 0 || ids.length < file_urls.length) return null;
  const [row] = await sql.query<{ bytes: number | null }>(
    'select sum(size)::float8 as bytes from files where developer_id = $1 and id = any($2)',
    [developer_id, ids],
  );
  return row?.bytes ?? null;
}

/** The batches of a product that a reseller was given, as far as the caller narrows them down. */
export async function findGiven(
  sql: Sql,
  product: Pick<SharedProduct, 'developer_id' | 'partnership_id' | 'product_id'>,
  which: Which,
  timeZone: string,
): Promise<string[]> {
  const same = TERMS.map((term) => `b.${term} is not distinct from d.${term}`).join(' and ');
  const rows = await sql.query<{ id: string }>(
    `select b.id from batches b
     where b.developer_id = $1 and b.partnership_id = $2 and b.product_id = $3
       and ($4::boolean is null or (b.promo_price_cents is not null) = $4)
       and ($5::int is null or b.promo_price_cents = $5) and ($6::timestamptz is null or b.promo_expires = $6)
       and ($7::text is null or b.batch_tag = $7)
       and ($8::uuid is null or b.promo_price_cents is not null and exists (
         select 1 from batches d where d.developer_id = b.developer_id and d.id = $8 and d.partnership_id = b.partnership_id
           and d.product_id = b.product_id and ${same}))`,
    [
      product.developer_id,
      product.partnership_id,
      product.product_id,
      which.promo ?? null,
      which.promo_price === undefined ? null : toCents(which.promo_price),
      momentOf(which.promo_expires, 'end', timeZone, 'promo_expires'),
      which.batch_tag ?? null,
      which.deal ?? null,
    ],
  );
  return rows.map((row) => row.id);
}

export interface GivenFilter {
  developerId: string;
  partnershipId: string;
  productId: string;
  batchIds: string[];
  /** Whether names and addresses are looked at and told. */
  people: boolean;
  search: string | undefined;
  now: Date;
}

interface SerialRow extends Omit<ResellerSerial, 'promo_price'> {
  promo_price_cents: number | null;
}

const AVAILABLE = `from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
    cross join lateral (select s.id, s.code from serials s
      where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN} and ($4::text is null or s.code_key like $4)
        and ($5::uuid is null or s.id < $5) order by s.id desc limit $6) s
  where b.developer_id = $1 and b.id = any($2) and ${sellable('$3')}`;

/** Newest first. From each batch at most a page is read. */
export async function listAvailable(
  sql: Sql,
  filter: GivenFilter,
  after: string | null,
  limit: number,
): Promise<ResellerSerial[]> {
  const { developerId, batchIds, now, search } = filter;
  if (search && !codePattern(search)) return [];
  const rows = await sql.query<SerialRow>(
    `select s.id, s.code, b.batch_tag, b.promo_price_cents, b.promo_start, b.promo_expires, b.expires_at ${AVAILABLE}
     order by s.id desc limit $6`,
    [developerId, batchIds, now, codePattern(search), after, limit],
  );
  return rows.map(({ promo_price_cents, ...row }) => ({ ...row, promo_price: toDollars(promo_price_cents) }));
}

interface Counts {
  available: number;
  not_for_sale: number;
  redeemed: number;
}

export async function countGiven(sql: Sql, { developerId, batchIds, now }: GivenFilter): Promise<Counts> {
  const [row] = await sql.query<Counts>(
    `select coalesce(sum(case when ${sellable('$3')} then ${COUNT.open} else 0 end), 0)::int as available,
       coalesce(sum(case when ${notForSale('$3')} then ${COUNT.open} else 0 end), 0)::int as not_for_sale,
       coalesce(sum(${COUNT.redeemed}), 0)::int as redeemed
     from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where b.developer_id = $1 and b.id = any($2)`,
    [developerId, batchIds, now],
  );
  return row ?? { available: 0, not_for_sale: 0, redeemed: 0 };
}

/** What a search finds, counted up to {@link COUNT_LIMIT}. */
export async function countFoundAvailable(sql: Sql, filter: GivenFilter): Promise<number> {
  if (!codePattern(filter.search)) return 0;
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from (select 1 ${AVAILABLE} limit $6) found`,
    [filter.developerId, filter.batchIds, filter.now, codePattern(filter.search), null, COUNT_LIMIT + 1],
  );
  return row?.n ?? 0;
}

export const isExact = (total: number, filter: GivenFilter) => !filter.search || total <= COUNT_LIMIT;
export const cappedTotal = (total: number, filter: GivenFilter) => (isExact(total, filter) ? total : COUNT_LIMIT);

export interface RedeemedPlace {
  redeemedAt: Date;
  id: string;
}

const text = (value: string) => pg.escapeLiteral(value);

/** The redemptions of given serials, as text: COPY takes no parameters. */
async function redeemed(sql: Sql, filter: GivenFilter, place: RedeemedPlace | null): Promise<string> {
  const { developerId, partnershipId, productId, batchIds, people, search } = filter;
  const code = codePattern(search);
  const found = [
    ...(code ? [`s.code_key like ${text(code)}`] : []),
    // who may not read addresses could spell them out by what a search finds
    ...(search ? [people ? await customersLike(sql, developerId, search) : 'false'] : []),
  ];
  const own = text(developerId);
  const family = await familyIds(sql, developerId, partnershipId);
  return `from redemptions r join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id)
      join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
      join customers c on (c.developer_id, c.id) = (r.developer_id, r.customer_id)
    where r.developer_id = ${own} and r.partnership_id = any(${text(`{${family.join(',')}}`)}::uuid[]) and r.product_id = ${text(productId)}
      and b.id = any(${text(`{${batchIds.join(',')}}`)}::uuid[])
      ${found.length > 0 ? `and (${found.join(' or ')})` : ''}
      ${place ? `and (r.redeemed_at, r.id) < (${text(place.redeemedAt.toISOString())}::timestamptz, ${text(place.id)})` : ''}`;
}

/** Newest redemption first. */
export async function listRedeemed(
  sql: Sql,
  filter: GivenFilter,
  place: RedeemedPlace | null,
  limit: number,
): Promise<ResellerRedeemedSerial[]> {
  return sql.query(
    `select r.id, s.code, c.first_name, c.last_name, c.email, r.redeemed_at, b.batch_tag, s.revoked_at is not null as revoked
     ${await redeemed(sql, filter, place)} order by r.redeemed_at desc, r.id desc limit ${limit}`,
  );
}

export async function countFoundRedeemed(sql: Sql, filter: GivenFilter): Promise<number> {
  const [row] = await sql.query<{ n: number }>(
    `select count(*)::int as n from (select 1 ${await redeemed(sql, filter, null)} limit ${COUNT_LIMIT + 1}) found`,
  );
  return row?.n ?? 0;
}

const COLUMNS = ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Batch Tag'];

/** All that were redeemed, newest first. */
export async function redeemedExport(sql: Sql, filter: GivenFilter, timeZone: string): Promise<Export> {
  const cells = [
    csvMoment('r.redeemed_at', timeZone, 's'),
    ...['c.first_name', 'c.last_name', 'c.email', 's.code', 'b.batch_tag'].map((column) =>
      column.startsWith('c.') && !filter.people ? 'null' : innerBreaks(csvSafe(column)),
    ),
  ];
  return {
    query: `select ${cells.join(', ')} ${await redeemed(sql, filter, null)} order by r.redeemed_at desc, r.id desc`,
    timeZone,
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
  };
}
