import { expect } from 'vitest';
import { switchPlan } from '../../packages/server/src/features/plans/index.ts';
import type { TestClock } from '../../packages/server/src/platform/clock.ts';
import { beside } from './beside.ts';
import { makeProduct, makeSerials, type Person, redeem, signUp } from './http.ts';
import { payoutScene } from './payouts.ts';
import { setPlan } from './plans.ts';
import type { SharedServer } from './server.ts';

type Slug = Parameters<typeof setPlan>[1]['plan'];

interface Scene {
  server: SharedServer;
  clock: TestClock;
}

/** Developers on plans, what they use, and the close of their months. */
export function monthScene(at: () => Scene) {
  const { authed, signIn, close } = payoutScene(at);

  /** @param used redemptions of the current month that nobody made, so that a test need not make them. */
  async function developer(plan: Slug = 'free', used = 0): Promise<Person> {
    const { server, clock } = at();
    const ada = await signUp(server);
    if (plan !== 'free') await setPlan(server.db, { plan, accountId: ada.id });
    // a plan with a fee has a row for each of its months, as the switch to it makes it
    if (plan !== 'free' || used > 0)
      await server.db.query(
        `insert into usage_months (developer_id, month, redemptions, plan) values ($1, date_trunc('month', $2::timestamptz at time zone 'UTC'), $3, $4)`,
        [ada.id, clock.now(), used, plan],
      );
    return ada;
  }

  /** Redeems so many serials of a new product. @returns their ids. */
  async function use(ada: Person, quantity: number): Promise<string[]> {
    const { server } = at();
    await signIn(ada);
    const product = await makeProduct(server, ada.token);
    const serials = await makeSerials(server, ada.token, product.id, { quantity });
    for (const { code } of serials) {
      const answer = await redeem(server, code, 'a@example.com', ada.id);
      expect(answer.status, answer.text).toBe(200);
    }
    return serials.map(({ id }) => id);
  }

  const switchTo = (ada: Person, plan: Slug) => {
    return beside(at(), (deps) =>
      deps.db.work({ tx: true }, (tx) => switchPlan(tx, deps, { developerId: ada.id, plan, by: ada.id })),
    );
  };

  const ask = (person: Person, path = '') => authed(person, 'GET', `/api/billing/invoices${path}`);

  async function invoicesOf(person: Person) {
    const answer = await ask(person);
    expect(answer.status, answer.text).toBe(200);
    return answer.body.rows;
  }

  async function invoiceOf(person: Person, id: string) {
    const answer = await ask(person, `/${id}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  }

  return { developer, use, switchTo, ask, invoicesOf, invoiceOf, close, authed, signIn };
}
