import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  verifyEmail,
} from '@tonerow/test-support/http.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import type { Email } from 'postal-mime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, MINUTE, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let ada: Person;
let bob: Person;
let key: string;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  [ada, bob] = [await signUp(server), await signUp(server)];
  await setPlan(server.db, { plan: 'elite' });
  await server.db.query('update users set send_customer_emails = false');
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: { label: 'K' } })).body
    .plaintext;
});
afterAll(() => server.stop());

const ask = (email: string, dev: string | undefined = ada.id) =>
  call(server, 'POST', '/api/redeem/my-products', { body: { email, ...(dev ? { dev } : {}) } });
const open = (token: string) => call(server, 'POST', '/api/redeem/my-products/open', { body: { token } });
const release = (token: string, machine_id: string) =>
  call(server, 'POST', '/api/redeem/my-products/release', { body: { token, machine_id } });

async function sell(person: Person, email: string, product: object = {}): Promise<string> {
  const { id } = await makeProduct(server, person.token, product);
  const [serial] = await makeSerials(server, person.token, id, { quantity: 1 });
  expect((await redeem(server, serial?.code as string, email, person.id)).status).toBe(200);
  return serial?.code as string;
}
/** The token from the email sent to an address. */
async function link(email: string, to = email): Promise<string> {
  const seen = await emails(to);
  await ask(email);
  await idle(seen + 1, to);
  const newest = await server.db.query<{ id: string }>(
    'select id from mails where recipient = $1 order by id desc limit 1',
    [to],
  );
  const message = await server.email((each: Email) => each.messageId === `<${newest[0]?.id}@localhost>`);
  const url = new URL(/Open all my products: (\S+)/.exec(message.text ?? '')?.[1] as string);
  expect([url.pathname, url.searchParams.get('dev')]).toEqual(['/redeem', ada.id]);
  expect(message.from?.name).toBe('Row Audio');
  return url.searchParams.get('open') as string;
}
const emails = async (to: string) =>
  (await server.db.query(`select 1 from mails where kind = 'my_products' and recipient = $1`, [to])).length;
/** Waits until every request was looked at. */
async function idle(wanted: number, to: string): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    const left = await server.db.query(`select 1 from pgboss.job where name = 'my-products' and state <> 'completed'`);
    if (left.length === 0) break;
    await pause(50);
  }
  expect(await emails(to)).toBe(wanted);
}
const activate = (code: string, machine: string) =>
  call(server, 'POST', '/api/license/v1/activate', {
    token: key,
    body: { license_key: code, machine_id: machine, version: '1.2.0' },
  });

describe('asking', () => {
  it('responds the same to everybody, and looks nothing up before it responds', async () => {
    await sell(ada, 'known@example.com');
    const known = await ask('known@example.com');
    const unknown = await ask('unknown@example.com');
    const elsewhere = await ask('known@example.com', bob.id);
    const nobody = await ask('known@example.com', '0190a1b2-0000-7000-8000-000000000000');
    expect(known.status).toBe(202);
    for (const other of [unknown, elsewhere, nobody]) expect([other.status, other.body]).toEqual([202, known.body]);
    await idle(1, 'known@example.com');
    await idle(0, 'unknown@example.com');
    // the request does the same for both: one row in the queue
    const queued = await server.db.query<{ n: number }>(
      `select count(*)::int as n from pgboss.job where name = 'my-products' group by data->>'email' order by 1`,
    );
    expect(queued.map((row) => row.n)).toEqual([1, 3]);
  });

  it('is answered in the language of the page that asks, which the link opens in too', async () => {
    await sell(ada, 'polyglot@example.com');
    await call(server, 'POST', '/api/redeem/my-products', {
      body: { email: 'polyglot@example.com', dev: ada.id, language: 'es' },
    });
    const email = await server.email((each: Email) => each.subject === 'Sus productos de Row Audio');
    const url = new URL(/Abrir todos mis productos: (\S+)/.exec(email.text ?? '')?.[1] as string);
    expect(url.searchParams.get('lang')).toBe('es');
    expect((await open(url.searchParams.get('open') as string)).status).toBe(200);
  });

  it('takes about as long for both', async () => {
    const times: Record<string, number[]> = { 'known@example.com': [], 'unknown@example.com': [] };
    for (let n = 0; n < 40; n += 1) {
      for (const [email, taken] of Object.entries(times)) {
        const start = performance.now();
        await ask(email);
        taken.push(performance.now() - start);
      }
    }
    const [known = 0, unknown = 0] = Object.values(times).map((each) => each.sort((a, b) => a - b)[20] as number);
    expect(Math.abs(known - unknown)).toBeLessThan(Math.max(known, unknown) * 0.5 + 2);
  });

  it('needs the developer’s page, and goes by the host of it', async () => {
    const { status, body } = await call(server, 'POST', '/api/redeem/my-products', {
      body: { email: 'a@example.com' },
    });
    expect([status, body.errors[0].path]).toEqual([400, 'dev']);
    await server.db.query(
      `insert into custom_domains (id, developer_id, host, created_at, verified_at)
       values (gen_random_uuid(), $1, 'app.row.example', now(), now())`,
      [ada.id],
    );
    await sell(ada, 'host@example.com');
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: 'app.row.example', 'content-type': 'application/json' };
      const asked = request(`${server.url}/api/redeem/my-products`, { method: 'POST', headers }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      asked.once('error', reject).end(JSON.stringify({ email: 'host@example.com' }));
    });
    expect(answered).toBe(202);
    await idle(1, 'host@example.com');
    const email = await server.email((each: Email) => each.to?.[0]?.address === 'host@example.com');
    expect(email.text).toContain('https://app.row.example/redeem?open=');
    await server.db.query('delete from custom_domains');
  });

  it('gives nothing to who was erased', async () => {
    await sell(ada, 'gone@example.com');
    const token = await link('gone@example.com');
    const [customer] = await server.db.query<{ id: string }>(
      `select id from customers where email_key = 'gone@example.com'`,
    );
    await call(server, 'DELETE', `/api/customers/${customer?.id}`, { token: ada.token });
    const [row] = await server.db.query<{ erased_at: Date }>('select erased_at from customers where id = $1', [
      customer?.id,
    ]);
    expect(row?.erased_at).toBeInstanceOf(Date);
    await ask('gone@example.com');
    // the first email is deleted along with the address, and no second one is sent
    await idle(0, 'gone@example.com');
    expect((await open(token)).body.code).toBe('link_invalid');
  });
});

describe('the link', () => {
  it('opens everything of this address at this developer, with machines', async () => {
    const first = await sell(ada, 'Nina@Example.com', { name: 'Phaser' });
    clock.advance(1000);
    const second = await sell(ada, 'nina@example.com', { name: 'Tremolo' });
    await sell(bob, 'nina@example.com', { name: 'Elsewhere' });
    await sell(ada, 'else@example.com', { name: 'Somebody’s' });
    await activate(first, 'a'.repeat(64));
    const { status, body } = await open(await link('NINA@example.com', 'Nina@Example.com'));
    expect(status).toBe(200);
    expect(body.products.map((card: { serial_code: string }) => card.serial_code)).toEqual([second, first]);
    expect(body.email_hint).toBe('N•••@Example.com');
    expect(body.machines).toEqual({
      [second]: [],
      [first]: [
        { id: expect.any(String), name: `${'a'.repeat(23)}…`, version: '1.2.0', last_seen_at: expect.any(String) },
      ],
    });
    const again = await call(server, 'POST', '/api/redeem/products', { body: { download_token: body.download_token } });
    expect(again.body.products).toHaveLength(2);
  });

  it('still shows what is closed, and a suspended license unlike a withdrawn product', async () => {
    const email = 'collector@example.com';
    const [used, revoked, withdrawn] = [await sell(ada, email), await sell(ada, email), await sell(ada, email)];
    await server.db.query('update serials set download_count = 5 where code = $1', [used]);
    await server.db.query('update serials set revoked_at = now() where code = $1', [revoked]);
    await server.db.query(
      `update products p set deleted_at = now()
       from batches b join serials s on (s.developer_id, s.batch_id) = (b.developer_id, b.id)
       where (p.developer_id, p.id) = (b.developer_id, b.product_id) and p.developer_id = $2 and s.code = $1`,
      [withdrawn, ada.id],
    );
    const { body } = await open(await link(email));
    expect(
      Object.fromEntries(
        body.products.map((card: Record<string, unknown>) => [
          card.serial_code,
          [card.download_count, card.revoked, card.withdrawn],
        ]),
      ),
    ).toEqual({ [used]: [5, false, false], [revoked]: [0, true, false], [withdrawn]: [0, true, true] });
  });

  it('names the machines of every serial, whatever its code', async () => {
    const product = await makeProduct(server, ada.token);
    const form = new FormData();
    form.append('file', new Blob([`Serial,Product\n__proto__,${product.name}\n`]), 'odd.csv');
    await call(server, 'POST', '/api/serials/import-available', { token: ada.token, body: form });
    await redeem(server, '__proto__', 'odd@example.com', ada.id);
    await activate('__proto__', 'studio');
    const { body } = await open(await link('odd@example.com'));
    expect(Object.entries(body.machines)).toMatchObject([['__proto__', [{ name: 'studio' }]]]);
  });

  it('ends after half an hour, and no other token opens what it does', async () => {
    const code = await sell(ada, 'late@example.com');
    const token = await link('late@example.com');
    const { body } = await call(server, 'POST', '/api/redeem/initiate', {
      body: { serial: code, email: 'late@example.com' },
    });
    for (const other of [body.download_token, 'made-up', key]) {
      const answer = await open(other);
      expect([answer.status, answer.body.code]).toEqual([422, 'link_invalid']);
    }
    expect((await call(server, 'POST', '/api/redeem/products', { body: { download_token: token } })).status).toBe(401);
    clock.advance(30 * MINUTE - 1000);
    expect((await open(token)).status).toBe(200);
    clock.advance(1000);
    expect((await open(token)).body.code).toBe('link_invalid');
  });
});

describe('an address that is asked for again and again', () => {
  it('gets ten links a day, and holds one that works until there can be another', async () => {
    const email = 'flooded@example.com';
    await sell(ada, email);
    const tokens: string[] = [];
    for (let n = 0; n < 10; n += 1) {
      tokens.push(await link(email));
      clock.advance(MINUTE);
    }
    await ask(email);
    await idle(10, email);
    const last = await server.email((each: Email) => (each.text ?? '').includes(tokens[9] as string));
    expect(last.text).toContain('works for 24 hours');
    clock.advance(DAY - 11 * MINUTE);
    // nobody is refused who has no link that works
    await ask(email);
    await idle(10, email);
    expect((await open(tokens[8] as string)).body.code).toBe('link_invalid');
    expect((await open(tokens[9] as string)).status).toBe(200);
    clock.advance(2 * MINUTE);
    expect((await open(await link(email))).status).toBe(200);
  }, 60_000);

  it('at one developer is not refused for what was asked of another', async () => {
    const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
    try {
      const [own, other] = [await signUp(limited), await signUp(limited)];
      const want = async (dev: string) =>
        (await call(limited, 'POST', '/api/redeem/my-products', { body: { email: 'nina@example.com', dev } })).status;
      const asked: number[] = [];
      for (let n = 0; n < 6; n += 1) asked.push(await want(other.id));
      expect(asked).toEqual([202, 202, 202, 202, 202, 429]);
      expect(await want(own.id)).toBe(202);
    } finally {
      await limited.stop();
    }
  });
});

describe('a link to an address that was changed since', () => {
  it('opens nothing, and frees no machine', async () => {
    const code = await sell(ada, 'before@example.com');
    await activate(code, 'studio');
    const token = await link('before@example.com');
    const { machines } = (await open(token)).body;
    await verifyEmail(server, ada);
    const [customer] = await server.db.query<{ id: string }>(
      "select id from customers where email = 'before@example.com'",
    );
    const changed = await call(server, 'PATCH', `/api/customers/${customer?.id}`, {
      token: ada.token,
      body: { email: 'after@example.com' },
    });
    expect(changed.status, changed.text).toBe(200);
    for (const answer of [await open(token), await release(token, machines[code][0].id)])
      expect([answer.status, answer.body.code]).toEqual([422, 'link_invalid']);
    expect(
      await server.db.query('select proven_at, last_login_at from customers where id = $1', [customer?.id]),
    ).toEqual([{ proven_at: null, last_login_at: null }]);
    // they are asked for under the address that they have
    await ask('after@example.com');
    await idle(1, 'after@example.com');
  });
});

describe('a machine', () => {
  it('is freed once, by its owner alone, and its plugin has to be activated again', async () => {
    const code = await sell(ada, 'seat@example.com', { max_activations: 1 });
    await activate(code, 'old');
    const token = await link('seat@example.com');
    const machine = (await open(token)).body.machines[code][0];
    expect([machine.name, (await activate(code, 'new')).body.status]).toEqual(['old', 'seat_limit']);

    await sell(ada, 'thief@example.com');
    expect((await release(await link('thief@example.com'), machine.id)).status).toBe(404);
    const answers = await Promise.all(Array.from({ length: 10 }, () => release(token, machine.id)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(404)]);
    expect(await server.db.query('select seats_used from serials where code = $1', [code])).toEqual([
      { seats_used: 0 },
    ]);
    expect((await activate(code, 'new')).body.status).toBe('active');
    expect((await open(token)).body.machines[code].map((each: { name: string }) => each.name)).toEqual(['new']);
  });
});
