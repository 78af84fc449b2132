import { type ChoiceColumn, choiceConditions, choiceParam, fits } from '../../platform/db/choices.ts';

/** Port: SQL about the serials of product `p`. @param now the time, quoted */
export interface StockSql {
  available(now: string): string;
  /** Whether there are any, which is read faster than how many. */
  anyAvailable(now: string): string;
  generated: string;
}

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

const PRICE = 'coalesce(p.sale_price_cents, p.price_cents)';
const sum = (what: string) =>
  `(select coalesce(sum(${what}), 0) from ledger_days d where (d.developer_id, d.product_id) = (p.developer_id, p.id))`;

/** Figures of product `p`. */
export const REDEEMED = sum('d.redemptions');
export const REVENUE_CENTS = sum('d.revenue_cents + d.adjustment_revenue_cents');

/** The values of the filters of product `p`. */
export function choiceColumns(stock: StockSql, now: string): Record<ProductKind, ChoiceColumn> {
  const column = (value: string, words: readonly string[]): ChoiceColumn => ({
    value,
    type: 'text',
    fits: fits.oneOf(words),
  });
  return {
    status: column("case when p.is_draft then 'draft' else 'submitted' end", states),
    stock: column(
      `case when not ${stock.anyAvailable(now)} then 'empty' when p.low_serials_since is not null then 'low' else 'enough' end`,
      stocks,
    ),
    files: column("case when p.file_urls = '[]'::jsonb then 'without' else 'with' end", files),
    price: column(
      `case when ${PRICE} is null then 'unset' when ${PRICE} = 0 then 'free'
        when p.sale_price_cents < p.price_cents then 'sale' else 'priced' end`,
      prices,
    ),
  };
}

/** Conditions on product `p`. @throws {AppError} invalid_request at the parameter. */
export function chosenConditions(choices: ProductChoices, columns: Record<ProductKind, ChoiceColumn>): string[] {
  return productKinds.flatMap((kind) => choiceConditions(kind, choices[kind], columns[kind]));
}

/** What a page in an order ends with, as text of one length, so that all fit into a cursor. No price is below all. */
export function sortKey(sort: ProductSort, stock: StockSql, now: string): string {
  const number = (value: string) => `lpad((coalesce(${value}, -1) + 1000000000000000)::text, 20, '0')`;
  const keys: Record<string, string> = {
    created_at: "''",
    name: 'p.name_key',
    price: number(PRICE),
    available: number(stock.available(now)),
    generated: number(stock.generated),
    redeemed: number(REDEEMED),
    revenue: number(REVENUE_CENTS),
  };
  return keys[sort.replace('-', '')] as string;
}
