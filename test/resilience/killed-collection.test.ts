import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { billingScene, plantStatement } from '@tonerow/test-support/billing.ts';
import { answering, run } from '@tonerow/test-support/command.ts';
import { signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '@tonerow/test-support/server.ts';
import { rounds } from '@tonerow/test-support/soak.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';

// A process that collects is killed (SIGKILL) at every call to Stripe: before Stripe has it, and after Stripe has done what it asks
// for, before the answer is there. It works on several statements at once, each of which is at another call when it dies. Whatever a
// process does between two calls happens between two of these moments. Keys are forgotten before the next process goes on, so that
// only what it finds keeps it from charging twice.

/** The calls that one statement takes, in this order. */
const CALLS = [
  'GET /v1/invoices',
  'POST /v1/invoices',
  'POST /v1/invoices/:id/add_lines',
  'POST /v1/invoices/:id/finalize',
  'POST /v1/invoices/:id/pay',
];
type Moment = 'before' | 'after';

let server: TestServer;
let stripe: StripeStandIn;
let gate: Awaited<ReturnType<typeof startGate>>;
beforeAll(async () => {
  stripe = await startStripe();
  gate = await startGate(stripe.url);
  // no worker: only the processes that are killed collect
  server = await startServer({ env: { ...stripe.env, TONEROW_ROLE: 'api' } });
});
afterAll(async () => {
  await server.stop();
  gate.close();
  stripe.stop();
});

interface Stop {
  /** The number of the call about this customer, from 1. */
  call: number;
  moment: Moment;
  reached: () => void;
}

/** Stripe, behind something that knows whose call comes, and which it is. */
async function startGate(target: string) {
  const stops = new Map<string, Stop>();
  const calls = new Map<string, number>();
  const customerOf = ({ url = '' }: IncomingMessage, body: string): string => {
    const { pathname, searchParams } = new URL(url, target);
    const [, , , id = ''] = pathname.split('/');
    const named = searchParams.get('customer') ?? new URLSearchParams(body).get('customer');
    return named ?? stripe.store.invoices.get(id)?.customer ?? '';
  };
  const own: Server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const customer = customerOf(request, body);
    const nth = (calls.get(customer) ?? 0) + 1;
    calls.set(customer, nth);
    const stop = stops.get(customer);
    const isHere = stop?.call === nth;
    // it is never answered, because the process that asks is dead by then
    if (isHere && stop.moment === 'before') return stop.reached();
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers;
    const answer = await fetch(target + request.url, {
      method: request.method ?? 'GET',
      headers: headers as Record<string, string>,
      ...(body === '' ? {} : { body }),
    });
    const text = await answer.text();
    if (isHere) return stop.reached();
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text);
  });
  await new Promise<void>((resolve) => own.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(own.address() as AddressInfo).port}`,
    /** Resolves when that call for that customer is there. */
    stopAt: (customer: string, call: number, moment: Moment) =>
      new Promise<void>((reached) => void stops.set(customer, { call, moment, reached })),
    open() {
      stops.clear();
      calls.clear();
    },
    close() {
      own.closeAllConnections();
      own.close();
    },
  };
}

const { addCard } = billingScene(() => ({ server, stripe }));
const COMMAND = ['packages/server/dist/bin.js', 'close-month'];
const settings = () => ({
  env: {
    ...stripe.env,
    TONEROW_STRIPE_API_BASE: gate.url,
    DATABASE_URL: server.db.url,
    TONEROW_SECRET: TEST_SECRET,
    // many processes of the same program
    NODE_COMPILE_CACHE: path.join(tmpdir(), 'tonerow-compiled'),
  },
});
const collect = () => run(process.execPath, COMMAND, settings());

async function owing() {
  const ada = await signUpVerified(server);
  const { customer } = await addCard(ada);
  return { ada, customer: customer ?? '', id: await plantStatement(server.db, ada, { amounts: [1000, 55] }) };
}

/** A process that collects several at once, and ends when each of them is at its own call. */
async function killedAtEach(moment: Moment) {
  const owed = await Promise.all(CALLS.map(owing));
  const reached = Promise.all(owed.map(({ customer }, index) => gate.stopAt(customer, index + 1, moment)));
  const child = execa(process.execPath, COMMAND, { ...answering, ...settings() });
  const ended = child.then(({ signal, all }) => {
    if (signal !== 'SIGKILL') throw new Error(`it ended before its calls were there: ${all}`);
  });
  await Promise.race([reached, ended]);
  child.kill('SIGKILL');
  await ended;
  gate.open();
  return owed;
}

/** As a quarter of an hour later, when what the dead process had taken is free again. */
const leasesEnd = () =>
  server.db.query(
    "update billing_statements set lease_until = now() - interval '1 second' where lease_until is not null",
  );

async function storyOf({ ada, id }: Awaited<ReturnType<typeof owing>>) {
  const invoices = [...stripe.store.invoices.values()].filter(({ metadata }) => metadata.statement_id === id);
  const ids = new Set(invoices.map((invoice) => invoice.id));
  const [row] = await server.db.query(
    'select state, attempts, stripe_invoice_id as invoice from billing_statements where id = $1',
    [id],
  );
  const log = await server.db.query('select attempt, action, status from billing_logs where statement_id = $1', [id]);
  const receipts = await server.db.query("select 1 from mails where recipient = $1 and subject like 'Receipt%'", [
    ada.email,
  ]);
  return {
    row,
    invoices: invoices.map(({ id: invoice, status, total, amount_paid }) => ({ invoice, status, total, amount_paid })),
    charges: stripe.store.charges
      .filter(({ invoice }) => ids.has(invoice))
      .map(({ amount, succeeded }) => ({ amount, succeeded })),
    log,
    receipts: receipts.length,
  };
}

it.each(rounds(1))(
  'killed at any call to Stripe, collection goes on to one invoice and one charge: %i',
  async () => {
    const control = await owing();
    const begun = stripe.seen.length;
    const first = await collect();
    expect(first.code, first.output).toBe(0);
    expect(stripe.seen.slice(begun).map(({ call }) => call)).toEqual(CALLS);

    const killed = new Map<string, Awaited<ReturnType<typeof owing>>>();
    for (const moment of ['before', 'after'] as const)
      for (const [index, owed] of (await killedAtEach(moment)).entries())
        killed.set(`${moment} ${index + 1}: ${CALLS[index]}`, owed);
    // while a dead process may still be at it, nobody else is
    const waiting = await collect();
    expect(waiting).toMatchObject({ code: 1, out: expect.stringContaining('Collected 0 invoices.') });
    expect(waiting.err).toContain(`${killed.size} are in the hands of another run.`);

    await leasesEnd();
    stripe.forgetKeys();
    expect(await collect()).toMatchObject({
      code: 0,
      out: expect.stringContaining(`Collected ${killed.size} invoices.`),
    });
    await leasesEnd();
    expect(await collect()).toMatchObject({ code: 0, out: expect.stringContaining('Collected 0 invoices.') });

    for (const [when, owed] of [['control', control] as const, ...killed]) {
      const { row, invoices, ...story } = await storyOf(owed);
      expect(invoices, when).toEqual([{ invoice: row?.invoice, status: 'paid', total: 1055, amount_paid: 1055 }]);
      expect({ row, ...story }, when).toMatchObject({
        row: { state: 'paid', attempts: 1 },
        charges: [{ amount: 1055, succeeded: true }],
        log: [{ attempt: 1, action: 'charge', status: 'success' }],
        receipts: 1,
      });
    }
  },
  120_000,
);
