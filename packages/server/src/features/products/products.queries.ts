import type { Database, Sql } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { toDollars } from '../../platform/money.ts';
import { nameKey } from '../../platform/name-key.ts';
import { type NamedProduct, productNamedBy, withoutVersion } from './juce-product-id.ts';
import type { FileLink } from './products.entity.ts';
import type { ProductView } from './products.schemas.ts';

export interface ProductRow {
  id: string;
  name: string;
  juce_product_id: string;
  short_desc: string;
  long_desc: string;
  install_help: string;
  feature_list: string[];
  price_cents: number | null;
  sale_price_cents: number | null;
  image_url: string | null;
  file_urls: FileLink[];
  is_draft: boolean;
  max_activations: number;
  offline_days: number;
  lease_days: number;
  trial_days: number;
  version: number;
  created_at: Date;
  updated_at: Date;
}

/** A product without the figures about its serials. */
export type BareProduct = Omit<ProductView, 'serials_available'>;

export const PRODUCT_COLUMNS = `p.id, p.name, coalesce(p.juce_product_id, p.name) as juce_product_id, p.short_desc, p.long_desc, p.install_help, p.feature_list, p.price_cents, p.sale_price_cents, p.image_url,
  p.file_urls, p.is_draft, p.max_activations, p.offline_days, p.lease_days, p.trial_days, p.version, p.created_at,
  p.updated_at`;

export async function findProduct(sql: Sql, developerId: string, id: string): Promise<BareProduct | undefined> {
  const rows = await sql.query<ProductRow>(
    `select ${PRODUCT_COLUMNS} from products p where p.developer_id = $1 and p.id = $2 and p.deleted_at is null`,
    [developerId, id],
  );
  return rows[0] && productView(rows[0]);
}

/** The other product that has a JUCE product id, of its own or by its name. */
export async function findJuceNamesake(
  db: Database,
  developerId: string,
  id: string,
  key: string,
): Promise<NamedProduct | undefined> {
  const rows = await db.query<NamedProduct>(
    `select id, name, name_key, coalesce(juce_product_key, name_key) as juce_key from products
     where developer_id = $1 and deleted_at is null and coalesce(juce_product_key, name_key) = $2 and id <> $3`,
    [developerId, key, id],
  );
  return rows[0];
}

/** A developer's product as a stock plugin calls it; undefined for what names none. */
export async function findNamedProduct(sql: Sql, developerId: string, text: string): Promise<NamedProduct | undefined> {
  const sent = nameKey(text.trim());
  const bare = withoutVersion(sent);
  const rows = await sql.query<NamedProduct>(
    `select id, name, name_key, coalesce(juce_product_key, name_key) as juce_key from products p
     where developer_id = $1 and ${listOf('p')} and deleted_at is null and (name_key = any($2) or juce_product_key = any($2)
       or id::text = any($2) or coalesce(juce_product_key, name_key) like $3)
     order by id limit 1000`,
    [developerId, [sent, bare], `${escapeLike(bare)} %`],
  );
  return productNamedBy(text, rows);
}

export function productView(row: ProductRow): BareProduct {
  const { price_cents, sale_price_cents, ...rest } = row;
  return { ...rest, price: toDollars(price_cents), sale_price: toDollars(sale_price_cents) };
}
