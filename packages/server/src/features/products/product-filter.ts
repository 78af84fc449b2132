import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { type Row, row } from '#platform/db/row.ts';
import { type BuiltChoice, choiceParam, chosen, fits } from '#platform/db/statements/choices.ts';

/** Port: SQL about the serials of a product, whatever a statement calls its row. */
export interface StockSql {
  available(product: ProductColumns, scope: ProductScope): Expression<number>;
  /** Whether there are any, which is read faster than how many. */
  anyAvailable(product: ProductColumns, scope: ProductScope): Expression<boolean>;
  generated(product: ProductColumns, scope: ProductScope): Expression<number>;
}
type ProductColumns = Pick<Row<'products'>, 'id' | 'deleted_at'>;

/** Whether a product can be redeemed. Each is in one of these. */
const states = ['submitted', 'draft'] as const;
const stocks = ['empty', 'low', 'enough'] as const;
const files = ['with', 'without'] as const;
const prices = ['priced', 'sale', 'free', 'unset'] as const;

/** Filters that combine: each of them must fit. */
export const productChoices = {
  status: choiceParam('`submitted`, or `draft`'),
  stock: choiceParam('`empty`: no serial is available; `low`: fewer than the warning of the account; `enough`'),
  files: choiceParam('`with` or `without` files'),
  price: choiceParam('`priced`, `sale`: reduced, `free`, `unset`: none was entered'),
};
export type ProductKind = keyof typeof productChoices;
export type ProductChoices = { [Key in ProductKind]?: string | undefined };
export const productKinds = Object.keys(productChoices) as ProductKind[];

export const productSorts = [
  '-created_at',
  'created_at',
  'name',
  '-name',
  'price',
  '-price',
  'available',
  '-available',
  'generated',
  '-generated',
  'redeemed',
  '-redeemed',
  'revenue',
  '-revenue',
] as const;
export type ProductSort = (typeof productSorts)[number];

/** The developer whose products are looked at, and when. */
export interface ProductScope {
  developerId: string;
  now: Date;
}

const PRICE = sql<number | null>`coalesce(p.sale_price_cents, p.price_cents)`;
const sum = ({ developerId }: ProductScope, what: RawBuilder<number>) =>
  sql<number>`(select coalesce(sum(${what}), 0) from ledger_days d where d.developer_id = ${developerId} and d.product_id = p.id)`;

/** Figures of product `p`. */
export function figures(scope: ProductScope, stock: StockSql) {
  const product = row('products as p');
  return {
    available: stock.available(product, scope),
    anyAvailable: stock.anyAvailable(product, scope),
    generated: stock.generated(product, scope),
    redeemed: sum(scope, sql`d.redemptions`),
    revenueCents: sum(scope, sql`d.revenue_cents + d.adjustment_revenue_cents`),
  };
}
type Figures = ReturnType<typeof figures>;

/** The values of the filters of product `p`. */
export function choiceColumns({ anyAvailable }: Figures): Record<ProductKind, BuiltChoice> {
  const column = (value: Expression<string | null>, words: readonly string[]): BuiltChoice => ({
    value,
    type: 'text',
    fits: fits.oneOf(words),
  });
  return {
    status: column(sql`case when p.is_draft then 'draft' else 'submitted' end`, states),
    stock: column(
      sql`case when not ${anyAvailable} then 'empty' when p.low_serials_since is not null then 'low' else 'enough' end`,
      stocks,
    ),
    files: column(sql`case when p.file_urls = '[]'::jsonb then 'without' else 'with' end`, files),
    price: column(
      sql`case when ${PRICE} is null then 'unset' when ${PRICE} = 0 then 'free'
        when p.sale_price_cents < p.price_cents then 'sale' else 'priced' end`,
      prices,
    ),
  };
}

/** Conditions on product `p`. @throws {AppError} invalid_request at the parameter. */
export function chosenProducts(
  choices: ProductChoices,
  columns: () => Record<ProductKind, BuiltChoice>,
): Expression<SqlBool>[] {
  return productKinds.flatMap((kind) => (choices[kind] ? chosen(kind, choices[kind], columns()[kind]) : []));
}

/** A product's sort key, as text of one length, so that all fit into a cursor. A missing price sorts below all. */
export function sortKey(sort: ProductSort, of: Figures): RawBuilder<string> {
  const number = (value: Expression<number | null>) =>
    sql<string>`lpad((coalesce(${value}, -1) + 1000000000000000)::text, 20, '0')`;
  const keys = {
    created_at: () => sql<string>`''`,
    name: () => sql<string>`p.name_key`,
    price: () => number(PRICE),
    available: () => number(of.available),
    generated: () => number(of.generated),
    redeemed: () => number(of.redeemed),
    revenue: () => number(of.revenueCents),
  };
  return keys[sort.replace('-', '') as keyof typeof keys]();
}
