import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  ada = await signUpVerified(server);
});
afterAll(() => server.stop());

const ask = (download_token: string, serial: string, message = 'Please reset it.') =>
  call(server, 'POST', '/api/redeem/help', { body: { download_token, serial, message } });

async function owned(email: string, person = ada): Promise<{ code: string; token: string }> {
  const { id } = await makeProduct(server, person.token, {});
  const [serial] = await makeSerials(server, person.token, id, { quantity: 1 });
  const code = serial?.code as string;
  return { code, token: (await redeem(server, code, email, person.id)).body.download_token };
}
const sent = (code: string) =>
  server.db.query(`select 1 from mails where kind = 'help_request' and subject like $1`, [`%${code}%`]);

describe('a message to a developer without a support address', () => {
  it('reaches the account’s own address, and is answered to the customer', async () => {
    const { code, token } = await owned('nina@example.com');
    await server.db.query('update serials set download_count = 5 where code = $1', [code]);
    const answer = await ask(token, code.toLowerCase(), 'Bitte zurücksetzen!\n<b>Danke</b>');
    expect(answer.status).toBe(202);
    // the developer never published it
    expect(JSON.stringify(answer.body)).not.toContain(ada.email);
    const email = await server.email((each: Email) => each.subject?.includes(code) ?? false);
    expect(email.to?.[0]?.address).toBe(ada.email);
    expect(email.replyTo?.[0]?.address).toBe('nina@example.com');
    for (const part of ['Bitte zurücksetzen!', 'Nina Simone', 'nina@example.com', '5/5', code]) {
      expect(email.text).toContain(part);
    }
    expect(email.html).not.toContain('<b>');
  });

  it('is only for those who own the serial', async () => {
    const mine = await owned('mine@example.com');
    const theirs = await owned('theirs@example.com');
    expect((await ask(mine.token, theirs.code)).status).toBe(404);
    expect((await ask('nonsense', theirs.code)).status).toBe(401);
    expect((await ask(mine.token, mine.code, '  ')).status).toBe(400);
    expect((await ask(mine.token, mine.code, 'x'.repeat(2001))).status).toBe(400);
    expect(await sent(theirs.code)).toEqual([]);
    expect(await sent(mine.code)).toEqual([]);
  });

  it('is not for whoever had the serial before a transfer', async () => {
    const { id } = await makeProduct(server, ada.token, {});
    const [serial] = await makeSerials(server, ada.token, id, { quantity: 1 });
    const code = serial?.code as string;
    const before = (await redeem(server, code, 'before@example.com', ada.id)).body.download_token;
    const moved = await call(server, 'POST', `/api/serials/${serial?.id}/transfer`, {
      token: ada.token,
      body: { email: 'after@example.com' },
    });
    expect(moved.status).toBe(200);
    await server.db.query(
      "update serial_events set happened_at = (happened_at at time zone 'UTC' + interval '2 seconds') at time zone 'UTC' where serial_id = $1 and kind = 'transferred'",
      [serial?.id],
    );
    expect((await ask(before, code)).status).toBe(404);
    expect(await sent(code)).toEqual([]);
  });

  it('comes at most three times a day for one serial, however many at once', async () => {
    const { code, token } = await owned('angry@example.com');
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(token, code)));
    expect(answers.map((each) => each.status).sort()).toEqual([202, 202, 202, 429, 429, 429]);
    expect(await sent(code)).toHaveLength(3);
  });

  it('is refused when the developer has closed the account', async () => {
    const bob = await signUpVerified(server);
    const { code, token } = await owned('late@example.com', bob);
    await server.db.query('update users set deleted_at = now() where id = $1', [bob.id]);
    expect((await ask(token, code)).body.code).toBe('developer_gone');
    expect(await sent(code)).toEqual([]);
  });
});
