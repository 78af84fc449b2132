import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { call, makeProduct, makeSerials, redeem, signUp } from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { type LicenseScene, licenseScene, refusal } from '@tonerow/test-support/license-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: SharedServer;
let scene: LicenseScene;
beforeAll(async () => {
  server = await sharedServer();
  scene = await licenseScene({ server, clock: new TestClock(new Date()) });
});

const around = (code: string): string[] => [
  `“${code}”.`,
  `<${code}>`,
  `*Serial: ${code}*`,
  `my serial is ${code.replaceAll('-', ' ').toLowerCase()} and it is mine`,
  `Hello Nina,\n\nthank you for order 2026-1107-3321.\n\nSerial: ${code}\n\n${'We hope that you like it. '.repeat(40)}`,
];

describe('a code in what was pasted', () => {
  it('is redeemed, activated and validated', async () => {
    // a spaced code without digits is a sentence
    const { code } = await scene.serial({ prefix: 'PR5M' });
    for (const text of around(code)) {
      const machine = `m-${randomUUID()}`;
      expect((await scene.activate(text, machine)).body, text).toMatchObject({ ok: true, status: 'active' });
      const { body } = await scene.ask('validate', { license_key: text, machine_id: machine });
      expect(body, text).toMatchObject({ ok: true, status: 'active' });
      expect((await scene.ask('deactivate', { license_key: text, machine_id: machine })).body.ok, text).toBe(true);
      const again = await redeem(server, text, 'nina@example.com', scene.ada.id);
      expect([again.status, again.body.products?.length], text).toEqual([200, 1]);
    }
  });

  it('is found by every search for a serial', async () => {
    const { code, id } = await scene.serial({ prefix: 'PR5M' });
    const { token } = scene.ada;
    for (const text of around(code)) {
      const search = encodeURIComponent(text);
      const listed = await call(server, 'GET', `/api/serials?search=${search}`, { token });
      expect(
        listed.body.rows.map((row: { id: string }) => row.id),
        text,
      ).toEqual([id]);
      const found = await call(server, 'GET', `/api/search?q=${search}`, { token });
      expect(found.body.serials, text).toMatchObject([{ id }]);
    }
  });

  it('gives a test serial its status', async () => {
    expect(refusal(await scene.activate('“TEST-RVKD-AAAA-AAAA”.', 'm'))).toEqual([403, 'revoked']);
  });

  it('is looked for only where the text as a whole is none', async () => {
    const ben = await signUp(server);
    const product = await makeProduct(server, ben.token);
    const [own] = await makeSerials(server, ben.token, product.id, { quantity: 1, prefix: 'PR5M' });
    const odd = `“${own?.code}”.`;
    const { send } = importCalls(() => ({ server, ada: ben }));
    expect((await send('available', `Product,Serial\n${product.name},${odd}\n`)).status).toBe(200);
    const { body } = await redeem(server, odd, `n-${randomUUID()}@example.com`, ben.id);
    expect(body.products).toMatchObject([{ serial_code: odd }]);
    const [row] = await server.db.query<{ redeemed_at: Date | null }>('select redeemed_at from serials where id = $1', [
      own?.id,
    ]);
    expect(row?.redeemed_at).toBeNull();
  });
});

describe('a body that no reading makes sense of', () => {
  const send = (body: BodyInit, headers: Record<string, string>, path = 'v1/validate') =>
    fetch(`${server.url}/api/license/${path}`, {
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${scene.key}`, ...headers },
    });
  const json = '{"license_key":"ABCD-EFGH-2345-6789","machine_id":"m"}';
  const form = () => {
    const data = new FormData();
    data.set('license_key', 'ABCD');
    return data;
  };
  const type = 'application/json';
  const bodies: [string, BodyInit, Record<string, string>][] = [
    ['compressed', gzipSync(json), { 'content-type': type, 'content-encoding': 'gzip' }],
    ['compressed, and said nowhere', gzipSync(json), { 'content-type': type }],
    ['multipart', form(), {}],
    ['UTF-16', Buffer.from(json, 'utf16le'), { 'content-type': `${type}; charset=utf-16` }],
    ['UTF-16, and said nowhere', Buffer.from(`\ufeff${json}`, 'utf16le'), { 'content-type': type }],
  ];

  it.each(bodies)('is refused as such: %s', async (_name, body, headers) => {
    const answer = await send(body, headers);
    expect(refusal({ status: answer.status, body: (await answer.json()) as never })).toEqual([415, 'invalid_request']);
    const juce = await send(body, headers, 'juce/unlock');
    expect([juce.status, await juce.text()]).toEqual([415, expect.stringMatching(/<ERROR error="Send /)]);
  });

  it('but JSON under any label is JSON', async () => {
    for (const label of ['multipart/form-data; boundary=x', 'text/plain; charset=utf-8', 'application/octet-stream'])
      expect(refusal({ ...(await asked(label)) }), label).toEqual([404, 'not_found']);
    async function asked(label: string) {
      const answer = await send(json, { 'content-type': label });
      return { status: answer.status, body: (await answer.json()) as never };
    }
  });
});
