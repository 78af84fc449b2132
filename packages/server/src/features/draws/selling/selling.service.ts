import { toString as qrCode } from 'qrcode';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { takeCausedEmails } from '#platform/email/caused-emails.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { decodeCursor, isMoment, isText, pageOf } from '#platform/http/answers/cursor.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { isId } from '#platform/ids.ts';
import { toCents } from '#platform/money.ts';
import { money } from '#platform/paper/words.ts';
import type { Random } from '#platform/random.ts';
import { emailKey } from '#platform/text/email-address.ts';
import type { Language } from '#platform/text/languages.ts';
import { dayOf, momentOf, startOfDay } from '#platform/time/days.ts';
import { findDraw, findPool, type Pool } from '../draw.queries.ts';
import type { HandOuts } from '../hand-out.service.ts';
import { limits as policies } from '../limits.ts';
import { paused, reused } from '../refusals.ts';
import type { DrawsDb, DrawsHandle } from '../tables.ts';
import * as o from './offers.queries.ts';
import * as q from './selling.queries.ts';
import type { EmailSaleForm, Sale, SaleRow, SellForm } from './selling.schemas.ts';

/** A code that was sold, for the email with it. */
export interface SoldCode {
  /** The email's id, which the caller keeps. */
  emailId: string;
  developerId: string;
  /** The developer's company or name. */
  developer: string;
  product: string;
  code: string;
  redeemBy: Date | null;
  email: string;
  language: Language | undefined;
}

/** Port: the email with a code that was sold by hand, and the page that it opens. */
export interface SoldCodes {
  /** Queued in the caller's transaction, an email for each. */
  queue(sql: Sql, resellerId: string, sales: readonly SoldCode[]): Promise<void>;
  /** The recipients and delivery states of those emails. */
  delivery(sql: Sql, emailIds: readonly string[]): Promise<ReadonlyMap<string, NonNullable<SaleRow['email']>>>;
  /** The developer's redemption page with the code filled in. */
  link(sql: Sql, developerId: string, code: string): Promise<string>;
}

interface Dependencies {
  db: DrawsDb;
  clock: Clock;
  random: Random;
  limits: RateLimits;
  handOuts: HandOuts;
  soldCodes: SoldCodes;
}

interface Listing {
  limit: number;
  cursor?: string | undefined;
}

/** Codes that a reseller sells by hand, one at a time: on the phone, at a counter, at a fair. */
export class Selling {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** What the reseller can sell now, by product and price. */
  async offers(caller: Principal, query: Listing & { product_id?: string | undefined; search?: string | undefined }) {
    const { db, clock } = this.#deps;
    const filter = {
      resellerId: caller.accountId,
      productId: query.product_id,
      search: query.search || undefined,
      now: clock.now(),
    };
    const rows = await o.listOffers(db, filter, offerPlaceOf(query.cursor), query.limit + 1);
    const page = pageOf(rows, query.limit, (last) => [last.name_key, last.id, String(last.price_cents)]);
    return { rows: page.rows.map(o.offerOf), next_cursor: page.next_cursor };
  }

  /**
   * Sells one code, and sends it to the customer where there is an address: both or neither. The same reference is the same
   * sale, whatever became of it since, and sends nothing again.
   * @throws {AppError} not_found, partner_paused, out_of_stock, price_changed, reference_reused, rate_limited.
   */
  async sell(caller: Principal, form: SellForm): Promise<Sale> {
    const { db, limits, random, handOuts } = this.#deps;
    const earlier = await this.#earlier(caller, form);
    if (earlier) return earlier;
    await limits.take(policies.draws_account, caller.accountId);
    const pool = await findPool(db, caller.accountId, form.product_id);
    if (!pool) throw notFound('Product');
    if (pool.status === 'paused') throw paused();
    // before an email is counted that would not be sent
    await this.#assertOffered(caller, pool, form);
    if (form.email !== null) await takeCausedEmails(limits, caller.accountId, [form.email]);
    const outcome = await handOuts.runWith(
      {
        id: random.id(),
        resellerId: caller.accountId,
        pool,
        productId: form.product_id,
        batchTag: null,
        quantity: 1,
        reference: form.reference,
        priceCents: form.price === undefined ? undefined : toCents(form.price),
      },
      async (tx, draw) => {
        const cents = form.price === undefined ? await q.priceOf(tx, draw) : toCents(form.price);
        const emailId = form.email === null ? null : random.id();
        await q.noteSale(tx, draw.id, { cents, note: form.note, emailId });
        if (emailId === null) return;
        const sale = await q.findSale(tx, caller.accountId, form.reference);
        if (sale) await this.#queue(tx, emailId, caller, sale, form.email as string, form.language);
      },
    );
    if ('drawn' in outcome) return this.get(caller, form.reference);
    // the same sale, a moment earlier
    const other = await this.#earlier(caller, form);
    if (other) return other;
    await this.#assertOffered(caller, pool, form);
    // the serial that was available is gone, or its partnership has been paused since
    const now = await findPool(db, caller.accountId, form.product_id);
    if (!now) throw notFound('Product');
    throw now.status === 'paused' ? paused() : outOfStock(pool);
  }

  async get(caller: Principal, reference: string): Promise<Sale> {
    const sale = await q.findSale(this.#deps.db, caller.accountId, reference);
    if (!sale) throw notFound('Sale');
    return this.#whole(sale);
  }

  /** Newest first, with the sums of all since then. */
  async list(caller: Principal, query: Listing & { since?: string | undefined }) {
    const { db, clock } = this.#deps;
    const { timeZone } = caller;
    const since =
      momentOf(query.since, 'start', timeZone, 'since') ?? startOfDay(dayOf(clock.now(), timeZone), timeZone);
    const [rows, totals] = await Promise.all([
      q.listSales(db, caller.accountId, since, salePlaceOf(query.cursor), query.limit + 1),
      q.totalsOf(db, caller.accountId, since),
    ]);
    const page = pageOf(rows, query.limit, (last) => [last.sold_at.toISOString(), last.id]);
    const emails = await this.#emailsOf(page.rows);
    const shown = page.rows.map((row) => q.rowOf(row, emails.get(row.id) ?? null));
    return { rows: shown, since, totals, next_cursor: page.next_cursor };
  }

  /**
   * Sends the code of a sale to an address, for the first time or again.
   * @throws {AppError} not_found; domain_rule when the code is nobody's to redeem; rate_limited.
   */
  async email(caller: Principal, reference: string, form: EmailSaleForm): Promise<Sale> {
    const { db, limits, random } = this.#deps;
    const find = async (handle: DrawsHandle) => {
      const sale = await q.findSale(handle, caller.accountId, reference);
      if (!sale) throw notFound('Sale');
      const obstacle = sale.developer_closed
        ? 'The developer has closed their account, so this code can no longer be redeemed.'
        : NOT_SENT[sale.state];
      if (obstacle) throw new AppError('domain_rule', obstacle);
      return sale;
    };
    const { id } = await find(db);
    await limits.take(policies.sale_email, id);
    await takeCausedEmails(limits, caller.accountId, [form.email]);
    await db.work({ tx: true }, async (tx) => {
      const emailId = random.id();
      await this.#queue(tx, emailId, caller, await find(tx), form.email, form.language);
      await q.noteEmail(tx, id, emailId);
    });
    return this.get(caller, reference);
  }

  /** The sale that this reference already is. */
  async #earlier(caller: Principal, form: SellForm): Promise<Sale | undefined> {
    const { db } = this.#deps;
    // in this order: a draw that is there is a sale from its first moment, or never
    if (!(await findDraw(db, caller.accountId, form.reference))) return undefined;
    const sale = await q.findSale(db, caller.accountId, form.reference);
    if (!sale) throw reused(form.reference);
    const same =
      sale.product_id === form.product_id &&
      sale.note === form.note &&
      (form.price === undefined || sale.price_cents === toCents(form.price)) &&
      (form.email === null || sameAddress((await this.#emailsOf([sale])).get(sale.id), form.email));
    if (!same) throw reused(form.reference);
    return this.#whole(sale);
  }

  /** @throws {AppError} out_of_stock, price_changed: with what can be done about it. */
  async #assertOffered(caller: Principal, pool: Pool, form: SellForm): Promise<void> {
    const { db, clock } = this.#deps;
    const [resellerId, productId, now] = [caller.accountId, form.product_id, clock.now()];
    const offers = await o.listOffers(db, { resellerId, productId, search: undefined, now }, null, 10);
    if (offers.length === 0) {
      if (await o.hasCodesOutOfSeason(db, resellerId, productId, now)) {
        const message = `The deal of "${pool.product_name}" is over or has not begun, so its codes can't be sold now.`;
        throw new AppError('out_of_stock', message, { available: 0 });
      }
      throw outOfStock(pool);
    }
    if (form.price === undefined) return;
    const asked = toCents(form.price);
    if (offers.some(({ price_cents }) => price_cents === asked)) return;
    const prices = offers.map(({ price_cents }) => money(price_cents)).join(' or ');
    throw new AppError(
      'price_changed',
      `No code of "${pool.product_name}" is left at ${money(asked)}. It costs ${prices} now.`,
    );
  }

  async #queue(
    tx: DrawsHandle,
    emailId: string,
    caller: Principal,
    sale: q.SoldRow,
    email: string,
    language: Language | undefined,
  ): Promise<void> {
    const sold = {
      emailId,
      developerId: sale.developer_id,
      developer: sale.developer_name,
      product: sale.product_name ?? '',
      code: sale.code,
      redeemBy: sale.expires_at,
      email,
      language,
    };
    await this.#deps.soldCodes.queue(tx, caller.accountId, [sold]);
  }

  async #whole(sale: q.SoldRow): Promise<Sale> {
    const redeem_url = await this.#deps.soldCodes.link(this.#deps.db, sale.developer_id, sale.code);
    const color = { dark: '#000000ff', light: '#ffffffff' };
    const qr_svg = await qrCode(redeem_url, { type: 'svg', errorCorrectionLevel: 'M', margin: 2, color });
    const email = (await this.#emailsOf([sale])).get(sale.id) ?? null;
    return { ...q.rowOf(sale, email), redeem_url, qr_svg };
  }

  /** The emails of sales, by the sale's id. */
  async #emailsOf(sales: readonly q.SoldRow[]): Promise<Map<string, NonNullable<SaleRow['email']>>> {
    const ids = sales.flatMap(({ mail_id }) => mail_id ?? []);
    const delivery = ids.length > 0 ? await this.#deps.soldCodes.delivery(this.#deps.db, ids) : null;
    const found = new Map<string, NonNullable<SaleRow['email']>>();
    for (const { id, mail_id } of sales) {
      const email = mail_id === null ? undefined : delivery?.get(mail_id);
      if (email) found.set(id, email);
    }
    return found;
  }
}

/** Why a code is not sent to anybody, by its state. */
const NOT_SENT: Record<SaleRow['state'], string | null> = {
  handed_out: null,
  redeemed: 'The customer has redeemed this code. Their downloads are on the redemption page.',
  revoked: 'The developer has revoked this code.',
  returned: 'This sale was undone, and its code may be another customer’s. Sell another one.',
};

/** An address that has been forgotten can't be compared. */
const sameAddress = (sent: SaleRow['email'] | undefined, email: string) =>
  !!sent && (!sent.address || emailKey(sent.address) === emailKey(email));

const outOfStock = (pool: Pool) =>
  new AppError('out_of_stock', `No codes of "${pool.product_name}" are left to sell. Ask the developer for more.`, {
    available: 0,
  });

function offerPlaceOf(cursor: string | undefined): o.OfferPlace | null {
  const [nameKey, productId, digits] = decodeCursor(cursor, [isText, isId, (text) => /^\d{1,9}$/.test(text)]) ?? [];
  if (nameKey === undefined || productId === undefined) return null;
  return { nameKey, productId, cents: Number(digits) };
}

function salePlaceOf(cursor: string | undefined): { at: Date; id: string } | null {
  const [at, id] = decodeCursor(cursor, [isMoment, isId]) ?? [];
  return at === undefined || id === undefined ? null : { at: new Date(at), id };
}
