import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceTextOf } from '@tonerow/test-support/juce.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string };
let publicKey: string;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  ada = await signUp(server);
  product = await makeProduct(server, ada.token);
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token })).text;
});
afterAll(() => server.stop());

const time = (query = '', token = key) => call(server, 'GET', `/api/license/v1/time${query}`, { token });

describe('the server’s time', () => {
  it('is signed for HISE, so that the public key alone reads it', async () => {
    const answer = await time(`?product_id=${product.id.toUpperCase()}`);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.body.hise).toMatch(/^0x[1-9a-f][0-9a-f]+$/);
    const read = juceTextOf(`#${answer.body.hise.slice(2)}`, publicKey);
    expect(read).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(read).toBe(answer.body.iso);
    expect(Date.parse(read) / 1000).toBe(answer.body.unix);
    expect(Math.abs(Date.parse(read) - Date.now())).toBeLessThan(10_000);
  });

  it('is not signed for HISE without a product', async () => {
    expect((await time()).body).toEqual({
      ok: true,
      time: expect.any(String),
      unix: expect.any(Number),
      iso: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    });
  });

  it('is refused for a product that is missing, deleted, another developer’s, or without a key pair', async () => {
    const eve = await signUp(server);
    const hers = await makeProduct(server, eve.token);
    await call(server, 'GET', `/api/products/${hers.id}/rsa`, { token: eve.token });
    const gone = await makeProduct(server, ada.token);
    await call(server, 'GET', `/api/products/${gone.id}/rsa`, { token: ada.token });
    await call(server, 'DELETE', `/api/products/${gone.id}`, { token: ada.token });
    for (const id of [ada.id, hers.id, gone.id]) {
      const refused = await time(`?product_id=${id}`);
      expect([refused.status, refused.body]).toEqual([
        404,
        { ok: false, status: 'not_found', error: 'Product not found.' },
      ]);
    }
    const bare = await makeProduct(server, ada.token);
    expect((await time(`?product_id=${bare.id}`)).body).toEqual({
      ok: false,
      status: 'not_found',
      error: 'This product has no RSA pair.',
    });
    expect(await server.db.query('select 1 from product_keys where product_id = $1', [bare.id])).toEqual([]);
    expect((await time('?product_id=synth')).body.status).toBe('invalid_request');
    expect((await time(`?product_id=${product.id}`, 'x')).body.status).toBe('unauthorized');
  });

  it('counts as a key file where it is signed like one', async () => {
    const policy = async (query: string) => (await time(query)).headers.get('ratelimit-policy');
    expect(await policy('')).toMatch(/^"license";/);
    expect(await policy(`?product_id=${product.id}`)).toMatch(/^"license_file";/);
  });
});
