import { holdAccounts } from '#features/accounts';
import type { Clock } from '#platform/clock.ts';
import { AppError, notFound } from '#platform/errors.ts';
import { isId } from '#platform/ids.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { type LicenseCall, lineId, readLicenseCall } from '../connectors/fastspring.ts';
import type { OrderSnapshot } from '../connectors/port.ts';
import { namesIn } from '../connectors/reading.ts';
import * as q from '../orders/order-rows.queries.ts';
import { findShop } from '../orders/shop-rows.queries.ts';
import { reasonTexts } from '../orders/states.ts';
import type { OrderWorker } from '../queue/order-worker.ts';
import { openCredentials } from '../reconcile/fetching.ts';
import { type ShopsDb, type ShopsHandle, tables } from '../tables.ts';

/** The customer looks at a page that waits: what is held longer is an error, and nothing is printed. */
const SHORTLY = { lock_timeout: '200ms' };
/** All of a call, whatever it waits for: FastSpring gives up, and so does the customer. */
const CALL_MS = 2000;
/** Older than whatever the shop reports of the order: its event has the money, the name and the language. */
const BEFORE_ALL = new Date(0);

const findCalled = tables.named('license_call_shop', (begin, accountId: string, token: string) =>
  begin
    .selectFrom('shop_connections')
    .select(['id', 'kind', 'mode', 'state', 'credentials'])
    .where('developer_id', '=', accountId)
    .where('token', '=', token)
    .where('deleted_at', 'is', null),
);

interface Dependencies {
  db: ShopsDb;
  clock: Clock;
  secrets: Secrets;
  worker: OrderWorker;
}

/** FastSpring's license call: codes for an order while its customer waits. The same order and product get the same codes, however often. */
export class LicenseCalls {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * Gives the codes of one line of an order, which is made if this is the first that is heard of it.
   * @throws {AppError} not_found, unauthorized; unavailable when there is not a code for each, and one would be printed in its place, or when it takes
   * too long, and then nothing is given.
   */
  async answer(accountId: string, token: string, body: Buffer): Promise<string[]> {
    const signal = AbortSignal.timeout(CALL_MS);
    const late = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(new AppError('unavailable', 'It takes too long at the moment.', { retryAfter: 60 }));
      });
    });
    const answer = this.#answer(accountId, token, body, signal);
    // the deadline answers a late call, and its work is rolled back
    answer.catch(() => undefined);
    return Promise.race([answer, late]);
  }

  async #answer(accountId: string, token: string, body: Buffer, signal: AbortSignal): Promise<string[]> {
    const { db, secrets } = this.#deps;
    const [shop] = isId(accountId) ? await findCalled(db, accountId, token) : [];
    if (shop?.kind !== 'fastspring') throw notFound('Shop');
    const key = shop.credentials ? (openCredentials(secrets, shop.credentials).license_key ?? '') : '';
    const call = readLicenseCall(body, key);
    if (call === null)
      throw new AppError('unauthorized', 'It is signed with another private key, or none is kept here.');
    if ('unusable' in call) throw new AppError('invalid_request', call.unusable);
    if (shop.state === 'off') throw new AppError('unavailable', 'This shop is paused.', { retryAfter: 60 });
    const answer = await db.work({ tx: true, signal, everywhere: SHORTLY }, (tx) =>
      this.#give(tx, accountId, shop.id, call),
    );
    // the order is kept either way, so that its page shows what is missing
    if ('why' in answer) throw new AppError('unavailable', answer.why, { retryAfter: 60 });
    return answer.codes;
  }

  async #give(
    tx: ShopsHandle,
    accountId: string,
    shopId: string,
    call: LicenseCall,
  ): Promise<{ codes: string[] } | { why: string }> {
    const [account] = await holdAccounts(tx, [accountId], { wait: true });
    const shop = await findShop(tx, accountId, shopId);
    if (!account || !shop) throw notFound('Shop');
    const orders = [orderOf(call, { inTests: shop.mode === 'test', now: this.#deps.clock.now() })];
    const orderId = await this.#deps.worker.apply(tx, shop, call.reference, { orders, reversals: [] });
    const order = { developer_id: accountId, id: orderId as string };
    const lines = await q.findLines(tx, order);
    const line = lines.find(({ external_id }) => external_id === lineId(call.product, 1));
    const units = (await q.findUnits(tx, order)).filter(({ line_id }) => line_id === line?.id);
    const codes = units.flatMap(({ code, state }) => (code !== null && GIVEN.has(state) ? [code] : []));
    if (line?.product_ids && units.length > 0 && codes.length === units.length) return { codes };
    const { reasons } = await tx
      .selectFrom('shop_orders')
      .select('reasons')
      .where('developer_id', '=', accountId)
      .where('id', '=', order.id)
      .executeTakeFirstOrThrow();
    const [reason] = reasons;
    return { why: reason ? reasonTexts[reason] : 'Its serials were taken back.' };
  }
}

const GIVEN: ReadonlySet<string> = new Set(['issued', 'delivered', 'kept']);

function orderOf(
  { reference, product, quantity, email, name, isTest }: LicenseCall,
  { inTests, now }: { inTests: boolean; now: Date },
): OrderSnapshot {
  return {
    id: reference,
    number: reference,
    versionAt: BEFORE_ALL,
    paidAt: now,
    canceledAt: null,
    isTest: isTest || inTests,
    currency: 'USD',
    email,
    ...namesIn(name),
    language: null,
    country: null,
    lines: [
      {
        id: lineId(product, 1),
        keys: [`product:${product}`],
        sku: null,
        name: product,
        quantity,
        netMinor: 0,
        isUnpriced: true,
      },
    ],
  };
}
