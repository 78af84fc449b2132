import type { InferResult } from 'kysely';
import { priceAt } from '#features/products';
import { inList } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import { nameKey } from '#platform/text/name-key.ts';
import type { ImportsHandle } from '../tables.ts';
import { CellError } from './cell-error.ts';

interface KnownProduct {
  id: string;
  /** Its current price without a promo. */
  cents: Cents;
}

const selectProducts = (handle: ImportsHandle, developerId: string) =>
  handle
    .selectFrom('products as p')
    .select(['p.id', 'p.name', 'p.name_key', 'p.sale_price_cents', 'p.price_cents'])
    .where('p.developer_id', '=', developerId)
    .where(inList('p.created_at'))
    .where('p.deleted_at', 'is', null);

type Row = InferResult<ReturnType<typeof selectProducts>>[number];

/** The developer's products as a file names them: without regard to case. */
export class ProductsByName {
  readonly #byName: Map<string, KnownProduct>;
  readonly #names: Map<string, string>;

  constructor(rows: readonly Row[]) {
    this.#byName = new Map(
      rows.map(({ id, name_key, ...prices }) => [
        name_key,
        { id, cents: priceAt({ ...prices, paid_cents: null, promo_price_cents: null }) },
      ]),
    );
    this.#names = new Map(rows.map((row) => [row.id, row.name]));
  }

  static async read(handle: ImportsHandle, developerId: string): Promise<ProductsByName> {
    return new ProductsByName(await selectProducts(handle, developerId).execute());
  }

  /** @throws {CellError} */
  find(name: string): KnownProduct {
    if (name === '') throw new CellError('The product is missing.');
    const product = this.#byName.get(nameKey(name));
    if (!product) throw new CellError(`No product is named "${name.slice(0, 100)}".`);
    return product;
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }
}
