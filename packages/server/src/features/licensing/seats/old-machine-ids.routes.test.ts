import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf, juceReply } from '@tonerow/test-support/juce.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { setPlan } from '@tonerow/test-support/plans.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DAY, TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let key: string;
let product: { id: string; name: string };
let publicKey: string;
const clock = new TestClock('2026-03-10T12:00:00Z');

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUp(server);
  await setPlan(server.db, { plan: 'elite', accountId: ada.id });
  product = await makeProduct(server, ada.token, { name: 'Prism', max_activations: 1 });
  key = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} })).body.plaintext;
  publicKey = (await call(server, 'GET', `/api/products/${product.id}/rsa?format=juce`, { token: ada.token })).text;
});
afterAll(() => server.stop());

const post = (path: string, body: object | string) =>
  call(server, 'POST', `/api/license/${path}`, { token: key, body });
const serial = async () =>
  (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0] as { id: string; code: string };
const form = (fields: [string, string][]) => new URLSearchParams(fields).toString();
const seated = async (id: string) => {
  const machines = await server.db.query<{ machine_id: string }>(
    'select machine_id from activations where serial_id = $1 and released_at is null order by machine_id',
    [id],
  );
  const [row] = await server.db.query<{ seats_used: number }>('select seats_used from serials where id = $1', [id]);
  expect(row?.seats_used).toBe(machines.length);
  return machines.map((machine) => machine.machine_id);
};
const email = 'nina@example.com';

/**
 * Calls each route from one machine with older ids; returns the machines its key file opens on, if the route has one.
 */
const routes: [string, (code: string, machine: string, old: string[]) => Promise<{ ok: boolean; opens?: string }>][] = [
  [
    'juce/unlock',
    async (code, machine, old) => {
      const fields: [string, string][] = [
        ['product', product.name],
        ['email', email],
        ['pw', code],
        ['os', 'Linux'],
        ...[machine, ...old].map((id): [string, string] => ['mach', id]),
      ];
      const { key: file } = juceReply((await post('juce/unlock', form(fields))).text);
      return { ok: file !== undefined, ...(file ? { opens: juceKeyOf(file, publicKey).mach as string } : {}) };
    },
  ],
  [
    'v1/keyfile',
    async (license_key, machine_id, old_machine_ids) => {
      const answer = await post('v1/keyfile', { license_key, machine_id, old_machine_ids, email });
      if (answer.status !== 200) return { ok: false };
      return { ok: true, opens: juceKeyOf(answer.text, publicKey).mach as string };
    },
  ],
  [
    'v1/keyfile as a form',
    async (license_key, machine_id, old) => {
      const fields: [string, string][] = [
        ['license_key', license_key],
        ['machine_id', machine_id],
        ['email', email],
        ...old.map((id): [string, string] => ['old_machine_ids', id]),
      ];
      const answer = await post('v1/keyfile', form(fields));
      if (answer.status !== 200) return { ok: false };
      return { ok: true, opens: juceKeyOf(answer.text, publicKey).mach as string };
    },
  ],
  [
    'v1/activate',
    async (license_key, machine_id, old) => {
      const { body } = await post('v1/activate', { license_key, machine_id, old_machine_ids: old.join(','), email });
      return { ok: body.ok };
    },
  ],
  [
    'activate of HISE',
    async (code, machine, old) => {
      const fields: [string, string][] = [
        ['key', code],
        ['instance_id', machine],
        ['old_instance_ids', old.join(' ')],
        ['email', email],
      ];
      const { body } = await post('activate', form(fields));
      return { ok: body.ok, ...(body.key_file ? { opens: juceKeyOf(body.key_file, publicKey).mach as string } : {}) };
    },
  ],
];

describe.each(routes)('several ids of one machine on %s', (name, ask) => {
  const file = (opens: string) => (name === 'v1/activate' ? { ok: true } : { ok: true, opens });

  it('move the seat that an old one has, and take none', async () => {
    const { id, code } = await serial();
    expect((await ask(code, 'MAC-1', [])).ok).toBe(true);
    // the file opens on the machine's own id alone, whatever else was named
    expect(await ask(code, 'UNIQUE', ['MAC-2', 'MAC-1', 'UNIQUE'])).toEqual(file('UNIQUE'));
    expect(await seated(id)).toEqual(['UNIQUE']);
    expect(await ask(code, 'UNIQUE', ['MAC-1'])).toEqual(file('UNIQUE'));
    expect(await seated(id)).toEqual(['UNIQUE']);
    // without the old id it is another machine
    expect((await ask(code, 'ANOTHER', ['MAC-9'])).ok).toBe(false);
    expect(await seated(id)).toEqual(['UNIQUE']);
  });

  it('cost one seat when each had one, and none is needed for what is unknown', async () => {
    const { id, code } = await serial();
    expect(await ask(code, 'UNIQUE', ['MAC-1', 'MAC-2'])).toEqual(file('UNIQUE'));
    await call(server, 'PATCH', `/api/serials/${id}/seats`, { token: ada.token, body: { max_activations: 3 } });
    for (const machine of ['MAC-1', 'MAC-2']) await ask(code, machine, []);
    expect(await seated(id)).toEqual(['MAC-1', 'MAC-2', 'UNIQUE']);
    // fewer seats now than machines that have one: who has one keeps it
    await call(server, 'PATCH', `/api/serials/${id}/seats`, { token: ada.token, body: { max_activations: 1 } });
    expect(await ask(code, 'NEW', ['MAC-1'])).toEqual(file('NEW'));
    expect(await seated(id)).toEqual(['MAC-2', 'NEW', 'UNIQUE']);
    expect(await ask(code, 'UNIQUE', ['MAC-2', 'NEW'])).toEqual(file('UNIQUE'));
    expect(await seated(id)).toEqual(['UNIQUE']);
  });

  it('end the lease of an offline license with the seat', async () => {
    const { id, code } = await serial();
    const offline = await post('v1/offline', { license_key: code, machine_file: 'MAC-1', email });
    expect(offline.status).toBe(200);
    expect(await ask(code, 'UNIQUE', ['MAC-1'])).toEqual(file('UNIQUE'));
    expect(await server.db.query('select 1 from activations where leased_until is not null')).toEqual([]);
    expect(await seated(id)).toEqual(['UNIQUE']);
  });
});

it('no old id is a reason to refuse, and only so many are looked at', async () => {
  const { id, code } = await serial();
  const activate = (old_machine_ids: unknown) =>
    post('v1/activate', { license_key: code, machine_id: 'M', old_machine_ids, email });
  for (const odd of [null, 7, '', {}, [7, null, 'a#b', '\u0000'], 'x'.repeat(100_000), Array(5000).fill('y')]) {
    expect((await activate(odd)).body, JSON.stringify(odd)?.slice(0, 40)).toMatchObject({ ok: true, remaining: 0 });
  }
  expect(await seated(id)).toEqual(['M']);
  const several = { license_key: code, machine_ids: ['M', 'N'], old_machine_ids: ['O'], email };
  expect((await post('v1/keyfile', several)).body.status).toBe('invalid_request');
});

it('of two calls at once that name the same old id, one gets its seat', async () => {
  const { id, code } = await serial();
  const activate = (machine_id: string, old_machine_ids: string[] = []) =>
    post('v1/activate', { license_key: code, machine_id, old_machine_ids, email });
  expect((await activate('OLD')).body.ok).toBe(true);
  const lock = await lockWith(server.db, 'select 1 from serials where id = $1 for update', [id]);
  const calls = ['A', 'B', 'C'].map((machine) => activate(machine, ['OLD']));
  await lock.untilWaiting(3);
  await lock.release();
  const answers = await Promise.all(calls);
  expect(answers.map((answer) => answer.body.status).sort()).toEqual(['active', 'seat_limit', 'seat_limit']);
  expect(await seated(id)).toHaveLength(1);
});

it('a seat that moves counts as a new machine: at most five in 30 days where there is one seat', async () => {
  const { id, code } = await serial();
  const activate = (number: number) =>
    post('v1/activate', { license_key: code, machine_id: `M${number}`, old_machine_ids: [`M${number - 1}`], email });
  for (let number = 0; number < 5; number += 1) expect((await activate(number)).body.ok).toBe(true);
  expect((await activate(5)).body.status).toBe('churn_limit');
  expect(await seated(id)).toEqual(['M4']);
  clock.advance(31 * DAY);
  expect((await activate(5)).body.ok).toBe(true);
});
