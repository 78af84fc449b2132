import { holdAccounts } from '#features/accounts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { AppError, invalidField } from '#platform/errors.ts';
import type { RateLimits } from '#platform/http/limits/rate-limits.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Jobs } from '#platform/jobs/jobs.ts';
import { base62, type Random } from '#platform/random.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { emailKey } from '#platform/text/email-address.ts';
import { LANGUAGES, type Language } from '#platform/text/languages.ts';
import { limits as policies } from '../limits.ts';
import { findHeld } from '../orders/order-rows.queries.ts';
import { findShop } from '../orders/shop-rows.queries.ts';
import { BY_HAND, type OrderWorker } from '../queue/order-worker.ts';
import type { ShopsDb, ShopsHandle } from '../tables.ts';
import * as q from './order-links.queries.ts';
import type { OpenedOrder, RequestOrderForm } from './order-links.schemas.ts';
import { pickupCodeIn } from './pickup-codes.ts';

const LIFETIME = DAY;
/** The most links for one address at one developer in a day. */
const MOST_LINKS = 10;
const SECRET_LENGTH = 32;
/** Seconds until an order is looked for again that is not here yet: a customer is often faster than what a shop sends. */
const AGAIN = [20, 120, 600, 3600];

/** Port: the email with the link. */
export interface OrderLinkEmails {
  queueLink(
    sql: Sql,
    developerId: string,
    to: { email: string; language: Language | null },
    token: string,
  ): Promise<void>;
  /** How many of them an address was sent since a moment. */
  linksSince(sql: Sql, developerId: string, email: string, since: Date): Promise<number>;
}

interface Wish {
  developerId: string;
  order: string;
  email: string;
  language?: Language | undefined;
  /** How often it was looked for. */
  tries: number;
}

export const orderLinkJob = jobKind<Wish>({
  name: 'shop-order-link',
  retryLimit: 5,
  retryDelay: 5,
  expireInSeconds: 60,
  deleteAfterSeconds: 3600,
  isEmail: true,
});

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  random: Random;
  jobs: Jobs;
  limits: RateLimits;
  worker: Pick<OrderWorker, 'apply'>;
  emails: OrderLinkEmails;
  /** Whose page a request is for, by its Host header. */
  developerOf(host: string): Promise<string | null>;
}

/** The codes of an order, for anyone who reads the email of its address: of a shop that can’t show them itself. */
export class OrderLinks {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Records the request and looks nothing up, so that neither the response nor its timing shows what is there. */
  async request(form: RequestOrderForm, host: string): Promise<void> {
    const { db, limits, jobs, developerOf } = this.#deps;
    const developerId = form.dev ?? (await developerOf(host));
    if (!developerId) throw invalidField('dev', 'Open the page of the plugin’s maker. The link is in your order.');
    await limits.take(policies.order_links_address, `${developerId} ${emailKey(form.email)}`);
    const { order, email, language } = form;
    await jobs.enqueue(db, orderLinkJob, { developerId, order, email, tries: 0, ...(language ? { language } : {}) });
  }

  /** The job. An order that is not here yet is looked for again for about an hour. */
  async sendLink(wish: Wish): Promise<void> {
    const { db, clock, random, emails } = this.#deps;
    const { developerId } = wish;
    await db.work({ tx: true }, async (tx) => {
      const [held] = await holdAccounts(tx, [developerId], { wait: true });
      if (!held || !(await q.isLive(tx, developerId))) return;
      const code = pickupCodeIn(wish.order);
      const key = emailKey(wish.email);
      const meant =
        code === null
          ? await q.findByNumber(tx, developerId, { order: wish.order, key })
          : await this.#pickUp(tx, wish, code);
      if (!meant?.email) return code === null ? this.#again(tx, wish) : undefined;
      const now = clock.now();
      const since = new Date(now.getTime() - DAY);
      if ((await emails.linksSince(tx, developerId, meant.email, since)) >= MOST_LINKS) return;
      const secret = base62(random, SECRET_LENGTH);
      await q.addLink(tx, {
        id: random.id(),
        developer_id: developerId,
        order_id: meant.id,
        email_key: key,
        token_hash: sha256(secret),
        expires_at: new Date(now.getTime() + LIFETIME),
      });
      const language =
        wish.language ?? LANGUAGES.find((each) => meant.language?.toLowerCase().startsWith(each)) ?? null;
      // the account in it keeps the look-up on one machine
      await emails.queueLink(tx, developerId, { email: meant.email, language }, `${developerId}.${secret}`);
    });
  }

  /**
   * Gives an order without an email address that of the customer who has its pickup code, once. Its codes are
   * emailed there.
   * @returns the order, unless that has its codes on their way.
   */
  async #pickUp(tx: ShopsHandle, { developerId, email }: Wish, code: string) {
    const { worker } = this.#deps;
    const key = emailKey(email);
    const found = await q.findByPickupCode(tx, developerId, { code, key });
    if (!found) return undefined;
    const order = await findHeld(tx, developerId, found.connection_id, found.external_id);
    const shop = await findShop(tx, developerId, found.connection_id);
    if (!order || !shop || order.erased_at !== null || order.pickup_code !== code) return undefined;
    if (order.email !== null) return order.email_key === key ? order : undefined;
    await q.giveAddress(tx, developerId, order.id, {
      email,
      email_key: key,
      settled: [...new Set([...order.settled, BY_HAND])],
    });
    await worker.apply(tx, shop, order.external_id, { orders: [], reversals: [] });
    const given = await q.findGiven(tx, developerId, order.id);
    return given.some(({ state }) => state === 'delivered') ? undefined : { ...order, email };
  }

  async #again(tx: ShopsHandle, wish: Wish): Promise<void> {
    const delay = AGAIN[wish.tries];
    if (delay === undefined) return;
    await this.#deps.jobs.enqueueAll(tx, orderLinkJob, [{ ...wish, tries: wish.tries + 1 }], { delay });
  }

  /** @throws {AppError} link_invalid, also when the order has another address by now. */
  async open(token: string): Promise<OpenedOrder> {
    const { db, clock } = this.#deps;
    const [, developerId, secret] = /^([0-9a-f-]{36})\.(\w+)$/.exec(token) ?? [];
    const order =
      developerId === undefined || secret === undefined || !UUID.test(developerId)
        ? undefined
        : await q.findLinked(db, developerId, sha256(secret), clock.now());
    if (!order) throw new AppError('link_invalid', 'This link has expired. Request a new one.');
    const given = await q.findGiven(db, order.developer_id, order.id);
    const codes = given.flatMap(({ code, state, name, sold }) =>
      code !== null && state !== 'wanted' && state !== 'waiting' ? [{ code, product: name ?? sold }] : [],
    );
    const isReturned = RETURNED.has(order.state);
    const isMore =
      !isReturned && (codes.length < given.length || (await q.isUnmapped(db, order.developer_id, order.id)));
    const some = isMore ? 'partly' : 'ready';
    return { order: order.number, state: codes.length > 0 ? some : isReturned ? 'returned' : 'coming', codes };
  }
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const RETURNED: ReadonlySet<string> = new Set(['refunded', 'canceled', 'disputed']);
