import { customersLike } from '#features/customers';
import { searchedCode, serialKey } from '#features/serials';
import { holds, type Principal, type Scope } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Database } from '#platform/db/database.ts';
import { escapeLike, folded, likeFolded } from '#platform/db/statements/like.ts';
import { listOf } from '#platform/db/statements/list-index.ts';
import { statementNumberIn } from '#platform/text/statement-number.ts';

const PER_KIND = 5;
const SERIALS = `select s.id, s.code, p.name as product_name, s.redeemed_at is not null as redeemed, s.revoked_at is not null as revoked
  from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)`;

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
/** Of a code whose blocks are of four. */
const TAIL = 4;

export interface Found {
  serials: { id: string; code: string; product_name: string; redeemed: boolean; revoked: boolean }[];
  customers: { id: string; email: string; first_name: string | null; last_name: string | null }[];
  products: { id: string; name: string; image_url: string | null; is_draft: boolean }[];
  batches: { id: string; batch_tag: string | null; product_name: string; quantity: number; created_at: Date }[];
  resellers: { id: string; name: string }[];
  statements: { id: string; number: string; month: string; reseller_name: string }[];
  invoices: { id: string; number: string; month: string }[];
}

/**
 * Finds a serial by its beginning, its last block or the reference of the order it was handed out for, a customer by name or
 * address, a product or a reseller by name, a batch by its tag, a statement or an invoice by its number; and each of them by its
 * id.
 */
export class Search {
  readonly #db: Database;

  constructor(deps: { db: Database }) {
    this.#db = deps.db;
  }

  /** What a token may not read is not looked for. */
  async find(caller: Principal, words: string): Promise<Found> {
    const developerId = caller.userId;
    const may = (scope: Scope) => holds(caller, scope);
    const readsSerials = mayRead(caller, 'codes');
    const like = likeFolded(words);
    const code = serialKey(searchedCode(words));
    const person = mayRead(caller, 'people') ? await customersLike(this.#db, developerId, words) : '';
    const id = UUID.test(words) ? words : null;
    const number = statementNumberIn(words);
    const [noInvoice, noStatement] = [/\bstatement\b/i.test(words), /\binvoice\b/i.test(words)];
    const [known, begun, ended, ordered, customers, products, batches, resellers, statements, invoices] =
      await Promise.all([
        id === null || !readsSerials
          ? []
          : this.#db.query<Found['serials'][number]>(
              `${SERIALS} where s.developer_id = $1 and s.id = $2 and p.deleted_at is null`,
              [developerId, id],
            ),
        code === '' || !readsSerials
          ? []
          : this.#db.query<Found['serials'][number]>(
              `${SERIALS} where s.developer_id = $1 and s.code_key like $2 and p.deleted_at is null limit ${PER_KIND}`,
              [developerId, `${escapeLike(code)}%`],
            ),
        code.length !== TAIL || !readsSerials
          ? []
          : this.#db.query<Found['serials'][number]>(
              `${SERIALS} where s.developer_id = $1 and right(s.code_key, ${TAIL}) = $2 and s.redeemed_at is not null
               and p.deleted_at is null limit ${PER_KIND}`,
              [developerId, code],
            ),
        // a reference is unique at its reseller, so each of the developer's resellers is asked for it
        !readsSerials
          ? []
          : this.#db.query<Found['serials'][number]>(
              `${SERIALS} where s.developer_id = $1 and p.deleted_at is null and s.id = any(array(
           select i.serial_id from partnerships t join draws d on d.reseller_id = t.reseller_id and d.reference = $2
             join draw_items i on (i.developer_id, i.draw_id) = (t.developer_id, d.id)
           where t.developer_id = $1 and d.developer_id = $1 and i.returned_at is null limit ${PER_KIND}))
         order by s.code_key limit ${PER_KIND}`,
              [developerId, words],
            ),
        !mayRead(caller, 'people')
          ? []
          : this.#db.query<Found['customers'][number]>(
              `select c.id, c.email, c.first_name, c.last_name from customers c
         where c.developer_id = $1 and ${listOf('c')} and c.erased_at is null
           and ${id === null ? person : 'c.id = $2'} limit ${PER_KIND}`,
              id === null ? [developerId] : [developerId, id],
            ),
        !may('products:read')
          ? []
          : this.#db.query<Found['products'][number]>(
              `select id, name, image_url, is_draft from products p
         where developer_id = $1 and ${listOf('p')} and deleted_at is null and (${folded('name_key')} like $2 or id = $3::uuid) order by name_key limit ${PER_KIND}`,
              [developerId, like, id],
            ),
        !readsSerials
          ? []
          : this.#db.query<Found['batches'][number]>(
              `select b.id, b.batch_tag, p.name as product_name, b.quantity, b.created_at from batches b
           join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
         where b.developer_id = $1 and ${listOf('b')} and p.deleted_at is null
           and (${folded('b.batch_tag')} like $2 or b.id = $3::uuid) order by b.id desc limit ${PER_KIND}`,
              [developerId, like, id],
            ),
        !may('resellers:read')
          ? []
          : this.#db.query<Found['resellers'][number]>(
              `select p.id, coalesce(u.company_name, p.name) as name from partnerships p left join users u on u.id = p.reseller_id
         where p.developer_id = $1 and p.merged_into is null and (${folded('p.name_key')} like $2 or ${folded('u.company_name')} like $2 or p.id = $3::uuid)
         order by p.name_key limit ${PER_KIND}`,
              [developerId, like, id],
            ),
        (number === null && id === null) || noStatement || !may('payouts:read')
          ? []
          : this.#db.query<Found['statements'][number]>(
              `select o.id, o.number, to_char(o.month, 'YYYY-MM') as month, o.parties->'reseller'->>'name' as reseller_name from payouts o
         where o.developer_id = $1 and ${number === null ? 'o.id = $2' : 'o.number = $2'}`,
              [developerId, number ?? id],
            ),
        (number === null && id === null) || noInvoice || !may('account:read')
          ? []
          : this.#db.query<Found['invoices'][number]>(
              `select s.id, s.number, to_char(s.month, 'YYYY-MM') as month from billing_statements s
         where s.developer_id = $1 and ${number === null ? 's.id = $2' : 's.number = $2'}`,
              [developerId, number ?? id],
            ),
      ]);
    const serials = [
      ...new Map([...known, ...ordered, ...begun, ...ended].map((each) => [each.id, each])).values(),
    ].slice(0, PER_KIND);
    return { serials, customers, products, batches, resellers, statements, invoices };
  }
}
