import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { csvExport } from '#platform/csv/csv-export.ts';
import { csvMoment } from '#platform/csv/moments.ts';
import type { Sql } from '#platform/db/database.ts';
import { COUNTED, type KindCount, mostFrequentOf } from '#platform/db/statements/choices.ts';
import { csvSafe } from '#platform/db/statements/csv-safe.ts';
import { folded, likeFolded } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import { withValue } from '#platform/db/statements/with-value.ts';
import { plainCentsSql } from '#platform/money.ts';
import type { Export } from '#platform/spool/exports.ts';
import {
  choiceColumns,
  chosenProducts,
  figures,
  type ProductChoices,
  type ProductKind,
  type ProductScope,
  type ProductSort,
  type StockSql,
  sortKey,
} from './product-filter.ts';
import { type BareProduct, PRODUCT_COLUMNS, type ProductRow, productView } from './products.queries.ts';
import { type ProductsDb, tables } from './tables.ts';

export interface ProductFilter extends ProductScope, ProductChoices {
  search: string | undefined;
}

/** Products `p` that fit. */
function fitting(filter: ProductFilter, stock: StockSql): Expression<SqlBool> {
  const conditions = [
    sql`p.developer_id = ${filter.developerId}`,
    LISTED,
    ...(filter.search ? [sql`${NAME} like ${likeFolded(filter.search)}`] : []),
    ...chosenProducts(filter, () => choiceColumns(figures(filter, stock))),
  ];
  return sql`${sql.join(conditions, sql` and `)}`;
}

const LISTED = sql`${inList('p.created_at')} and p.deleted_at is null`;
const NAME = sql.raw(folded('p.name_key'));

/** `after` is what the page before ended with. */
export async function listProducts(
  db: ProductsDb,
  filter: ProductFilter,
  stock: StockSql,
  sort: ProductSort,
  after: { key: string; id: string } | null,
  limit: number,
  count: boolean,
): Promise<{ rows: (BareProduct & { sort_key: string })[]; total: number | null }> {
  const fit = fitting(filter, stock);
  const [way, beyond] = sort.startsWith('-') ? [sql`desc`, sql`<`] : [sql`asc`, sql`>`];
  // ids grow with time, so that the newest first needs no other key
  const byId = sort.endsWith('created_at');
  const sorted = sql`p.sort_key collate "C"`;
  const further = byId
    ? sql`p.id ${beyond} ${after?.id}::uuid`
    : sql`(${sorted}, p.id) ${beyond} (${after?.key}::text collate "C", ${after?.id}::uuid)`;
  // templates: they are built for every page, several times as fast
  const page = sql<ProductRow & { sort_key: string }>`
    select * from (
      select ${PRODUCT_COLUMNS}, ${sortKey(sort, figures(filter, stock))} as sort_key from products p where ${fit}) p
    ${after ? sql`where ${further}` : sql``}
    order by ${byId ? sql`` : sql`${sorted} ${way},`} p.id ${way} limit ${limit}`;
  const [{ rows }, counted] = await Promise.all([
    page.execute(db),
    count ? sql<{ n: number }>`select count(*) as n from products p where ${fit}`.execute(db) : null,
  ]);
  return {
    rows: rows.map(({ sort_key, ...row }) => ({ ...productView(row), sort_key })),
    total: counted && (counted.rows[0]?.n ?? 0),
  };
}

/** The choices of filters, with the number of products that each choice leaves. */
export async function productChoiceCounts(
  handle: Sql,
  kinds: readonly ProductKind[],
  filter: ProductFilter,
  stock: StockSql,
): Promise<KindCount<ProductKind>[]> {
  const columns = choiceColumns(figures(filter, stock));
  const each = kinds.map((kind) => {
    const value = sql.ref(kind);
    const grouped = sql`select ${value} as value, count(*)::int as count, (select count(*) from product) < ${sql.lit(COUNTED)} as exact from product group by 1`;
    return mostFrequentOf(kind, grouped, sql`null::text`);
  });
  const values = kinds.map((kind) => sql`${columns[kind].value} as ${sql.ref(kind)}`);
  const { rows } = await sql<KindCount<ProductKind>>`
    with product as materialized (
      select ${sql.join(values)} from products p where ${fitting(filter, stock)} order by p.id desc limit ${sql.lit(COUNTED)})
    ${sql.join(each, sql` union all `)}`.execute(tables.in(handle));
  return rows;
}

/** The version whose files product `p` has now. */
const version = (developerId: string) =>
  sql<string | null>`(select v.name from file_versions v where v.developer_id = ${developerId} and v.product_id = p.id
    and v.files = p.file_urls order by v.created_at desc, v.id desc limit 1)`;

/** Figures of some products. @param since the first of the last 30 days */
export async function figuresOf(
  handle: Sql,
  scope: ProductScope,
  ids: readonly string[],
  stock: StockSql,
  since: string,
) {
  const { developerId } = scope;
  const of = figures(scope, stock);
  const rows = await tables
    .in(handle)
    .selectFrom('products as p')
    .select('p.id')
    .select(() => [
      sql<number>`${of.generated}::int`.as('generated'),
      sql<number>`${of.redeemed}::int`.as('redeemed'),
      sql<number>`${of.revenueCents}::int8`.as('revenue_cents'),
      version(developerId).as('file_version'),
      sql<number>`(select coalesce(sum(d.redemptions), 0)::int from ledger_days d
        where d.developer_id = ${developerId} and d.product_id = p.id and d.day >= ${since})`.as('recent'),
    ])
    .where('p.developer_id', '=', developerId)
    .where('p.id', '=', sql<string>`any(${ids})`)
    .execute();
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

/** All that fit, in the order of the list. */
export function productsExport(filter: ProductFilter, stock: StockSql, sort: ProductSort, timeZone: string): Export {
  const of = figures(filter, stock);
  const way = sql.raw(sort.startsWith('-') ? 'desc' : 'asc');
  const cells = {
    ID: 'p.id',
    Name: csvSafe('p.name'),
    Status: "case when p.is_draft then 'draft' else 'submitted' end",
    Price: plainCentsSql('p.price_cents'),
    'Sale Price': plainCentsSql('p.sale_price_cents'),
    Available: of.available,
    Generated: of.generated,
    Redeemed: of.redeemed,
    Revenue: withValue(plainCentsSql, of.revenueCents),
    Files: 'jsonb_array_length(p.file_urls)',
    Version: csvSafe('v.name'),
    Created: csvMoment('p.created_at', timeZone, 's'),
  };
  const select = (row: RawBuilder<unknown>) => sql`select ${row}
    from products p left join lateral (select ${version(filter.developerId)} as name) v on true
    where ${fitting(filter, stock)} order by (${sortKey(sort, of)}) collate "C" ${way}, p.id ${way}`;
  return csvExport(tables, cells, select, { timeZone, lineEnd: '\n' });
}
