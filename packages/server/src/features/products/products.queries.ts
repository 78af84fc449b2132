import { type InferResult, type InsertObject, sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Begins } from '#platform/db/handle.ts';
import { escapeLike } from '#platform/db/statements/like.ts';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Tables } from '#platform/db/tables.ts';
import { notFound } from '#platform/errors.ts';
import { toDollars } from '#platform/money.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { type NamedProduct, productNamedBy, withoutVersion } from './juce-product-id.ts';
import { ProductView } from './products.schemas.ts';
import { type ProductsHandle, tables } from './tables.ts';

/** A product without the figures about its serials. */
export type BareProduct = Omit<ProductView, 'serials_available'>;

const COMPUTED = { price: true, sale_price: true, juce_product_id: true, serials_available: true } as const;
const asStored = ProductView.omit(COMPUTED).keyof().options;
const columns = [...asStored.map((name) => `p.${name}` as const), 'p.price_cents', 'p.sale_price_cents'] as const;
const juceId = sql<string>`coalesce(p.juce_product_id, p.name)`;

/** Products `p` as they are shown. */
const selectProducts = (begin: Begins<Tables, never>) =>
  begin
    .selectFrom('products as p')
    .select([...columns, juceId.as('juce_product_id')])
    .where('p.deleted_at', 'is', null);

export type ProductRow = InferResult<ReturnType<typeof selectProducts>>[number];

/** The same columns in a template. */
export const PRODUCT_COLUMNS = sql`${sql.raw(columns.join(', '))}, ${juceId} as juce_product_id`;

const BY_ID = tables.named('product', (begin, developerId: string, id: string) =>
  selectProducts(begin).where('p.developer_id', '=', developerId).where('p.id', '=', id),
);

export async function findProduct(sql: Sql, developerId: string, id: string): Promise<BareProduct | undefined> {
  const [product] = await BY_ID(sql, developerId, id);
  return product && productView(product);
}

export const insertProduct = (tx: ProductsHandle, product: InsertObject<Tables, 'products'>) =>
  tx.insertInto('products').values(product).execute();

/** Changes of one product are serialized; generating serials for it waits for none of them. @throws {AppError} not_found */
export async function lockProduct(tx: ProductsHandle, developerId: string, id: string) {
  const product = await tx
    .selectFrom('products')
    .select(['id', 'developer_id', 'name', 'juce_product_id', 'price_cents', 'sale_price_cents'])
    .select(['file_urls', 'is_draft', 'version'])
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!product) throw notFound('Product');
  return product;
}

export type LockedProduct = Awaited<ReturnType<typeof lockProduct>>;

/** Redemptions of the product wait until its deletion is decided. @throws {AppError} not_found */
export async function lockForDeletion(tx: ProductsHandle, developerId: string, id: string) {
  const product = await tx
    .selectFrom('products')
    .select('name')
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!product) throw notFound('Product');
  return product;
}

/** A product that is locked, to be changed. */
export const changeProduct = (tx: ProductsHandle, developerId: string, id: string) =>
  tx.updateTable('products').where('developer_id', '=', developerId).where('id', '=', id);

export const removeProduct = (tx: ProductsHandle, developerId: string, id: string) =>
  tx.deleteFrom('products').where('developer_id', '=', developerId).where('id', '=', id).execute();

/** Whether a text is the id of another product of the developer. */
export async function isIdOfAnother(tx: ProductsHandle, developerId: string, id: string, text: string) {
  const other = await tx
    .selectFrom('products as p')
    .select('p.id')
    .where('p.developer_id', '=', developerId)
    .where(inList('p.created_at'))
    .where(sql`p.id::text`, '=', text)
    .where('p.id', '<>', id)
    .executeTakeFirst();
  return other !== undefined;
}

/** Products by what their plugins call them. */
const selectNamed = (handle: Sql) =>
  tables
    .in(handle)
    .selectFrom('products as p')
    .select(['p.id', 'p.name', 'p.name_key', juceKey.as('juce_key')])
    .where('p.deleted_at', 'is', null);

const juceKey = sql<string>`coalesce(p.juce_product_key, p.name_key)`;

/** The other product that has a JUCE product id, of its own or by its name. */
export function findJuceNamesake(
  handle: Sql,
  developerId: string,
  id: string,
  key: string,
): Promise<NamedProduct | undefined> {
  return selectNamed(handle)
    .where('p.developer_id', '=', developerId)
    .where(juceKey, '=', key)
    .where('p.id', '<>', id)
    .executeTakeFirst();
}

/** A developer's product as a stock plugin calls it; undefined for what names none. */
export async function findNamedProduct(
  handle: Sql,
  developerId: string,
  text: string,
): Promise<NamedProduct | undefined> {
  const sent = nameKey(text.trim());
  const bare = withoutVersion(sent);
  const names = [sent, bare];
  const rows = await selectNamed(handle)
    .where('p.developer_id', '=', developerId)
    .where(inList('p.created_at'))
    .where(
      sql<boolean>`(p.name_key = any(${names}) or p.juce_product_key = any(${names}) or p.id::text = any(${names})
        or ${juceKey} like ${`${escapeLike(bare)} %`})`,
    )
    .orderBy('p.id')
    .limit(1000)
    .execute();
  return productNamedBy(text, rows);
}

export function productView(row: ProductRow): BareProduct {
  const { price_cents, sale_price_cents, ...rest } = row;
  return { ...rest, price: toDollars(price_cents), sale_price: toDollars(sale_price_cents) };
}
