import { call } from '@tonerow/test-support/http.ts';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { needs, streamScopes } from '../../../packages/server/src/features/live/needs.ts';
import { eventTypes } from '../../../packages/server/src/features/webhooks/events/catalog.ts';
import { partsOf } from '../../../packages/server/src/features/webhooks/events/record.ts';
import { samples } from '../../../packages/server/src/features/webhooks/events/samples.ts';
import type { Role, Scope } from '../../../packages/server/src/platform/access/access.ts';
import { kindNames } from '../../../packages/server/src/platform/access/kinds.ts';
import { reads } from './contract-calls.ts';
import { OWNER, plant, planted, type World } from './planted.ts';

let world: World;
beforeAll(async () => {
  world = await plant();
  // a refusal is written, and told, a little later
  const written = () =>
    world.server.db.query('select from license_refusals where developer_id = $1', [world.partners.developer.id]);
  await vi.waitFor(async () => expect(await written()).toHaveLength(1), 10_000);
});

const SENTINEL = 'resync';

/** The text that a token receives while messages of every type are sent to a partner, between two sentinels. */
async function heard(role: Role, scopes: readonly Scope[]): Promise<string> {
  const token = await world.tokenOf(role, scopes);
  const leave = new AbortController();
  const response = await fetch(`${world.server.url}/api/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  if (response.status !== 200) return `${response.status}`;
  const data = { ...OWNER, serial: world.sold.code, kind: 'available', product_name: 'Delay' };
  const account = world.partners[role].id;
  for (const type of [SENTINEL, ...Object.keys(needs), SENTINEL])
    await world.server.db.query("select pg_notify('tonerow_live', $1)", [
      JSON.stringify({ a: account, type, data: type === SENTINEL ? {} : data }),
    ]);
  let text = '';
  for await (const chunk of (response.body as ReadableStream<Uint8Array>).pipeThrough(
    new TextDecoderStream() as never,
  )) {
    text += chunk;
    if (text.split(`event: ${SENTINEL}`).length > 2) break;
  }
  leave.abort();
  // earlier messages belong to another token
  return text.slice(text.indexOf(`event: ${SENTINEL}`) + 1);
}

describe('the live stream', () => {
  it.each(['developer', 'reseller'] as const)(
    'sends a %s’s token the messages of its scope alone, without others’ data',
    async (role) => {
      for (const scope of streamScopes) {
        const text = await heard(role, [scope]);
        const types = [...text.matchAll(/^event: (\w+)$/gm)].map(([, type]) => type);
        const due = Object.entries(needs).flatMap(([type, by]) => (by[role]?.includes(scope) ? [type] : []));
        // an import of serials is told with the scope that reads it
        const expected = due.filter((type) => type !== 'import' || scope === 'serials:read');
        expect([scope, types]).toEqual([scope, [...expected, SENTINEL]]);
        for (const kind of kindNames)
          if (!reads(role, kind, scope)) expect([scope, kind, planted[kind].test(text)]).toEqual([scope, kind, false]);
      }
    },
  );

  it('names the customer to a token that reads customers, and to who is signed in', async () => {
    const text = await heard('developer', ['serials:read', 'customers:read']);
    expect([planted.people.test(text), planted.codes.test(text)]).toEqual([true, true]);
    const names = await heard('developer', ['serials:read']);
    expect(names).toContain(`"serial":"${world.sold.code}"`);
    expect(names).toContain('"email":null');
  });
});

it('the feed of webhooks shows a token every type of event without what it may not read', async () => {
  for (const type of eventTypes) {
    const { shown, personal } = partsOf(samples[type]);
    await world.server.db.query(
      `insert into webhook_events (developer_id, id, type, occurred_at, data, personal, object_ids, xid)
       values ($1, gen_random_uuid(), $2, now(), $3, $4, '{}', 1)`,
      [world.partners.developer.id, type, shown, personal],
    );
  }
  const feed = async (token: string, query = '') =>
    (await call(world.server, 'GET', `/api/webhook-events?limit=100${query}`, { token })).text;
  const sample = {
    codes: samples['serial.redeemed'].code as string,
    people: samples['customer.created'].email as string,
  };
  const text = await feed(await world.tokenOf('developer', ['webhooks:read']));
  for (const type of eventTypes) expect(text).toContain(`"${type}"`);
  for (const kind of kindNames) expect([kind, text.includes(sample[kind])]).toEqual([kind, false]);
  const coded = await feed(await world.tokenOf('developer', ['webhooks:read', 'serials:read']));
  expect([coded.includes(sample.codes), coded.includes(sample.people)]).toEqual([true, false]);
  const refused = await feed(
    await world.tokenOf('developer', ['webhooks:read', 'serials:read']),
    '&include_personal=true',
  );
  expect(JSON.parse(refused).code).toBe('insufficient_scope');
  const whole = await feed(
    await world.tokenOf('developer', ['webhooks:read', 'serials:read', 'customers:read']),
    '&include_personal=true',
  );
  expect([whole.includes(sample.codes), whole.includes(sample.people)]).toEqual([true, true]);
});
