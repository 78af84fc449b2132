import type { Database } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { customersLike } from '../customers/index.ts';
import { serialKey } from '../serials/index.ts';

const PER_KIND = 5;

export interface Found {
  serials: { id: string; code: string; product_name: string; redeemed: boolean; revoked: boolean }[];
  customers: { id: string; email: string; first_name: string | null; last_name: string | null }[];
  products: { id: string; name: string; image_url: string | null; is_draft: boolean }[];
}

/** Finds a serial by its beginning, a customer by name or address, a product by name. */
export class Search {
  readonly #db: Database;

  constructor(deps: { db: Database }) {
    this.#db = deps.db;
  }

  async find(developerId: string, words: string): Promise<Found> {
    const like = `%${escapeLike(words.toLowerCase())}%`;
    const code = serialKey(words);
    const person = await customersLike(this.#db, developerId, words);
    const [serials, customers, products] = await Promise.all([
      code === ''
        ? []
        : this.#db.query<Found['serials'][number]>(
            `select s.id, s.code, p.name as product_name, s.redeemed_at is not null as redeemed, s.revoked_at is not null as revoked
             from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
             where s.developer_id = $1 and s.code_key like $2 and p.deleted_at is null limit ${PER_KIND}`,
            [developerId, `${escapeLike(code)}%`],
          ),
      this.#db.query<Found['customers'][number]>(
        `select c.id, c.email, c.first_name, c.last_name from customers c
         where c.developer_id = $1 and ${listOf('c')} and c.erased_at is null and ${person} limit ${PER_KIND}`,
        [developerId],
      ),
      this.#db.query<Found['products'][number]>(
        `select id, name, image_url, is_draft from products p
         where developer_id = $1 and ${listOf('p')} and deleted_at is null and name_key like $2 order by name_key limit ${PER_KIND}`,
        [developerId, like],
      ),
    ]);
    return { serials, customers, products };
  }
}
