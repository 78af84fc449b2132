import { call } from '@tonerow/test-support/http.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let scene: LicenseScene;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  scene = await licenseScene({ server, clock });
});
afterAll(() => server.stop());

const send = (body: string, headers: Record<string, string>, path = '/api/license/v1/validate') =>
  call(server, 'POST', path, { body, headers });

it('requests are taken with any of the credentials, as JSON or as a form, with a slash at the end, under any label', async () => {
  const { activate, ada, key, serial } = scene;
  const { code } = await serial();
  await activate(code, 'm');
  const json = JSON.stringify({ license_key: code, machine_id: 'm', unknown: 'field' });
  const form = `license_key=${code}&machine_id=m`;
  const bearer = { authorization: `Bearer ${key}` };
  const type = 'application/json';
  for (const answer of [
    await send(json, { ...bearer, 'content-type': type }),
    await send(json, { 'x-ss-api-key': key, 'content-type': type }),
    await send(json, { 'x-app-id': ada.id, 'x-app-key': key, 'content-type': type }),
    await send(form, { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }),
    await send(json, { ...bearer, 'content-type': 'application/x-www-form-urlencoded' }),
    await send(json, { ...bearer, 'content-type': 'text/plain' }),
    await send(form, { ...bearer, 'content-type': 'application/octet-stream' }, '/api/license/v1/validate/'),
  ]) {
    expect(answer.body).toMatchObject({ ok: true, status: 'active' });
  }
});

it('requests that cannot be read are refused in the API’s own form, never with a 500', async () => {
  const { key } = scene;
  const bearer = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const bodies = [
    '',
    '{"license_key":',
    '[]',
    '{}',
    '{"license_key":"A","machine_id":""}',
    `{"license_key":"A","machine_id":"${'x'.repeat(10_000)}"}`,
    '{"license_key":"A","machine_id":"a,b"}',
    '{"license_key":"A","machine_id":"a;b"}',
    '{"license_key":"A","machine_id":"a#b"}',
    '{"license_key":"A","machine_id":"a b"}',
    '{"license_key":"A","machine_id":"a\\u0000b"}',
    '{"license_key":"A\\u0000","machine_id":"a"}',
    '{"license_key":7,"machine_id":"a"}',
  ];
  for (const body of bodies) {
    const answer = await send(body, bearer);
    expect(refusal(answer), body.slice(0, 60)).toEqual([400, 'invalid_request']);
  }
  expect(refusal(await send(`{"license_key":"${'x'.repeat(1_200_000)}"}`, bearer))).toEqual([413, 'invalid_request']);
});

it('requests of another method, or of no call at all, are refused in the API’s own form too', async () => {
  const { key } = scene;
  const calls: [string, string, string][] = [
    ['GET', 'v1/activate', 'POST'],
    ['PUT', 'v1/validate/?a=b', 'POST'],
    ['DELETE', 'v1/keyfile', 'POST'],
    ['POST', 'v1/jwks', 'GET, HEAD'],
    ['PATCH', 'juce/unlock', 'GET, POST'],
    ['GET', 'deactivate', 'POST'],
  ];
  for (const [method, path, allowed] of calls) {
    const answer = await call(server, method, `/api/license/${path}`, { token: key });
    expect(refusal(answer), path).toEqual([405, 'invalid_request']);
    expect(answer.headers.get('allow')).toBe(allowed);
  }
  for (const path of ['', '/', '/v1', '/v2/activate', '/v1/activate/more', '/nothing?license_key=x', '//v1']) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const answer = await call(server, method, `/api/license${path}`, {
        token: key,
        body: method === 'GET' ? undefined : {},
      });
      expect(refusal(answer), `${method} ${path}`).toEqual([404, 'not_found']);
    }
  }
  // a path that only begins alike is not part of it
  expect((await call(server, 'GET', '/api/licenses')).body.code).toBe('not_found');
});

it('requests without a usable key are unauthorized', async () => {
  const { ada, key, product } = scene;
  const body = '{"license_key":"A","machine_id":"a"}';
  const credentials: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${ada.token}` },
    { 'x-ss-api-key': `${key.slice(0, -1)}!` },
    { 'x-app-key': key },
    { 'x-app-id': product.id, 'x-app-key': key },
  ];
  for (const headers of credentials) {
    expect(refusal(await send(body, { 'content-type': 'application/json', ...headers }))).toEqual([
      401,
      'unauthorized',
    ]);
  }
});

it('requests are limited, in the API’s own form', async () => {
  const { key } = scene;
  const limited = await startServer({
    db: server.db,
    env: { TONEROW_RATE_LIMITS: 'on', TONEROW_SECRET: 'a secret for the tests that is long enough to be one' },
  });
  try {
    let last = await call(limited, 'POST', '/api/license/v1/validate', {
      token: key,
      body: { license_key: 'A', machine_id: 'a' },
    });
    expect(last.headers.get('ratelimit')).toMatch(/^"license";r=\d+;t=\d+$/);
    for (let sent = 0; sent < 80 && last.status !== 429; sent += 1) {
      const batch = await Promise.all(
        Array.from({ length: 100 }, () =>
          call(limited, 'POST', '/api/license/v1/validate', {
            token: key,
            body: { license_key: 'A', machine_id: 'a' },
          }),
        ),
      );
      last = batch.find((answer) => answer.status === 429) ?? (batch[0] as typeof last);
    }
    expect(refusal(last)).toEqual([429, 'rate_limited']);
    expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0);
  } finally {
    await limited.stop();
  }
});
