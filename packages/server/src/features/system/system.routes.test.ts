import { gunzipSync } from 'node:zlib';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { request } from 'undici';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

describe.each(['/api/openapi.json', '/openapi.json'])('the contract at %s', (path) => {
  it('is compressed for those who take that, and the same for the others', async () => {
    const plain = await fetch(`${server.url}${path}`, { headers: { 'accept-encoding': 'identity' } });
    expect(plain.headers.get('content-encoding')).toBeNull();
    expect(plain.headers.get('content-type')).toBe('application/json; charset=utf-8');
    const text = await plain.text();
    expect(JSON.parse(text)).toMatchObject({ openapi: '3.1.0', info: { title: 'Tonerow' } });
    const small = await raw(path);
    expect(small.length).toBeLessThan(text.length / 5);
    expect(gunzipSync(small).toString()).toBe(text);
  });
});

/** The body as it is sent. */
async function raw(path: string): Promise<Buffer> {
  const { body, headers } = await request(`${server.url}${path}`, { headers: { 'accept-encoding': 'gzip' } });
  expect([headers['content-encoding'], headers.vary]).toEqual(['gzip', 'accept-encoding']);
  return Buffer.from(await body.arrayBuffer());
}
