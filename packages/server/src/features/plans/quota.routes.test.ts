import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';
import { plans } from './plans.ts';
import { quotaLevel } from './quota.ts';

let server: TestServer;
const clock = new TestClock('2026-04-10T12:00:00Z');
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

async function developer(used: number) {
  const ada = await signUpVerified(server);
  const product = await makeProduct(server, ada.token);
  const serials = await makeSerials(server, ada.token, product.id, { quantity: 8 });
  await server.db.query("insert into usage_months (developer_id, month, redemptions) values ($1, '2026-04-01', $2)", [
    ada.id,
    used,
  ]);
  const next = () => redeem(server, serials.pop()?.code as string, 'a@example.com', ada.id);
  return { ada, product, next };
}

const emailTo = (person: Person, part: string) =>
  server.email(({ to, subject }) => to?.[0]?.address === person.email && subject?.includes(part) === true);
const warned = async (person: Person) =>
  (
    await server.db.query<{ warned_percent: number }>(
      'select warned_percent from usage_months where developer_id = $1',
      [person.id],
    )
  )[0]?.warned_percent;

describe('quotaLevel', () => {
  it.each(plans)(
    'is reached by the first redemption that is 80 or 100 % of $redemptionQuota',
    ({ redemptionQuota: q }) => {
      const levels = Array.from({ length: q + 1 }, (_, n) => quotaLevel(n, q));
      expect([levels.indexOf(80), levels.indexOf(100), quotaLevel(9 * q, q)]).toEqual([q * 0.8, q, 100]);
    },
  );
});

describe('the developer', () => {
  it('gets an email at 80 % and at 100 % of the quota, once each', async () => {
    const { ada, next } = await developer(39);
    await next();
    const first = await emailTo(ada, '80% of this month');
    expect(first.text).toContain('40 of the 50 free redemptions');
    expect(first.text).toContain('At 50, redemptions stop until May 1 (UTC)');
    await next();
    expect(await warned(ada)).toBe(80);
    await server.db.query('update usage_months set redemptions = 49 where developer_id = $1', [ada.id]);
    await next();
    expect((await emailTo(ada, 'Redemptions have stopped')).text).toContain('What your customers own keeps working');
    expect(await warned(ada)).toBe(100);
  });

  it('gets one email about a level that a switch to a smaller plan has jumped over', async () => {
    const { ada } = await developer(180);
    const to = (plan_id: string) => call(server, 'POST', '/api/subscribe', { token: ada.token, body: { plan_id } });
    expect((await to('pro')).body.stops_now).toBe(false);
    expect(await warned(ada)).toBe(0);
    expect((await to('creator')).status).toBe(200);
    expect((await emailTo(ada, 'This month’s free redemptions are used')).text).toContain('$0.05');
    // there and back again in the same month emails nothing more about it
    await to('pro');
    await to('creator');
    expect(await warned(ada)).toBe(100);
  });

  it('is told that the cap has refused a customer, at most once a day, and the customer what to do', async () => {
    const { ada, next } = await developer(50);
    const refused = await next();
    expect([refused.status, refused.body.code]).toEqual([403, 'quota_reached']);
    expect(refused.body.message).toContain('plugin’s maker');
    const email = await emailTo(ada, 'A customer could not redeem');
    expect(email.text).toContain('Nobody can redeem one until May 1 (UTC)');
    const noted = async () =>
      (
        await server.db.query<{ at: Date }>('select refusal_noted_at as at from usage_months where developer_id = $1', [
          ada.id,
        ])
      )[0]?.at;
    const first = await noted();
    expect(first).toEqual(clock.now());
    clock.advance(60 * 60 * 1000);
    await next();
    expect(
      (await call(server, 'POST', '/api/subscribe', { token: ada.token, body: { plan_id: 'creator' } })).status,
    ).toBe(200);
    expect((await next()).status).toBe(200);
    expect(await noted()).toEqual(first);
  });
});

it('emails the developer at most once a day that the cap refuses customers, however many are refused and by how many at once', async () => {
  clock.set('2026-04-20T10:00:00Z');
  const { ada, next } = await developer(50);
  const told = async () =>
    (
      await server.db.query(
        "select 1 from mails where recipient = $1 and subject = 'A customer could not redeem a serial'",
        [ada.email],
      )
    ).length;
  /** Refusals are written together, in their order: when another developer is told, so were those before. */
  const refused = async (times: number) => {
    const answers = await Promise.all(Array.from({ length: times }, next));
    expect(answers.map(({ body }) => body.code)).toEqual(Array(times).fill('quota_reached'));
    const other = await developer(50);
    await other.next();
    await emailTo(other.ada, 'A customer could not redeem');
  };
  await refused(4);
  expect(await told()).toBe(1);
  clock.advance(DAY - 1);
  await refused(1);
  expect(await told()).toBe(1);
  clock.advance(1);
  await refused(2);
  expect(await told()).toBe(2);
});

it('never refuses at the cap what a customer owns: downloads, activations, validation and deactivation', async () => {
  const { ada, product, next } = await developer(49);
  const owned = await next();
  expect(owned.status).toBe(200);
  const { plaintext } = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body;
  const code = (
    await server.db.query<{ code: string }>('select code from redemptions where developer_id = $1', [ada.id])
  )[0]?.code as string;
  const plugin = (action: string, body: object) =>
    call(server, 'POST', `/api/license/v1/${action}`, {
      token: plaintext,
      body: { license_key: code, product_id: product.id, ...body },
    });
  expect((await next()).body.code).toBe('quota_reached');
  const activated = await plugin('activate', { machine_id: 'studio' });
  expect(activated.status, activated.text).toBe(200);
  expect((await plugin('validate', { machine_id: 'studio' })).status).toBe(200);
  expect((await plugin('deactivate', { machine_id: 'studio' })).status).toBe(200);
  expect((await plugin('activate', { machine_id: 'studio' })).status).toBe(200);
  const again = await call(server, 'POST', '/api/redeem/initiate', {
    body: { serial: code, email: 'a@example.com', dev: ada.id },
  });
  expect([again.status, Boolean(again.body.download_token)]).toEqual([200, true]);
});
