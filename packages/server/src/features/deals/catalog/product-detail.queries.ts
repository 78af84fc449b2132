import { type Expression, sql } from 'kysely';
import { nameOf } from '#features/accounts';
import { matchingCustomers } from '#features/customers';
import { developersOf, familyIds } from '#features/partnerships';
import { SEEN_BY_RESELLERS } from '#features/products';
import { codePattern, notForSale, OPEN, sellable } from '#features/serials';
import { csvMoment } from '#platform/csv/moments.ts';
import { csvLine } from '#platform/csv/write.ts';
import type { Sql } from '#platform/db/database.ts';
import { COUNT_LIMIT } from '#platform/db/statements/count-limit.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import type { Columns } from '#platform/db/tables.ts';
import { lookUpOwn, ofTenants, ownJoin } from '#platform/db/tenant.ts';
import { toCents, toDollars } from '#platform/money.ts';
import { type Export, innerBreaks } from '#platform/spool/exports.ts';
import { fileIdOf } from '#platform/storage/file-url.ts';
import { momentOf } from '#platform/time/days.ts';
import { type DealsHandle, tables } from '../tables.ts';
import { SAME_TERMS, serialCounts } from './catalog.queries.ts';
import type { ResellerRedeemedSerial, ResellerSerial, Which } from './catalog.schemas.ts';

/** A product as a reseller may see it, and the partnership that lets them. */
export interface SharedProduct
  extends Columns<'partnerships', 'commission_bps'>,
    Columns<'products', 'developer_id' | 'image_url' | 'price_cents' | 'sale_price_cents' | 'created_at'>,
    Columns<'products', 'short_desc' | 'long_desc' | 'feature_list' | 'file_urls'> {
  partnership_id: string;
  developer_name: string;
  developer_time_zone: string;
  product_id: string;
  product_name: string;
}

/** Undefined for a draft, a deleted product, and one of a developer that the reseller doesn't work with. */
export async function findSharedProduct(
  handle: DealsHandle,
  resellerId: string,
  id: string,
): Promise<SharedProduct | undefined> {
  const developers = await developersOf(handle, resellerId);
  const { rows } = await sql<SharedProduct>`
    select p.developer_id, t.id as partnership_id, ${nameOf('u')} as developer_name, u.time_zone as developer_time_zone,
      t.commission_bps, p.id as product_id,
      p.name as product_name, p.image_url, p.price_cents, p.sale_price_cents, p.created_at, p.short_desc, p.long_desc,
      p.feature_list, p.file_urls
    from partnerships t join users u on u.id = t.developer_id join products p on p.developer_id = t.developer_id and p.id = ${id}
    where t.reseller_id = ${resellerId} and t.status = 'active' and u.deleted_at is null and ${SEEN_BY_RESELLERS}
      and ${ofTenants('t', developers)} and ${ofTenants('p', developers)}`.execute(handle);
  return rows[0];
}

/** The sum of the downloads in our own storage; null when one of them is elsewhere, or there are none. */
export async function findDownloadBytes(
  handle: DealsHandle,
  { developer_id, file_urls }: SharedProduct,
): Promise<number | null> {
  const ids = file_urls.map(({ url }) => fileIdOf(url)).filter((id) => id !== null);
  if (ids.length === 0 || ids.length < file_urls.length) return null;
  const { bytes } = await handle
    .selectFrom('files')
    .select(sql<number | null>`sum(size)::float8`.as('bytes'))
    .where('developer_id', '=', developer_id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .executeTakeFirstOrThrow();
  return bytes;
}

/** The batches of a product that a reseller was given, as far as the caller narrows them down. */
export async function findGiven(
  handle: Sql,
  product: Pick<SharedProduct, 'developer_id' | 'partnership_id' | 'product_id'>,
  which: Which,
  timeZone: string,
): Promise<string[]> {
  const { developer_id: developerId, partnership_id: partnershipId, product_id: productId } = product;
  const expires = momentOf(which.promo_expires, 'end', timeZone, 'promo_expires');
  const given = (alias: 'b' | 'd') =>
    sql`${sql.ref(`${alias}.developer_id`)} = ${developerId} and ${sql.ref(`${alias}.partnership_id`)} = ${partnershipId}
      and ${sql.ref(`${alias}.product_id`)} = ${productId}`;
  const conditions = [
    given('b'),
    ...(which.promo === undefined ? [] : [sql`(b.promo_price_cents is not null) = ${which.promo}`]),
    ...(which.promo_price === undefined ? [] : [sql`b.promo_price_cents = ${toCents(which.promo_price)}`]),
    ...(expires ? [sql`b.promo_expires = ${expires}`] : []),
    ...(which.batch_tag === undefined ? [] : [sql`b.batch_tag = ${which.batch_tag}`]),
    ...(which.deal === undefined
      ? []
      : [
          sql`b.promo_price_cents is not null and exists (
            select 1 from batches d where ${given('d')} and d.id = ${which.deal} and ${SAME_TERMS})`,
        ]),
  ];
  const { rows } = await sql<Columns<'batches', 'id'>>`
    select b.id from batches b where ${sql.join(conditions, sql` and `)}`.execute(tables.in(handle));
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

type SerialRow = Omit<ResellerSerial, 'promo_price'> & Columns<'batches', 'promo_price_cents'>;

/** Serials `s` that the reseller may sell now. From each batch at most `limit` are read. */
const availableOf = ({ developerId, batchIds, now, search }: GivenFilter, after: string | null, limit: number) => sql`
  from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
    cross join lateral (select s.id, s.code from serials s
      where s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN}
        ${search ? sql`and s.code_key like ${codePattern(search)}` : sql``} ${after ? sql`and s.id < ${after}::uuid` : sql``}
      order by s.id desc limit ${limit}) s
  where b.developer_id = ${developerId} and b.id = any(${batchIds}::uuid[]) and ${sellable(now)}`;

/** Newest first. From each batch at most a page is read. */
export async function listAvailable(
  handle: DealsHandle,
  filter: GivenFilter,
  after: string | null,
  limit: number,
): Promise<ResellerSerial[]> {
  if (filter.search && !codePattern(filter.search)) return [];
  const { rows } = await sql<SerialRow>`
    select s.id, s.code, b.batch_tag, b.promo_price_cents, b.promo_start, b.promo_expires, b.expires_at
    ${availableOf(filter, after, limit)} order by s.id desc limit ${limit}`.execute(handle);
  return rows.map(({ promo_price_cents, ...row }) => ({ ...row, promo_price: toDollars(promo_price_cents) }));
}

interface Counts {
  available: number;
  not_for_sale: number;
  redeemed: number;
}

export async function countGiven(handle: DealsHandle, { developerId, batchIds, now }: GivenFilter): Promise<Counts> {
  const { open, redeemed } = serialCounts({ developerId });
  const { rows } = await sql<Counts>`
    select coalesce(sum(case when ${sellable(now)} then ${open} else 0 end), 0)::int as available,
      coalesce(sum(case when ${notForSale(now)} then ${open} else 0 end), 0)::int as not_for_sale,
      coalesce(sum(${redeemed}), 0)::int as redeemed
    from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
    where b.developer_id = ${developerId} and b.id = any(${batchIds}::uuid[])`.execute(handle);
  return rows[0] ?? { available: 0, not_for_sale: 0, redeemed: 0 };
}

/** Counts the serials that a search finds, up to {@link COUNT_LIMIT}. */
export async function countFoundAvailable(handle: DealsHandle, filter: GivenFilter): Promise<number> {
  if (!codePattern(filter.search)) return 0;
  const most = COUNT_LIMIT + 1;
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (select 1 ${availableOf(filter, null, most)} limit ${most}) found`.execute(handle);
  return rows[0]?.n ?? 0;
}

export const isExact = (total: number, filter: GivenFilter) => !filter.search || total <= COUNT_LIMIT;
export const cappedTotal = (total: number, filter: GivenFilter) => (isExact(total, filter) ? total : COUNT_LIMIT);

export interface RedeemedPlace {
  redeemedAt: Date;
  id: string;
}

/** The redemptions `r` of given serials. */
async function redeemed(handle: DealsHandle, filter: GivenFilter, place: RedeemedPlace | null) {
  const { developerId, partnershipId, productId, batchIds, people, search } = filter;
  const code = codePattern(search);
  const found: Expression<unknown>[] = [
    ...(code ? [sql`s.code_key like ${code}`] : []),
    // callers that may not read addresses could guess them by what a search finds
    ...(search ? [people ? await matchingCustomers(handle, developerId, search) : sql`false`] : []),
  ];
  const family = await familyIds(handle, developerId, partnershipId);
  return sql`from redemptions r ${ownJoin('serials as s', 's.id', 'r.serial_id')}
      ${ownJoin('batches as b', 'b.id', 's.batch_id')}
      ${ownJoin('customers as c', 'c.id', 'r.customer_id')}
    where r.developer_id = ${developerId} and r.partnership_id = any(${family}::uuid[]) and r.product_id = ${productId}
      and b.id = any(${batchIds}::uuid[])
      ${found.length > 0 ? sql`and (${sql.join(found, sql` or `)})` : sql``}
      ${before(place)}`;
}

const before = (place: RedeemedPlace | null) =>
  place ? sql`and (r.redeemed_at, r.id) < (${place.redeemedAt}::timestamptz, ${place.id}::uuid)` : sql``;

/** The ids of the newest: read in the order of an index, so that what was redeemed before them is not looked at. */
async function newestRedeemed(handle: DealsHandle, filter: GivenFilter, place: RedeemedPlace | null, limit: number) {
  const { developerId, partnershipId, productId, batchIds } = filter;
  if (filter.search)
    return sql`select r.id ${await redeemed(handle, filter, place)} order by r.redeemed_at desc, r.id desc limit ${limit}`;
  const family = await familyIds(handle, developerId, partnershipId);
  return sql`
    select h.id from unnest(${family}::uuid[]) f (id) cross join lateral (
      select r.id, r.redeemed_at from redemptions r
      where r.developer_id = ${developerId} and r.partnership_id = f.id and r.product_id = ${productId} ${before(place)} and (
        select s.batch_id from serials s where s.developer_id = ${developerId} and s.id = r.serial_id) = any(${batchIds}::uuid[])
      order by r.redeemed_at desc, r.id desc limit ${limit}) h
    order by h.redeemed_at desc, h.id desc limit ${limit}`;
}

/** Newest redemption first. */
export async function listRedeemed(
  handle: DealsHandle,
  filter: GivenFilter,
  place: RedeemedPlace | null,
  limit: number,
): Promise<ResellerRedeemedSerial[]> {
  const { developerId } = filter;
  const { rows } = await sql<ResellerRedeemedSerial>`
    select r.id, s.code, c.first_name, c.last_name, c.email, r.redeemed_at, b.batch_tag, s.revoked_at is not null as revoked
    from (${await newestRedeemed(handle, filter, place, limit)}) h ${lookUpOwn('redemptions as r', developerId, sql`h.id`)}
      ${lookUpOwn('serials as s', developerId, sql`r.serial_id`)} ${lookUpOwn('batches as b', developerId, sql`s.batch_id`)}
      ${lookUpOwn('customers as c', developerId, sql`r.customer_id`)}
    order by r.redeemed_at desc, r.id desc`.execute(handle);
  return rows;
}

export async function countFoundRedeemed(handle: DealsHandle, filter: GivenFilter): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from (
      select 1 ${await redeemed(handle, filter, null)} limit ${COUNT_LIMIT + 1}) found`.execute(handle);
  return rows[0]?.n ?? 0;
}

const COLUMNS = ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Batch Tag'];

/** All that were redeemed, newest first. */
export async function redeemedExport(handle: DealsHandle, filter: GivenFilter, timeZone: string): Promise<Export> {
  const cells = [
    sql.raw(csvMoment('r.redeemed_at', timeZone, 's')),
    ...['c.first_name', 'c.last_name', 'c.email', 's.code', 'b.batch_tag'].map((column) =>
      column.startsWith('c.') && !filter.people ? sql`null` : sql.raw(innerBreaks(csvSafe(column))),
    ),
  ];
  return {
    query: tables.text(
      sql`select ${sql.join(cells)} ${await redeemed(handle, filter, null)} order by r.redeemed_at desc, r.id desc`,
    ),
    feature: tables.feature,
    timeZone,
    format: 'csv',
    header: csvLine(COLUMNS),
    lineEnd: '\r\n',
  };
}
