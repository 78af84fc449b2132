import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
});

const get = (path: string, headers: Record<string, string> = {}) =>
  call(server, 'GET', path, { token: ada.token, headers });

it('pages through all serials by cursor and streams them as CSV', async () => {
  const bea = await signUp(server);
  const synth = await makeProduct(server, bea.token);
  await makeSerials(server, bea.token, synth.id, { quantity: 250 });
  const seen = new Set<string>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const { body } = await call(server, 'GET', `/api/serials?limit=100${cursor ? `&cursor=${cursor}` : ''}`, {
      token: bea.token,
    });
    expect(body.total).toBe(250);
    for (const row of body.rows) seen.add(row.code);
    cursor = body.next_cursor;
  }
  expect(seen.size).toBe(250);
  const csv = await call(server, 'GET', '/api/serials?state=available', {
    token: bea.token,
    headers: { accept: 'text/csv' },
  });
  expect(csv.text.trim().split('\r\n')).toHaveLength(251);
});

it('answers 406 to a form that there is none of, also when it is called like a part of every object', async () => {
  for (const accept of ['constructor', '__proto__', 'image/png']) {
    const { status, body } = await get('/api/serials', { accept });
    expect([status, body.code]).toEqual([406, 'not_acceptable']);
  }
});
