import { type Prices, priceAt } from '#features/products';
import type { Sql } from '#platform/db/database.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import type { Cents } from '#platform/money.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { CellError } from './cells.ts';

interface KnownProduct {
  id: string;
  /** What it costs now without a promo. */
  cents: Cents;
}

interface Row extends Omit<Prices, 'promo_price_cents'> {
  id: string;
  name: string;
  name_key: string;
}

/** The developer's products as a file names them: without regard to case. */
export class ProductsByName {
  readonly #byName: Map<string, KnownProduct>;
  readonly #names: Map<string, string>;

  constructor(rows: readonly Row[]) {
    this.#byName = new Map(
      rows.map(({ id, name_key, ...prices }) => [
        name_key,
        { id, cents: priceAt({ ...prices, promo_price_cents: null }) },
      ]),
    );
    this.#names = new Map(rows.map((row) => [row.id, row.name]));
  }

  static async read(sql: Sql, developerId: string): Promise<ProductsByName> {
    const rows = await sql.query<Row>(
      `select id, name, name_key, sale_price_cents, price_cents from products p
       where developer_id = $1 and ${listOf('p')} and deleted_at is null`,
      [developerId],
    );
    return new ProductsByName(rows);
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
