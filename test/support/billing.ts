import { randomUUID } from 'node:crypto';
import type { Clock } from '../../packages/server/src/platform/clock.ts';
import { systemClock } from '../../packages/server/src/platform/clock.ts';
import { beside } from './beside.ts';
import { call, type Person } from './http.ts';
import type { SharedServer } from './server.ts';
import type { StripeStandIn } from './stripe/stand-in.ts';

/** Developers with cards, on a server that speaks to the stand-in for Stripe. */
export function billingScene(at: () => { server: SharedServer; stripe: StripeStandIn; clock?: Clock }) {
  const signIn = async (person: Person) => {
    const { body } = await call(at().server, 'POST', '/api/auth/login', {
      body: { email: person.email, password: 'a fine long password' },
    });
    person.token = body.token;
  };
  /** Sessions end while the clock moves on. */
  const authed = async (person: Person, method: string, path: string) => {
    const ask = () => call(at().server, method, path, { token: person.token });
    const answer = await ask();
    if (answer.status !== 401) return answer;
    await signIn(person);
    return ask();
  };
  const get = (person: Person, path: string) => authed(person, 'GET', `/api/billing${path}`);
  const begin = (person: Person) => authed(person, 'POST', '/api/billing/create-setup-intent');
  const cardOf = async (person: Person) => (await get(person, '/payment-method')).body.card;
  const statusOf = async (person: Person) => (await get(person, '/subscription-status')).body;
  const besideIt = <T>(work: Parameters<typeof beside<T>>[1]) => {
    const { server, stripe, clock = systemClock } = at();
    return beside({ server, clock, env: stripe.env }, work);
  };

  /** As a person enters a card in the browser, and comes back to the settings. */
  async function addCard(person: Person, token?: string) {
    const { body } = await begin(person);
    const card = at().stripe.enterCard(body.client_secret, token);
    await cardOf(person);
    return card;
  }

  return {
    get,
    authed,
    begin,
    cardOf,
    statusOf,
    addCard,
    besideIt,
    warn: () => besideIt((deps) => deps.expiringCards.run()),
  };
}

/** Plants the statement of a developer for a month, as the close would have made it. */
export async function plantStatement(
  db: Pick<SharedServer['db'], 'query'>,
  person: Pick<Person, 'id' | 'email'>,
  { amounts = [1000], month = '2026-02-01', number }: { amounts?: number[]; month?: string; number?: string } = {},
): Promise<string> {
  const id = randomUUID();
  const [fee = 0, ...others] = amounts;
  const overage = others.reduce((sum, each) => sum + each, 0);
  await db.query(
    `insert into billing_statements (developer_id, id, month, number, plan, fee_cents, redemptions, overage_redemptions, overage_cents,
       refresh_count, refresh_cents, total_cents, party, closed_at, state, next_attempt_at)
     values ($1, $2, $3, $4, 'pro', $5, 0, 0, $6, 0, 0, $5::bigint + $6::bigint, $7, $3::date + interval '1 month', 'rated', $3::date + interval '1 month')`,
    [
      person.id,
      id,
      month,
      number ?? `${month.slice(0, 4)}-${id.slice(0, 8)}`,
      fee,
      overage,
      { name: 'Ada', email: person.email, company: null, address: null, tax_id: null },
    ],
  );
  for (const [n, amount] of amounts.entries()) {
    await db.query(
      `insert into billing_lines (id, developer_id, statement_id, n, kind, description, quantity, unit_cents, amount_cents)
       values (gen_random_uuid(), $1, $2, $3, $4, $5, 1, $6::int, $6::int)`,
      [person.id, id, n + 1, n === 0 ? 'fee' : 'overage', `Line ${n + 1}`, amount],
    );
  }
  return id;
}
