import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { Cards } from './cards.ts';
import { BadForm, type Params, readForm } from './form.ts';
import { Invoices } from './invoices.ts';
import { calls, flag, refuseLongKey, refuseUnknown, textIn } from './parameters.ts';
import { invalid, noSuch, Refusal } from './refusals.ts';
import { type Behavior, Store, type StoredCard, type StoredEvent } from './store.ts';

const DAY = 24 * 60 * 60_000;
const VERSION = '2026-10-28.endive';
export const SECRET_KEY = 'sk_test_stand_in';
export const PUBLISHABLE_KEY = 'pk_test_stand_in';
export const WEBHOOK_SECRET = 'whsec_stand_in';

/** Stripe's answers, by status, to errors that no card caused. It keeps none of them under a key. */
const REFUSED = {
  '400': () => invalid('Received unknown parameter: colour', { code: 'parameter_unknown', param: 'colour' }),
  '401': () => invalid('Expired API Key provided: sk_test_***_in', { code: 'api_key_expired' }, 401),
  '403': () => invalid('The provided key does not have the required permissions for this endpoint.', {}, 403),
  '404': () => noSuch('invoice', 'in_elsewhere'),
} as const;

/** A call that goes wrong, and when: before anything has happened, or after everything has. */
export interface Fault {
  /** Such as `POST /v1/invoices/:id/pay`. */
  call: string;
  how: 'lost-before' | 'lost-after' | '500-before' | '500-after' | 'delayed' | keyof typeof REFUSED;
  /** How often; a client repeats a lost answer by itself once. */
  times: number;
}

/** Calls of one kind that wait until they are let go. */
interface Hold {
  arrive: () => void;
  released: Promise<void>;
}

interface Answer {
  status: number;
  body: object;
}

interface Kept extends Answer {
  fingerprint: string;
  /** When it was answered. */
  at: number;
}

interface Options {
  /** The clock for `created`. */
  now?: () => Date;
  /** Milliseconds that an answer takes. */
  latency?: number;
  port?: number;
  /** Calls that it answers within a second; more are refused. Default: any number. */
  perSecond?: number;
}

/** A server that speaks as Stripe does, and refuses what Stripe refuses. */
export async function startStripe(options: Options = {}) {
  const now = options.now ?? (() => new Date());
  const store = new Store(now);
  const cards = new Cards(store);
  const invoices = new Invoices(store, cards);
  const kept = new Map<string, Kept>();
  const running = new Set<string>();
  const faults: Fault[] = [];
  const holds = new Map<string, Hold>();
  /** Every call that was understood, in their order. */
  const seen: { call: string; path: string; key: string | undefined }[] = [];
  const refused = { count: 0 };
  let lately: number[] = [];

  function refuseTooMany(): void {
    const time = performance.now();
    lately = lately.filter((at) => time - at < 1000);
    if (lately.length >= (options.perSecond ?? Number.POSITIVE_INFINITY)) {
      refused.count += 1;
      throw invalid('Too many requests hit the API too quickly.', { code: 'rate_limit' }, 429);
    }
    lately.push(time);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.destroy(error as Error));
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(request.url ?? '', 'http://stripe');
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.method === 'OPTIONS') return send(response, { status: 204, body: {} });
    const fail = (error: unknown) => send(response, failure(error));
    try {
      const call = callOf(request.method ?? '', pathname);
      const params = readForm(request.method === 'GET' || request.method === 'DELETE' ? search : body);
      const publishable = authenticate(request, call, params);
      refuseUnknown(call, params);
      refuseTooMany();
      const key = request.headers['idempotency-key'] as string | undefined;
      refuseLongKey(key);
      seen.push({ call, path: pathname, key });
      const held = holds.get(call);
      held?.arrive();
      await held?.released;
      const fault = take(faults, call);
      // biome-ignore lint/plugin: how slow Stripe is is what a caller of this wants
      if (options.latency) await pause(options.latency);
      if (fault?.how === 'lost-before') return void request.socket.destroy();
      if (fault && fault.how in REFUSED) throw REFUSED[fault.how as keyof typeof REFUSED]();
      const result = await keyed(request.method === 'POST' ? key : undefined, `${call} ${pathname} ${body}`, () => {
        if (fault?.how === '500-before') return broken();
        const done = run(call, pathname.split('/')[3] ?? '', params, publishable);
        return fault?.how === '500-after' ? broken() : done;
      });
      // longer than anybody waits
      if (fault?.how === 'delayed') return;
      if (fault?.how === 'lost-after') return void request.socket.destroy();
      send(response, result);
    } catch (error) {
      fail(error);
    }
  }

  /** Remembers what a key was answered, declines and faults too; what was refused as not valid is not kept. */
  async function keyed(key: string | undefined, fingerprint: string, work: () => Answer): Promise<Answer> {
    if (key === undefined) return attempt(work);
    // Stripe may forget them after a day
    for (const [old, { at }] of kept) if (now().getTime() - at > DAY) kept.delete(old);
    const before = kept.get(key);
    if (before && before.fingerprint !== fingerprint)
      throw new Refusal(400, {
        type: 'idempotency_error',
        message: `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}'.`,
      });
    if (before) return before;
    if (running.has(key))
      throw invalid(
        'There is currently another in-progress request using this Idempotency Key.',
        {
          code: 'idempotency_key_in_use',
        },
        409,
      );
    running.add(key);
    const result = attempt(work);
    running.delete(key);
    if (result.status !== 400 && result.status !== 404) kept.set(key, { ...result, fingerprint, at: now().getTime() });
    return result;
  }

  function run(call: string, id: string, params: Params, publishable: boolean): Answer {
    const done: Record<string, () => object> = {
      'POST /v1/customers': () => cards.createCustomer(params),
      'GET /v1/customers': () => paged(cards.customers(params), params),
      'GET /v1/customers/:id': () => expanded(cards.customer(id), params),
      'POST /v1/customers/:id': () => cards.updateCustomer(id, params),
      'DELETE /v1/customers/:id': () => cards.deleteCustomer(id),
      'POST /v1/setup_intents': () => cards.createSetup(params),
      'GET /v1/setup_intents/:id': () => cards.setup(id),
      'POST /v1/setup_intents/:id/confirm': () => cards.confirm(id, params, publishable),
      'POST /v1/payment_intents/:id/confirm': () => invoices.payments.confirm(id, params, publishable),
      'GET /v1/payment_methods/:id': () => cards.card(id),
      'POST /v1/payment_methods/:id/attach': () => cards.attach(),
      'POST /v1/payment_methods/:id/detach': () => cards.detach(id),
      'POST /v1/invoices': () => invoices.create(params),
      'GET /v1/invoices': () => paged(invoices.list(params), params),
      'GET /v1/invoices/:id': () => invoices.read(id, params),
      'DELETE /v1/invoices/:id': () => invoices.delete(id),
      'POST /v1/invoices/:id': () => invoices.update(id, params),
      'POST /v1/invoices/:id/add_lines': () => invoices.addLines(id, params),
      'POST /v1/invoices/:id/finalize': () => {
        flag(params, 'auto_advance', false);
        return invoices.finalize(id);
      },
      'POST /v1/invoices/:id/pay': () => invoices.pay(id, params),
      'POST /v1/invoices/:id/void': () => invoices.void(id),
      'POST /v1/invoices/:id/mark_uncollectible': () => invoices.giveUp(id),
      'POST /v1/invoiceitems': () => invoices.addItem(params),
      'GET /v1/invoiceitems': () => paged(invoices.items(params), params),
      'DELETE /v1/invoiceitems/:id': () => invoices.deleteItem(id),
    };
    const work = done[call];
    if (!work) throw new Error(`the stand-in has no ${call}`);
    return { status: 200, body: invoices.withLines(structuredClone(work())) };
  }

  function expanded(customer: ReturnType<Cards['customer']>, params: Params): object {
    const wanted = Object.values(params.expand ?? {});
    if (!('invoice_settings' in customer) || !wanted.includes('invoice_settings.default_payment_method'))
      return customer;
    const { default_payment_method: id } = customer.invoice_settings;
    return { ...customer, invoice_settings: { default_payment_method: id === null ? null : cards.card(id) } };
  }

  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;

  return {
    url,
    store,
    seen,
    /** How many were too many. */
    refused,
    /** The server's settings that make it speak to this one. */
    env: {
      STRIPE_SECRET_KEY: SECRET_KEY,
      STRIPE_PUBLISHABLE_KEY: PUBLISHABLE_KEY,
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      TONEROW_STRIPE_API_BASE: url,
    },
    fail: (fault: Fault) => void faults.push({ ...fault }),
    heal: () => void faults.splice(0),
    /** Lets calls such as `POST /v1/invoices/:id/pay` wait: `arrived` is when the first has come. */
    hold(call: string): { arrived: Promise<void>; release: () => void } {
      const [arrival, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      holds.set(call, { arrive: arrival.resolve, released: end.promise });
      return {
        arrived: arrival.promise,
        release() {
          holds.delete(call);
          end.resolve();
        },
      };
    },
    /** As Stripe does after a day. */
    forgetKeys: () => kept.clear(),
    /** As Stripe's form in the browser: the card is entered, and Stripe answers only the browser. */
    enterCard(clientSecret: string, token = 'pm_card_visa'): StoredCard {
      const [id = ''] = clientSecret.split('_secret_');
      const setup = cards.confirm(id, { client_secret: clientSecret, payment_method: token }, true);
      return cards.card(setup.payment_method as string);
    },
    /** As Stripe's script in the browser: a payment is confirmed with its secret, and the bank may ask. */
    confirmPayment(clientSecret: string, cardId: string) {
      const [id = ''] = clientSecret.split('_secret_');
      return invoices.payments.confirm(id, { client_secret: clientSecret, payment_method: cardId }, true);
    },
    /** As the bank's page in the browser: the cardholder has answered. @throws {Refusal} when it was a no. */
    authenticate: (id: string, confirmed: boolean) =>
      id.startsWith('pi_') ? invoices.payments.authenticate(id, confirmed) : cards.authenticate(id, confirmed),
    /** As on Stripe's own pages. */
    detach: (cardId: string) => void cards.detach(cardId),
    /** As on Stripe's own pages: with cards and drafts, and for good. */
    deleteCustomer: (id: string | null) => void cards.deleteCustomer(id ?? ''),
    behave: (cardId: string, behavior: Behavior) => void store.behaviors.set(cardId, behavior),
    signed: (event: object, how: { secret?: string; at?: Date } = {}) => signed(event, how.at ?? now(), how.secret),
    /** Sends an event to a server, as a webhook does. */
    deliver(to: { url: string }, event: StoredEvent, how: { secret?: string; at?: Date } = {}) {
      const { body, signature } = signed(event, how.at ?? now(), how.secret);
      return fetch(`${to.url}/api/stripe/webhook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature },
        body,
      });
    },
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}

export type StripeStandIn = Awaited<ReturnType<typeof startStripe>>;

function signed(event: object, at: Date, secret = WEBHOOK_SECRET): { body: string; signature: string } {
  const body = JSON.stringify(event, null, 2);
  const time = Math.floor(at.getTime() / 1000);
  const mac = createHmac('sha256', secret).update(`${time}.${body}`).digest('hex');
  return { body, signature: `t=${time},v1=${mac}` };
}

/** The call that an address is, such as `GET /v1/invoices/:id`. */
function callOf(method: string, path: string): string {
  const [, version, kind, id, action] = path.split('/');
  const form = `${method} /${version}/${kind}${id ? '/:id' : ''}${action ? `/${action}` : ''}`;
  if (!calls.includes(form)) throw invalid(`Unrecognized request URL (${method}: ${path}).`, {}, 404);
  return form;
}

const IN_BROWSERS = ['POST /v1/setup_intents/:id/confirm', 'POST /v1/payment_intents/:id/confirm'];

/** @returns whether it is a browser that calls, which may do nothing but confirm. */
function authenticate(request: IncomingMessage, call: string, params: Params): boolean {
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? textIn(params, 'key');
  if (bearer === PUBLISHABLE_KEY && IN_BROWSERS.includes(call)) return true;
  if (bearer !== SECRET_KEY) throw invalid('Invalid API Key provided.', {}, 401);
  if (request.headers['stripe-version'] !== VERSION)
    throw invalid(`Invalid Stripe API version: ${request.headers['stripe-version']}`);
  return false;
}

function attempt(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    return failure(error);
  }
}

function failure(error: unknown): Answer {
  if (error instanceof Refusal) return { status: error.status, body: { error: error.error } };
  if (error instanceof BadForm) return failure(invalid(error.message));
  throw error;
}

const broken = (): Answer => ({
  status: 500,
  body: { error: { type: 'api_error', message: 'An unknown error occurred.' } },
});

function take(faults: Fault[], call: string): Fault | undefined {
  const fault = faults.find((each) => each.call === call && each.times > 0);
  if (fault) fault.times -= 1;
  return fault;
}

function paged<T extends { id: string }>(all: T[], params: Params): object {
  const limit = Number(textIn(params, 'limit') ?? 10);
  if (!(limit >= 1 && limit <= 100)) throw invalid(`Invalid limit: ${limit}`, { param: 'limit' });
  const after = textIn(params, 'starting_after');
  const found = all.findIndex(({ id }) => id === after);
  if (after !== undefined && found === -1) throw noSuch('object', after, 'starting_after');
  const from = found + 1;
  const data = all.slice(from, from + limit);
  return { object: 'list', url: '/v1/list', data, has_more: all.length > from + limit };
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': 'req_stand_in',
    'access-control-allow-origin': '*',
    'access-control-allow-headers': '*',
    'access-control-allow-methods': '*',
  });
  response.end(status === 204 ? undefined : JSON.stringify(body));
}
