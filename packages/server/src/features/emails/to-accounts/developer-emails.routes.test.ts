import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { runDigest } from '@tonerow/test-support/digest.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let db: TestDatabase;
let servers: TestServer[];
let server: TestServer;
beforeAll(async () => {
  db = await createTestDatabase();
  servers = [await startServer({ db, overrides: { clock } }), await startServer({ db, overrides: { clock } })];
  server = servers[0] as TestServer;
});
afterAll(async () => {
  for (const each of servers) await each.stop();
  await db.drop();
});

const settings = (person: Person, body: object) =>
  call(server, 'PUT', '/api/account/settings', { token: person.token, body });
const emails = (person: Person) =>
  db.query<{ subject: string }>(
    'select kind, subject from mails where developer_id = $1 and recipient = $2 order by id',
    [person.id, person.email],
  );
/** Waits for an email in either server's outbox. */
const email = (person: Person, subject: string) => {
  const fits = (each: Email) => each.to?.[0]?.address === person.email && each.subject === subject;
  return Promise.any(servers.map((each) => each.email(fits)));
};
async function sell(person: Person, quantity: number, product: object = {}) {
  const { id } = await makeProduct(server, person.token, product);
  const serials = await makeSerials(server, person.token, id, { quantity });
  return { id, codes: serials.map((serial) => serial.code) };
}
const digest = (times?: number) => runDigest(db, times);

describe('an email for each redemption', () => {
  it('names the product and the customer, and can be switched off with one click', async () => {
    const ada = await signUp(server);
    await settings(ada, { redemption_emails: 'each' });
    const { codes } = await sell(ada, 12, { name: 'Echo', price: 1234.5 });
    await redeem(server, codes[0] as string, 'nina@example.com');
    const { text, headers } = await email(ada, 'Echo was redeemed');
    for (const part of ['Echo', codes[0], 'Nina Simone, nina@example.com', '$1,234.50']) expect(text).toContain(part);
    const link = headers.find((header) => header.key === 'list-unsubscribe')?.value.replace(/[<>\s]/g, '') as string;
    const path = link.slice(server.url.length);

    const looked = await call(server, 'GET', path);
    expect(looked.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(looked.text).toContain('Stop receiving emails about redemptions?');
    expect((await call(server, 'GET', '/api/account/settings', { token: ada.token })).body.notify_redemptions).toBe(
      true,
    );
    for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const clicked = await call(server, 'POST', path, {
        body: 'List-Unsubscribe=One-Click',
        headers: { 'content-type': type },
      });
      expect([clicked.status, clicked.body.message]).toEqual([
        200,
        expect.stringContaining('no longer receive emails'),
      ]);
    }
    expect((await call(server, 'POST', path)).status).toBe(200);
    const token = new URL(link).searchParams.get('token');
    expect((await call(server, 'POST', '/api/unsubscribe', { body: { token } })).status).toBe(200);
    expect((await call(server, 'GET', '/api/account/settings', { token: ada.token })).body).toMatchObject({
      notify_redemptions: false,
      notify_low_serials: true,
    });
    await redeem(server, codes[1] as string, 'nina@example.com');
    expect(await emails(ada)).toHaveLength(1);
  });

  it('refuses links that are not ours', async () => {
    const page = await call(server, 'GET', '/api/unsubscribe?token=made-up');
    expect([page.status, page.text]).toEqual([422, expect.stringContaining('expired')]);
    const posted = await call(server, 'POST', '/api/unsubscribe', { body: { token: 'made-up' } });
    expect([posted.status, posted.body.code]).toEqual([422, 'link_invalid']);
    expect((await call(server, 'POST', '/api/unsubscribe', { body: {} })).status).toBe(400);
  });

  it('answers a person’s browser with a page', async () => {
    const ada = await signUp(server);
    await settings(ada, { redemption_emails: 'each' });
    const { codes } = await sell(ada, 12, { name: 'Comb' });
    await redeem(server, codes[0] as string, 'nina@example.com');
    const { text } = await email(ada, 'Comb was redeemed');
    const path = /Unsubscribe: (\S+)/.exec(text ?? '')?.[1]?.slice(server.url.length) as string;
    const clicked = await call(server, 'POST', path, {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html,*/*' },
    });
    expect([clicked.status, clicked.text]).toEqual([200, expect.stringMatching(/<p[^>]*>You will no longer receive/)]);
  });
});

describe('an email when serials run out', () => {
  it('is sent once each time the product becomes low', async () => {
    const ada = await signUp(server);
    await settings(ada, { low_serials_threshold: 2 });
    const { id, codes } = await sell(ada, 4, { name: 'Fuzz' });
    for (const code of codes.slice(0, 2)) await redeem(server, code, 'nina@example.com');
    expect(await emails(ada)).toEqual([]);
    await redeem(server, codes[2] as string, 'nina@example.com');
    await redeem(server, codes[3] as string, 'nina@example.com');
    expect(await emails(ada)).toEqual([{ kind: 'low_serials', subject: 'Fuzz has one serial left' }]);
    const [more] = await makeSerials(server, ada.token, id, { quantity: 2 });
    await redeem(server, more?.code as string, 'nina@example.com');
    expect(await emails(ada)).toHaveLength(2);
    await settings(ada, { notify_low_serials: false });
  });
});

describe('the daily email', () => {
  it('is sent at eight in the account’s time zone, about the day before, once even with two workers', async () => {
    clock.set('2026-03-10T12:00:00Z');
    const ada = await signUp(server);
    await settings(ada, { time_zone: 'America/New_York', low_serials_threshold: 0 });
    await db.query('update users set digested_until = null where id = $1', [ada.id]);
    const echo = await sell(ada, 5, { name: 'Echo', price: 10 });
    const reverb = await sell(ada, 5, { name: '<i>Reverb</i>', price: 5 });
    await redeem(server, echo.codes[0] as string, 'nina@example.com');
    clock.set('2026-03-11T03:59:00Z'); // a minute before midnight there
    await redeem(server, echo.codes[1] as string, 'nina@example.com');
    await redeem(server, reverb.codes[0] as string, 'nina@example.com');
    clock.set('2026-03-11T04:00:00Z');
    await redeem(server, echo.codes[2] as string, 'nina@example.com');
    clock.set('2026-03-11T11:30:00Z');
    await digest();
    expect(await emails(ada)).toEqual([]);
    clock.set('2026-03-11T12:03:00Z');
    await digest(6);
    await digest();
    expect(await emails(ada)).toEqual([{ kind: 'developer_redemptions', subject: '3 redemptions on 10 March 2026' }]);
    const { text, html } = await email(ada, '3 redemptions on 10 March 2026');
    expect(text).toContain('worth $25.00');
    expect(text).toContain('Echo · 2 redemptions · $20.00\n<i>Reverb</i> · 1 redemption · $5.00');
    expect(html).not.toContain('<i>');

    clock.set('2026-03-12T12:03:00Z');
    await digest();
    expect((await emails(ada)).at(-1)?.subject).toBe('1 redemption on 11 March 2026');
    clock.set('2026-03-13T12:03:00Z');
    await digest();
    expect(await emails(ada)).toHaveLength(2);
  });

  it('catches up on missed days, and names at most twenty products', async () => {
    clock.set('2026-04-01T08:00:00Z');
    const ada = await signUp(server);
    await digest();
    clock.set('2026-04-02T08:00:00Z');
    for (let n = 0; n < 22; n += 1) {
      const { codes } = await sell(ada, 1, { name: `Plugin ${n}`, price: 1 });
      await redeem(server, codes[0] as string, 'nina@example.com');
    }
    clock.set('2026-04-05T08:30:00Z');
    await db.query('update users set notify_low_serials = false where id = $1', [ada.id]);
    await digest();
    const subject = '22 redemptions from 1 April 2026 to 4 April 2026';
    expect((await emails(ada)).map((each) => each.subject)).toContain(subject);
    const { text } = await email(ada, subject);
    expect(text?.match(/Plugin \d+ ·/g)).toHaveLength(20);
    expect(text).toContain('2 more had redemptions');
  });

  it('leaves out redemptions that were reported one by one', async () => {
    clock.set('2026-05-01T12:00:00Z');
    const ada = await signUp(server);
    await settings(ada, { redemption_emails: 'each', low_serials_threshold: 0 });
    const { codes } = await sell(ada, 3, { name: 'Gate' });
    await redeem(server, codes[0] as string, 'nina@example.com');
    clock.advance(HOUR);
    await settings(ada, { redemption_emails: 'daily' });
    clock.advance(HOUR);
    await redeem(server, codes[1] as string, 'nina@example.com');
    clock.set('2026-05-02T08:00:00Z');
    await digest();
    expect((await emails(ada)).map((each) => each.subject)).toEqual([
      'Gate was redeemed',
      '1 redemption on 1 May 2026',
    ]);
  });
});
