import type { Sql } from '../../platform/db/database.ts';
import { CellError } from './cells.ts';

interface KnownProduct {
  id: string;
  /** What it costs now: sale price, else price; null without one. */
  cents: number | null;
}

/** The developer's products as a file names them: without regard to case. */
export class ProductsByName {
  readonly #byName: Map<string, KnownProduct>;
  readonly #names: Map<string, string>;

  constructor(rows: readonly (KnownProduct & { name: string; name_key: string })[]) {
    this.#byName = new Map(rows.map((row) => [row.name_key, row]));
    this.#names = new Map(rows.map((row) => [row.id, row.name]));
  }

  static async read(sql: Sql, developerId: string): Promise<ProductsByName> {
    const rows = await sql.query<KnownProduct & { name: string; name_key: string }>(
      `select id, name, name_key, coalesce(sale_price_cents, price_cents) as cents from products
       where developer_id = $1 and deleted_at is null`,
      [developerId],
    );
    return new ProductsByName(rows);
  }

  /** @throws {CellError} */
  find(name: string): KnownProduct {
    if (name === '') throw new CellError('There is no product.');
    const product = this.#byName.get(name.normalize('NFC').toLowerCase());
    if (!product) throw new CellError(`There is no product "${name.slice(0, 100)}".`);
    return product;
  }

  nameOf(id: string): string | undefined {
    return this.#names.get(id);
  }
}
