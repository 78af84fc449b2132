import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { execaNode } from 'execa';
import type { Bench } from '../bench.ts';
import { root, round } from '../support.ts';

const CLOSED = Number(process.env.BENCH_CLOSED ?? 10_000);
/** Each takes a quarter of a second of Stripe's budget: ten thousand of them take forty minutes. */
const COLLECTED = Number(process.env.BENCH_COLLECTED ?? 200);
/** The limits of an account at Stripe in test mode. */
const PER_SECOND = 25;
const LATENCY = 300;

const id = (mark: number) => `('0199${mark.toString(16)}c1-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid`;
/** Developers with a plan with a fee, whose last month is over. */
const developers = (mark: number, count: number) => [
  `insert into users (id, role, plan, email, email_key, password_hash, first_name, last_name, created_at)
   select ${id(mark)}, 'developer', 'creator', 'billed-${mark}-' || i || '@example.com', 'billed-${mark}-' || i || '@example.com', '', 'Billed', 'No ' || i,
     now() - interval '90 days' from generate_series(1, ${count}) i`,
  `insert into plan_changes (developer_id, id, from_plan, to_plan, changed_at, changed_by)
   select ${id(mark)}, gen_random_uuid(), 'free', 'pro', now() - interval '90 days', ${id(mark)} from generate_series(1, ${count}) i
   union all
   select ${id(mark)}, gen_random_uuid(), 'pro', 'creator', date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '1 hour', ${id(mark)}
   from generate_series(1, ${count}) i`,
  `insert into usage_months (developer_id, month, redemptions, plan)
   select ${id(mark)}, date_trunc('month', now() at time zone 'UTC') - interval '1 month', 7, 'creator' from generate_series(1, ${count}) i`,
];

/** The close of a month of many developers, and the collection of what it makes from a Stripe that takes its time. */
export async function closeAndCollect({ databaseUrl, db, folder, say, line }: Bench): Promise<void> {
  const secret = (await readFile(path.join(folder, 'data', 'secret'), 'utf8')).trim();
  const close = async (more: Record<string, string> = {}) => {
    const env = {
      DATABASE_URL: databaseUrl,
      TONEROW_SECRET: secret,
      TONEROW_DATA_DIR: path.join(folder, 'data-bills'),
      ...more,
    };
    const begun = performance.now();
    const bin = path.join(root, 'packages/server/dist/bin.js');
    const { stdout } = await execaNode(bin, ['close-month'], { env });
    return { stdout, seconds: (performance.now() - begun) / 1000 };
  };
  const nothing = await close();

  say(`closing the month of ${CLOSED} developers`);
  for (const text of developers(33, CLOSED)) await db.query(text);
  const closed = await close();
  if (!closed.stdout.includes(`${CLOSED} billing statements`)) throw new Error(`the close answered: ${closed.stdout}`);
  line({
    what: `close a month of ${CLOSED} developers with a bill each`,
    ours: `${round(closed.seconds - nothing.seconds)} s`,
    baseline: 'two minutes',
    ratio: (closed.seconds - nothing.seconds) / 120,
    atMost: 1,
  });

  const stripe = await startStripe({ latency: LATENCY });
  try {
    say(`closing and collecting from ${COLLECTED}, with answers after ${LATENCY} ms and ${PER_SECOND} calls a second`);
    for (const text of developers(34, COLLECTED)) await db.query(text);
    await plantCards(db, stripe);
    const begins: number[] = [];
    const push = stripe.seen.push.bind(stripe.seen);
    stripe.seen.push = (...calls) => {
      begins.push(performance.now());
      return push(...calls);
    };
    const collected = await close(stripe.env);
    if (!collected.stdout.includes(`Collected ${COLLECTED} invoices`))
      throw new Error(`it answered: ${collected.stdout}`);
    const charged = new Set(stripe.store.charges.map(({ invoice }) => invoice)).size;
    if (charged !== COLLECTED || stripe.store.charges.length !== COLLECTED)
      throw new Error(`${charged} invoices were charged`);
    const seconds = ((begins.at(-1) ?? 0) - (begins[0] ?? 0)) / 1000;
    const busiest = mostWithin(begins, 1000);
    line({
      what: `collect ${COLLECTED} invoices, ${begins.length} calls`,
      ours: `${round(seconds)} s`,
      baseline: `${round(begins.length / PER_SECOND)} s at ${PER_SECOND} calls a second`,
      ratio: seconds / (begins.length / PER_SECOND),
      atMost: 1.1,
    });
    line({
      what: '  calls in its busiest second',
      ours: String(busiest),
      baseline: `${PER_SECOND} allowed`,
      ratio: busiest / PER_SECOND,
      // two that begin a gap apart may arrive closer to each other
      atMost: 1.1,
    });
    line({
      what: '  10,000 of them, at that pace',
      ours: `${round((seconds / COLLECTED) * (10_000 / 60), 0)} min`,
      baseline: '50 min of one run',
      ratio: ((seconds / COLLECTED) * 10_000) / 3000,
      atMost: 1,
    });
  } finally {
    stripe.stop();
  }
}

/** A card for each of them, as if it had been entered. */
async function plantCards(db: Bench['db'], { store }: StripeStandIn): Promise<void> {
  const { rows } = await db.query<{ id: string }>(`select ${id(34)} as id from generate_series(1, ${COLLECTED}) i`);
  const made = { created: store.seconds, livemode: false as const, metadata: {} };
  for (const developer of rows) {
    const [customer, card] = [store.id('cus'), store.id('pm')];
    store.customers.set(customer, {
      ...made,
      ...{ id: customer, object: 'customer', email: null, name: null, balance: 0 },
      invoice_settings: { default_payment_method: card },
    });
    store.cards.set(card, {
      ...made,
      ...{ id: card, object: 'payment_method', type: 'card', customer },
      card: { brand: 'visa', last4: '4242', exp_month: 12, exp_year: 2034 },
    });
    await db.query(
      `insert into billing_customers (developer_id, stripe_customer_id, payment_method_id, brand, last4, exp_month, exp_year)
       values ($1, $2, $3, 'visa', '4242', 12, 2034)`,
      [developer.id, customer, card],
    );
  }
}

/** The most of these moments, in their order, that fall into any span of so many milliseconds. */
function mostWithin(moments: readonly number[], span: number): number {
  let [first, most] = [0, 0];
  for (const [last, moment] of moments.entries()) {
    while (moment - (moments[first] as number) >= span) first += 1;
    most = Math.max(most, last - first + 1);
  }
  return most;
}
