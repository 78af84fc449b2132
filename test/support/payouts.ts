import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Deps } from '../../packages/server/src/deps.ts';
import type { TestClock } from '../../packages/server/src/platform/clock.ts';
import { beside } from './beside.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from './http.ts';
import { setPlan } from './plans.ts';
import { plantSeller } from './sellers.ts';
import type { SharedServer } from './server.ts';

interface Scene {
  server: SharedServer;
  clock: TestClock;
}

/** Partners who sell, and the close of their months. */
export function payoutScene(at: () => Scene) {
  const base = (person: Person) =>
    person.email.startsWith('reseller') ? '/api/reseller/payouts' : '/api/reseller/developer/payouts';
  const signIn = async (person: Person) => {
    const { body } = await call(at().server, 'POST', '/api/auth/login', {
      body: { email: person.email, password: 'a fine long password' },
    });
    person.token = body.token;
  };
  /** Sessions end while the clock moves on by months. */
  const authed = async (person: Person, method: string, path: string, body?: object) => {
    const ask = () => call(at().server, method, path, { token: person.token, ...(body ? { body } : {}) });
    const answer = await ask();
    if (answer.status !== 401) return answer;
    await signIn(person);
    return ask();
  };
  const get = (person: Person, path: string) => authed(person, 'GET', `${base(person)}${path}`);
  const post = (person: Person, path: string, body: object = {}) =>
    authed(person, 'POST', `${base(person)}${path}`, body);

  async function partners(options: { rate: number; price?: number; ada?: Person }) {
    const { server, clock } = at();
    const ada = options.ada ?? (await signUpVerified(server));
    await signIn(ada);
    await setPlan(server.db, { plan: 'pro', accountId: ada.id });
    const rae = await signUpVerified(server, 'reseller');
    const partnershipId = randomUUID();
    await plantSeller(server.db, rae.id, ada.id);
    await server.db.query(
      `insert into partnerships (id, developer_id, reseller_id, name, name_key, commission_bps, status, created_at)
       values ($1::uuid, $2, $3, $4, lower($4), $5, 'active', $6)`,
      [partnershipId, ada.id, rae.id, `Shop ${partnershipId}`, options.rate * 100, clock.now()],
    );
    const product = await makeProduct(server, ada.token, { price: options.price ?? 49 });
    return { ada, rae, product, partnershipId };
  }

  /** Serials of the developer's newest reseller, as calls that redeem them. */
  async function sellAt(
    ada: Person,
    product: { id: string },
    quantity: number,
    fields: { reseller_id?: string | null } & object = {},
  ) {
    const { server } = at();
    await signIn(ada);
    const [partnership] = await server.db.query<{ id: string }>(
      'select id from partnerships where developer_id = $1 order by created_at desc limit 1',
      [ada.id],
    );
    const { reseller_id = partnership?.id, ...rest } = fields;
    const serials = await makeSerials(server, ada.token, product.id, {
      quantity,
      ...(reseller_id ? { reseller_id } : {}),
      ...rest,
    });
    return serials.map(({ code, id }) =>
      Object.assign(() => redeem(server, code, `${randomUUID()}@example.com`, ada.id), { id }),
    );
  }

  /** @returns the ids of the serials. */
  async function sell(ada: Person, product: { id: string }, quantity: number, fields: object = {}): Promise<string[]> {
    const serials = await sellAt(ada, product, quantity, fields);
    for (const redeemed of serials) expect((await redeemed()).status).toBe(200);
    return serials.map(({ id }) => id);
  }

  /** Takes a sale back as a whole, in the ledger. */
  async function refund(ada: Person, serialId: string, kind = 'refund'): Promise<void> {
    const { server, clock } = at();
    const month = `${clock.now().toISOString().slice(0, 7)}-01`;
    await server.db.query(
      'insert into usage_months (developer_id, month, redemptions) values ($1, $2, 0) on conflict do nothing',
      [ada.id, month],
    );
    const sign = kind === 'reinstatement' ? 1 : -1;
    await server.db.query(
      `insert into ledger_adjustments (id, developer_id, redemption_id, partnership_id, product_id, kind, revenue_cents, commission_cents, reason, actor_id, created_at, month)
       select gen_random_uuid(), developer_id, id, partnership_id, product_id, $3, $4 * final_price_cents, $4 * commission_cents, 'Money back', developer_id, $5, $6
       from redemptions where developer_id = $1 and serial_id = $2`,
      [ada.id, serialId, kind, sign, clock.now(), month],
    );
  }

  const besideIt = <T>(work: (deps: Deps) => Promise<T>): Promise<T> => beside(at(), work);

  /** Closes months and seals their statements. In a server that runs, the job about new statements makes the seals. */
  const closeFrom = (options: { through?: string; dryRun?: boolean } = {}) =>
    besideIt(async (deps) => {
      const report = await deps.closings.run(options);
      const unsealed = await deps.db.query<{ id: string }>(
        '/* across tenants: a test seals them all */ select distinct developer_id as id from payouts where digest is null',
      );
      for (const { id } of unsealed) await deps.payoutSeals.seal(id);
      return report;
    });
  const remind = () => besideIt((deps) => deps.payoutReminders.run());

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  const payoutsOf = async (person: Person): Promise<any[]> => (await get(person, '')).body.rows;
  const payoutOf = async (person: Person, id: string) => {
    const answer = await get(person, `/${id}`);
    expect(answer.status, answer.text).toBe(200);
    return answer.body;
  };

  return {
    partners,
    sell,
    sellAt,
    refund,
    close: closeFrom,
    closeFrom,
    remind,
    beside: besideIt,
    payoutsOf,
    payoutOf,
    get,
    post,
    authed,
    signIn,
  };
}

/** A statement of a developer's new reseller, as the close would have made it. */
export async function plantPayout(db: Pick<SharedServer['db'], 'query'>, developerId: string): Promise<{ id: string }> {
  const id = randomUUID();
  const partnershipId = id;
  await db.query(
    `insert into partnerships (id, developer_id, name, name_key, status, created_at) values ($1::uuid, $2, $3, $3, 'named', now())`,
    [partnershipId, developerId, `shop ${partnershipId}`],
  );
  const parties = {
    developer: { name: 'Ada', email: 'a@example.com' },
    reseller: { name: 'Shop', email: '' },
    commission_bps: 2000,
  };
  await db.query(
    `insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
       reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
       due_cents, rates, products, parties, rows_digest, digest, closed_at, status)
     values ($1, $2, $3, '2026-01-01', '2026-0001', 1, 1, 1000, 1000, 200, 800, 0, 0, 0, 0, 800, '[]', '{}', $4, '', '', now(), 'pending')`,
    [id, developerId, partnershipId, JSON.stringify(parties)],
  );
  return { id };
}

/** Every operation on one statement, for a stranger to try. */
export const payoutCases = (id: string, reseller: string) => ({
  getDeveloperPayout: { id },
  getPayout: { id, token: reseller },
  downloadDeveloperPayoutCsv: { id },
  downloadDeveloperPayoutPdf: { id },
  downloadPayoutPdf: { id, token: reseller },
  downloadPayoutCsv: { id, token: reseller },
  // the reseller of a planted statement has its id
  whatIfReseller: { id },
  confirmPayout: { id, token: reseller, body: () => ({}) },
  disputePayout: { id, token: reseller, body: () => ({ reason: 'Mine' }) },
  answerPayoutDispute: { id, body: () => ({ text: 'Mine' }) },
  markPayoutPaid: { id, body: () => ({}) },
  reversePayoutPayment: { id, body: () => ({ reason: 'Mine' }) },
});
