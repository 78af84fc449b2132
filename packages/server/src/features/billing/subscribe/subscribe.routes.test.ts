import { call, type Person, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { type StripeStandIn, startStripe } from '@tonerow/test-support/stripe/stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
const clock = new TestClock('2026-04-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const subscribe = (person: Person, body: object) =>
  call(server, 'POST', '/api/subscribe', { token: person.token, body });
const planOf = async (person: Person) => (await call(server, 'GET', '/api/me/plan', { token: person.token })).body.slug;
const changes = (person: Person) =>
  server.db.query('select from_plan, to_plan from plan_changes where developer_id = $1 order by changed_at', [
    person.id,
  ]);
const useUp = (person: Person, redemptions: number) =>
  server.db.query(
    `insert into usage_months (developer_id, month, redemptions) values ($1, '2026-04-01', $2)
     on conflict (developer_id, month) do update set redemptions = excluded.redemptions`,
    [person.id, redemptions],
  );

describe('a switch of the plan', () => {
  it('applies at once, is emailed to the account, and opens the month that its fee falls into', async () => {
    const ada = await signUpVerified(server);
    const { status, body } = await subscribe(ada, { plan_id: 'pro' });
    expect(status).toBe(200);
    expect(body).toEqual({
      plan: 'pro',
      label: 'Pro',
      previous_plan: 'free',
      changed: true,
      dry_run: false,
      redemptions: 0,
      redemption_quota: 250,
      overage_price: 0.04,
      stops_now: false,
      resumes_at: null,
      subscription_fee: 10,
      next_subscription_fee: 10,
    });
    expect(await planOf(ada)).toBe('pro');
    const email = await server.email(
      ({ to, subject }) => to?.[0]?.address === ada.email && subject === 'Your plan is now Pro',
    );
    expect(email.text).toContain('from Starter (Free) to Pro');
    const months = await server.db.query('select month::text, closed_at from usage_months where developer_id = $1', [
      ada.id,
    ]);
    expect(months).toEqual([{ month: '2026-04-01', closed_at: null }]);
  });

  it('is refused with a field that does not exist, such as a misspelled dry run', async () => {
    const ada = await signUpVerified(server);
    const refused = await subscribe(ada, { plan_id: 'pro', dryRun: true });
    expect(refused.status).toBe(400);
    expect(refused.body.errors).toEqual([{ path: 'dryRun', message: 'Unknown field.' }]);
    expect(await planOf(ada)).toBe('free');
  });

  it('to the plan that is held changes nothing, also ten times at once', async () => {
    const ada = await signUpVerified(server);
    const answers = await Promise.all(Array.from({ length: 10 }, () => subscribe(ada, { plan_id: 'elite' })));
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(answers.filter(({ body }) => body.changed)).toHaveLength(1);
    expect(await changes(ada)).toEqual([{ from_plan: 'free', to_plan: 'elite' }]);
  });

  it('down shows its effects first: the new quota, that redemptions stop, and that the month keeps its highest fee', async () => {
    const ada = await signUpVerified(server);
    await subscribe(ada, { plan_id: 'elite' });
    await useUp(ada, 60);
    const { body } = await subscribe(ada, { plan_id: 'free', dry_run: true });
    expect(body).toMatchObject({
      plan: 'free',
      previous_plan: 'elite',
      dry_run: true,
      redemptions: 60,
      redemption_quota: 50,
      overage_price: null,
      stops_now: true,
      resumes_at: '2026-05-01T00:00:00.000Z',
      subscription_fee: 20,
      next_subscription_fee: 0,
    });
    expect(await planOf(ada)).toBe('elite');
    expect(await changes(ada)).toHaveLength(1);
    expect((await subscribe(ada, { plan_id: 'free' })).body).toEqual({ ...body, dry_run: false });
    expect(await planOf(ada)).toBe('free');
  });

  it('is refused for a plan that there is not, without a plan, for resellers and for unverified addresses', async () => {
    const ada = await signUpVerified(server);
    const wrong = await subscribe(ada, { plan_id: 'platinum' });
    expect([wrong.status, wrong.body.code, wrong.body.errors[0].path]).toEqual([400, 'invalid_request', 'plan_id']);
    expect((await subscribe(ada, {})).status).toBe(400);
    expect((await subscribe(await signUpVerified(server, 'reseller'), { plan_id: 'pro' })).status).toBe(403);
    expect((await subscribe(await signUp(server), { plan_id: 'pro' })).body.code).toBe('email_unverified');
    expect(await changes(ada)).toEqual([]);
  });

  it('is not for access tokens', async () => {
    const ada = await signUpVerified(server);
    const made = await call(server, 'POST', '/api/account/tokens', {
      token: ada.token,
      body: { name: 'CI', scopes: ['account:read', 'account:write'] },
    });
    expect(made.body.token).toMatch(/^tnr_pat_/);
    const asked = await call(server, 'POST', '/api/subscribe', { token: made.body.token, body: { plan_id: 'elite' } });
    expect(asked.status).toBe(403);
  });
});

describe('where cards are taken', () => {
  let stripe: StripeStandIn;
  let taking: TestServer;
  beforeAll(async () => {
    stripe = await startStripe({ now: () => clock.now() });
    taking = await startServer({ env: stripe.env, overrides: { clock } });
  });
  afterAll(async () => {
    await taking.stop();
    stripe.stop();
  });

  it.each(['creator', 'pro', 'elite'])('%s needs one, and nothing changes without', async (plan_id) => {
    const ada = await signUpVerified(taking);
    const ask = (body: object) => call(taking, 'POST', '/api/subscribe', { token: ada.token, body });
    for (const dry_run of [true, false]) {
      const { status, body } = await ask({ plan_id, dry_run });
      expect([status, body.code, body.message]).toEqual([402, 'card_required', 'Add a card first.']);
    }
    expect((await call(taking, 'GET', '/api/me/plan', { token: ada.token })).body.slug).toBe('free');
    expect((await ask({ plan_id: 'free' })).body.changed).toBe(false);
  });
});
