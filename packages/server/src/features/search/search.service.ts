import type { Database } from '../../platform/db/database.ts';
import { escapeLike } from '../../platform/db/like.ts';
import { listOf } from '../../platform/db/list-index.ts';
import { customersLike } from '../customers/index.ts';
import { serialKey } from '../serials/index.ts';

const PER_KIND = 5;
const SERIALS = `select s.id, s.code, p.name as product_name, s.redeemed_at is not null as redeemed, s.revoked_at is not null as revoked
  from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)`;

export interface Found {
  serials: { id: string; code: string; product_name: string; redeemed: boolean; revoked: boolean }[];
  customers: { id: string; email: string; first_name: string | null; last_name: string | null }[];
  products: { id: string; name: string; image_url: string | null; is_draft: boolean }[];
}

/** Finds a serial by its beginning or by the reference of the order it was handed out for, a customer by name or address, a product by name. */
export class Search {
  readonly #db: Database;

  constructor(deps: { db: Database }) {
    this.#db = deps.db;
  }

  async find(developerId: string, words: string): Promise<Found> {
    const like = `%${escapeLike(words.toLowerCase())}%`;
    const code = serialKey(words);
    const person = await customersLike(this.#db, developerId, words);
    const [begun, ordered, customers, products] = await Promise.all([
      code === ''
        ? []
        : this.#db.query<Found['serials'][number]>(
            `${SERIALS} where s.developer_id = $1 and s.code_key like $2 and p.deleted_at is null limit ${PER_KIND}`,
            [developerId, `${escapeLike(code)}%`],
          ),
      // a reference is unique at its reseller, so each of the developer's resellers is asked for it
      this.#db.query<Found['serials'][number]>(
        `${SERIALS} where s.developer_id = $1 and p.deleted_at is null and s.id = any(array(
           select i.serial_id from partnerships t join draws d on d.reseller_id = t.reseller_id and d.reference = $2
             join draw_items i on (i.developer_id, i.draw_id) = (t.developer_id, d.id)
           where t.developer_id = $1 and d.developer_id = $1 and i.returned_at is null limit ${PER_KIND}))
         order by s.code_key limit ${PER_KIND}`,
        [developerId, words],
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
    const serials = [...new Map([...ordered, ...begun].map((each) => [each.id, each])).values()].slice(0, PER_KIND);
    return { serials, customers, products };
  }
}
