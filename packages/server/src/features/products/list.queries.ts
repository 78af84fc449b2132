import pg from 'pg';
import { csvMoment } from '../../platform/csv/moments.ts';
import { csvLine } from '../../platform/csv/write.ts';
import { COUNTED, type KindCount, mostFrequent } from '../../platform/db/choices.ts';
import { csvSafe } from '../../platform/db/csv-safe.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { folded, likeFolded } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import type { Export } from '../../platform/spool/exports.ts';
import type { ProductFigures } from './list.schemas.ts';
import {
  choiceColumns,
  chosenConditions,
  type ProductChoices,
  type ProductKind,
  type ProductSort,
  REDEEMED,
  REVENUE_CENTS,
  type StockSql,
  sortKey,
} from './product-filter.ts';
import { type BareProduct, PRODUCT_COLUMNS, type ProductRow, productView } from './products.queries.ts';

export interface ProductFilter extends ProductChoices {
  developerId: string;
  search: string | undefined;
  now: Date;
}

const text = (value: string) => pg.escapeLiteral(value);
const moment = (value: Date) => `${text(value.toISOString())}::timestamptz`;

/** Quoted into the text, because COPY takes no parameters. */
function condition(filter: ProductFilter, stock: StockSql): string {
  return [
    `p.developer_id = ${text(filter.developerId)}`,
    listOf('p'),
    'p.deleted_at is null',
    ...(filter.search ? [`${folded('p.name_key')} like ${text(likeFolded(filter.search))}`] : []),
    ...chosenConditions(filter, choiceColumns(stock, moment(filter.now))),
  ].join(' and ');
}

/** `after` is what the page before ended with. */
export async function listProducts(
  db: Database,
  filter: ProductFilter,
  stock: StockSql,
  sort: ProductSort,
  after: { key: string; id: string } | null,
  limit: number,
): Promise<{ rows: (BareProduct & { sort_key: string })[]; total: number }> {
  const where = condition(filter, stock);
  const [way, beyond] = sort.startsWith('-') ? ['desc', '<'] : ['asc', '>'];
  // ids grow with time, so that the newest first needs no other key
  const byId = sort.endsWith('created_at');
  const sorted = 'p.sort_key collate "C"';
  const further = byId ? `p.id ${beyond} $2` : `(${sorted}, p.id) ${beyond} ($1::text collate "C", $2)`;
  const [rows, [counted]] = await Promise.all([
    db.query<ProductRow & { sort_key: string }>(
      `select * from (select ${PRODUCT_COLUMNS}, ${sortKey(sort, stock, moment(filter.now))} as sort_key from products p where ${where}) p
       where $1::text is null or ($2::uuid is not null and ${further})
       order by ${byId ? '' : `${sorted} ${way}, `}p.id ${way} limit $3`,
      [after?.key ?? null, after?.id ?? null, limit],
    ),
    db.query<{ n: number }>(`select count(*) as n from products p where ${where}`),
  ]);
  return {
    rows: rows.map(({ sort_key, ...row }) => ({ ...productView(row), sort_key })),
    total: counted?.n ?? 0,
  };
}

/** What can be chosen of filters, with how many products each choice leaves. */
export async function productChoiceCounts(
  sql: Sql,
  kinds: readonly ProductKind[],
  filter: ProductFilter,
  stock: StockSql,
): Promise<KindCount<ProductKind>[]> {
  const columns = choiceColumns(stock, moment(filter.now));
  const each = kinds.map((kind) =>
    mostFrequent(
      kind,
      `select ${kind} as value, count(*)::int as count, (select count(*) from product) < ${COUNTED} as exact from product group by 1`,
      'null::text',
    ),
  );
  return sql.query<KindCount<ProductKind>>(
    `with product as materialized (
       select ${kinds.map((kind) => `${columns[kind].value} as ${kind}`).join(', ')} from products p
       where ${condition(filter, stock)} order by p.id desc limit ${COUNTED})
     ${each.join(' union all ')}`,
  );
}

/** The version whose files product `p` has now. */
const VERSION = `(select v.name from file_versions v where (v.developer_id, v.product_id) = (p.developer_id, p.id) and v.files = p.file_urls
  order by v.created_at desc, v.id desc limit 1)`;

type Figures = Omit<ProductFigures, 'revenue' | 'days_left'> & { revenue_cents: number; recent: number };

/** Figures of some products. @param since the first of the last 30 days */
export async function figuresOf(
  sql: Sql,
  developerId: string,
  ids: readonly string[],
  stock: StockSql,
  since: string,
): Promise<ReadonlyMap<string, Figures>> {
  const rows = await sql.query<Figures & { id: string }>(
    `select p.id, ${stock.generated}::int as generated, ${REDEEMED}::int as redeemed, ${REVENUE_CENTS}::int8 as revenue_cents, ${VERSION} as file_version,
       (select coalesce(sum(d.redemptions), 0)::int from ledger_days d
        where (d.developer_id, d.product_id) = (p.developer_id, p.id) and d.day >= $3) as recent
     from products p where p.developer_id = $1 and p.id = any($2)`,
    [developerId, ids, since],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}

const EXPORT_COLUMNS = [
  'ID',
  'Name',
  'Status',
  'Price',
  'Sale Price',
  'Available',
  'Generated',
  'Redeemed',
  'Revenue',
  'Files',
  'Version',
  'Created',
];

/** All that fit, in the order of the list. */
export function productsExport(filter: ProductFilter, stock: StockSql, sort: ProductSort, timeZone: string): Export {
  const now = moment(filter.now);
  const way = sort.startsWith('-') ? 'desc' : 'asc';
  const dollars = (cents: string) => `round(${cents} / 100.0, 2)`;
  const cells = [
    'p.id',
    csvSafe('p.name'),
    "case when p.is_draft then 'draft' else 'submitted' end",
    dollars('p.price_cents'),
    dollars('p.sale_price_cents'),
    stock.available(now),
    stock.generated,
    REDEEMED,
    dollars(REVENUE_CENTS),
    'jsonb_array_length(p.file_urls)',
    csvSafe('v.name'),
    csvMoment('p.created_at', timeZone, 's'),
  ];
  return {
    query: `select ${cells.join(', ')} from products p left join lateral (select ${VERSION} as name) v on true
      where ${condition(filter, stock)} order by (${sortKey(sort, stock, now)}) collate "C" ${way}, p.id ${way}`,
    format: 'csv',
    timeZone,
    header: csvLine(EXPORT_COLUMNS).replace('\r\n', '\n'),
  };
}
