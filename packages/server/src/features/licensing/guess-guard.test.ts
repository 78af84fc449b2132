import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, makeProduct, makeSerials, type Person, signUp } from '../../../../../test/support/http.ts';
import { startServer, TEST_SECRET, type TestServer } from '../../../../../test/support/server.ts';

let server: TestServer;
let limited: TestServer;
let ada: Person;
let key: string;
let codes: string[];

beforeAll(async () => {
  server = await startServer();
  ada = await signUp(server);
  const product = await makeProduct(server, ada.token);
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 3 })).map(({ code }) => code as string);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  const env = { TONEROW_RATE_LIMITS: 'on', TONEROW_TRUST_PROXY: '127.0.0.1', TONEROW_SECRET: TEST_SECRET };
  limited = await startServer({ db: server.db, env });
});
afterAll(async () => {
  await limited.stop();
  await server.stop();
});

const ask = (address: string, verb: string, license_key: string, path = 'v1/') =>
  call(limited, 'POST', `/api/license/${path}${verb}`, {
    token: key,
    headers: { 'x-forwarded-for': address },
    body: { license_key, key: license_key, machine_id: 'm', instance_id: 'm', email: 'nina@example.com' },
  });
const guess = (number: number) => `GUES-${String(number).padStart(4, '0')}-AAAA-AAAA`;

it('ten thousand guesses from two hundred addresses learn nothing, and lock nobody out', async () => {
  const [owned, unsold, other] = codes as [string, string, string];
  const studio = '10.9.0.1';
  expect((await ask(studio, 'activate', owned)).body.ok).toBe(true);

  const seen = new Map<string, number>();
  for (let round = 0; round < 100; round += 1) {
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => {
        const number = round * 100 + index;
        return ask(`10.1.${Math.floor((number % 200) / 100)}.${number % 100}`, 'activate', guess(number));
      }),
    );
    for (const { status, body } of answers)
      seen.set(`${status} ${body.status}`, (seen.get(`${status} ${body.status}`) ?? 0) + 1);
  }
  // twenty for each of two hundred addresses
  expect(Object.fromEntries(seen)).toEqual({ '404 not_found': 4000, '429 rate_limited': 6000 });

  const [right, wrong] = [await ask('10.1.0.7', 'activate', unsold), await ask('10.1.0.7', 'activate', guess(1))];
  expect([right.status, right.body.status]).toEqual([429, 'rate_limited']);
  expect(Number(right.headers.get('retry-after'))).toBeGreaterThan(0);
  expect({ ...right.body, error: '' }).toEqual({ ...wrong.body, error: '' });
  // validate refuses with the same words whatever the reason is
  for (const code of [unsold, guess(2)]) {
    expect((await ask('10.1.0.7', 'validate', code)).body.status).toBe('rate_limited');
    expect((await ask('10.1.0.7', 'validate', code, '')).body.status).toBe('rate_limited');
  }
  const sold = await server.db.query(`select 1 from serials where code = '${unsold}' and redeemed_at is not null`);
  expect(sold).toHaveLength(0);

  // a machine that has its seat goes on, even from there; and everybody else can redeem
  expect((await ask('10.1.0.7', 'validate', owned)).body.ok).toBe(true);
  expect((await ask('10.2.0.1', 'activate', other)).body.ok).toBe(true);
}, 120_000);

it('an IPv6 network is one address', async () => {
  for (let number = 0; number < 20; number += 1) {
    expect((await ask(`2001:db8:1:2::${number.toString(16)}`, 'activate', guess(number))).status).toBe(404);
  }
  expect((await ask('2001:db8:1:2:ffff::1', 'activate', guess(1))).status).toBe(429);
  expect((await ask('2001:db8:1:3::1', 'activate', guess(1))).status).toBe(404);
});
