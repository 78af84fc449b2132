import { searchedCode, serialKey } from '#features/serials';
import { holds, type Principal, type Scope } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import { isId } from '#platform/ids.ts';
import { statementNumberIn } from '#platform/text/statement-number.ts';
import * as queries from './search.queries.ts';
import type { SearchDb } from './tables.ts';

const PER_KIND = 5;

/**
 * Finds a serial by its beginning, its last block or the reference of the order it was handed out for, a customer by name or
 * address, an order of a shop by its number, a product or a reseller by name, a batch by its tag, a statement or an invoice by its number; and each of them by its
 * id.
 */
export class Search {
  readonly #db: SearchDb;

  constructor(deps: { db: SearchDb }) {
    this.#db = deps.db;
  }

  /** Searches everything that the caller's token may read. */
  async find(caller: Principal, words: string) {
    const db = this.#db;
    const developerId = caller.accountId;
    const may = (scope: Scope) => holds(caller, scope);
    const readsSerials = mayRead(caller, 'codes');
    const id = isId(words) ? words : null;
    const number = statementNumberIn(words);
    const named = number !== null ? { number } : id !== null ? { id } : null;
    const [noInvoice, noStatement] = [/\bstatement\b/i.test(words), /\binvoice\b/i.test(words)];
    const [serials, customers, orders, products, batches, resellers, statements, invoices] = await Promise.all([
      readsSerials ? this.#serials(developerId, words, id) : [],
      mayRead(caller, 'people') ? queries.customersFound(db, developerId, words, id) : [],
      may('shops:read') ? queries.ordersNumbered(db, developerId, words, id) : [],
      may('products:read') ? queries.productsFound(db, developerId, words, id) : [],
      readsSerials ? queries.batchesFound(db, developerId, words, id) : [],
      may('resellers:read') ? queries.resellersFound(db, developerId, words, id) : [],
      named === null || noStatement || !may('payouts:read') ? [] : queries.statementsNamed(db, developerId, named),
      named === null || noInvoice || !may('account:read') ? [] : queries.invoicesNamed(db, developerId, named),
    ]);
    return { serials, customers, orders, products, batches, resellers, statements, invoices };
  }

  /** The first of those with the id, of the order, and with the code. */
  async #serials(developerId: string, words: string, id: string | null) {
    const db = this.#db;
    const code = serialKey(searchedCode(words));
    const found = await Promise.all([
      id === null ? [] : queries.serialWithId(db, developerId, id),
      queries.serialsOrdered(db, developerId, words),
      code === '' ? [] : queries.serialsBegun(db, developerId, code),
      queries.serialsEnded(db, developerId, code),
    ]);
    return [...new Map(found.flat().map((each) => [each.id, each])).values()].slice(0, PER_KIND);
  }
}
