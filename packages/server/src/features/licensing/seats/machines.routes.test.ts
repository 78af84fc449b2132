import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { forgetSeatSums } from '@tonerow/test-support/seat-figures.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
});

it('counts machines once, and their activations by version and system, of those seen lately', async () => {
  const key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  const [delay, reverb] = [await makeProduct(server, ada.token), await makeProduct(server, ada.token)];
  const activate = async (product: { id: string }, machines: [string, string?, string?][]) => {
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    for (const [machine_id, version, os] of machines) {
      const body = { license_key: serial?.code, machine_id, version, os, email: 'nina@example.com' };
      await call(server, 'POST', '/api/license/v1/activate', { token: key, body });
    }
    return serial?.code;
  };
  await activate(delay, [
    ['a', '1.0', 'macOS'],
    ['b', '2.0', 'Windows'],
    ['old', '0.1', 'BeOS'],
  ]);
  const code = await activate(reverb, [['a', '2.0', 'macOS'], ['gone', '9', 'x'], ['c']]);
  await call(server, 'POST', '/api/license/v1/deactivate', {
    token: key,
    body: { license_key: code, machine_id: 'gone' },
  });
  await server.db.query(
    "update activations set last_seen_at = now() - interval '31 days' where developer_id = $1 and machine_id = 'old'",
    [ada.id],
  );
  await forgetSeatSums(server.db, ada.id);
  const figures = async (query = '', token = ada.token) =>
    (await call(server, 'GET', `/api/analytics/machines${query}`, { token })).body;
  expect(await figures()).toEqual({
    active_machines: 3,
    machines: 4,
    versions: [
      { version: '2.0', count: 2 },
      { version: '1.0', count: 1 },
      { version: null, count: 1 },
    ],
    systems: [
      { os: 'macOS', count: 2 },
      { os: 'Windows', count: 1 },
      { os: null, count: 1 },
    ],
    time_zone: expect.any(String),
  });
  expect(await figures(`?product_id=${reverb.id}`)).toMatchObject({ active_machines: 2, machines: 2 });
  const versions = async (query = '', token = ada.token) =>
    (await call(server, 'GET', `/api/analytics/versions${query}`, { token })).body;
  expect(await versions()).toEqual({
    days: 30,
    since: expect.any(String),
    activations: 4,
    versions: [
      { version: '2.0', count: 2 },
      { version: '1.0', count: 1 },
      { version: null, count: 1 },
    ],
    systems: [
      { os: 'macOS', count: 2 },
      { os: 'Windows', count: 1 },
      { os: null, count: 1 },
    ],
    pairs: [
      { version: '1.0', os: 'macOS', count: 1 },
      { version: '2.0', os: 'Windows', count: 1 },
      { version: '2.0', os: 'macOS', count: 1 },
      { version: null, os: null, count: 1 },
    ],
  });
  expect((await versions('?days=365')).activations).toBe(5);
  expect((await versions(`?product_id=${reverb.id}`)).pairs).toEqual([
    { version: '2.0', os: 'macOS', count: 1 },
    { version: null, os: null, count: 1 },
  ]);
  for (const days of ['0', '366', 'x']) {
    expect((await versions(`?days=${days}`)).code).toBe('invalid_request');
  }
  const csv = await call(server, 'GET', `/api/analytics/versions?product_id=${delay.id}`, {
    token: ada.token,
    headers: { accept: 'text/csv' },
  });
  expect(csv.text).toBe('Version,Operating system,Activations\r\n1.0,macOS,1\r\n2.0,Windows,1\r\n');
  const overview = await call(server, 'GET', `/api/products/${delay.id}/overview`, { token: ada.token });
  expect(overview.body.machines).toEqual({
    active: 2,
    total: 3,
    versions: [
      { version: '1.0', count: 1, systems: [{ os: 'macOS', count: 1 }] },
      { version: '2.0', count: 1, systems: [{ os: 'Windows', count: 1 }] },
    ],
  });
  const stranger = await signUp(server);
  expect(await versions(`?product_id=${reverb.id}`, stranger.token)).toMatchObject({ activations: 0, pairs: [] });
  expect(await figures('', stranger.token)).toMatchObject({
    active_machines: 0,
    machines: 0,
    versions: [],
    systems: [],
  });
  expect(await figures(`?product_id=${reverb.id}`, stranger.token)).toMatchObject({ machines: 0 });
});
