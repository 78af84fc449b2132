import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { beforeAll, expect, it } from 'vitest';
import type { Principal } from '#platform/access/access.ts';
import { systemClock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import { tables } from '../tables.ts';
import { Feed } from './feed.service.ts';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
});

const idOf = (n: number) => `00000000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const WRITE = `insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
  select $1, id, $3, now(), '{}', '{}', pg_current_xact_id()::text::bigint from unnest($2::uuid[]) as id`;
const write = (type: string, ...numbers: number[]) => server.db.query(WRITE, [ada.id, numbers.map(idOf), type]);
const read = async (query: string) => {
  const { body } = await call(server, 'GET', `/api/webhook-events?${query}`, { token: ada.token });
  return [body.events.map((event: { id: string }) => event.id), body.next_after, body.has_more];
};
/** Once no older transaction of the database's cluster is running, of other tests too. */
const settles = (query: string, expected: unknown[]) =>
  expect.poll(() => read(query), { timeout: 20_000 }).toEqual(expected);

it('a poll for what is rare goes on after all that it looked at, and never after what may still come', async () => {
  await write('serial.redeemed', 1, 2, 3);
  await settles('limit=10', [[1, 2, 3].map(idOf), idOf(3), false]);
  expect(await read('type=stock.low')).toEqual([[], idOf(3), false]);
  expect(await read(`object_id=${idOf(99)}&after=${idOf(1)}`)).toEqual([[], idOf(3), false]);
  expect(await read(`type=stock.low&after=${idOf(3)}`)).toEqual([[], idOf(3), false]);

  // a page that is full ends with its last event: what comes after it was not looked at
  await write('stock.low', 4, 5);
  await write('serial.redeemed', 6);
  await settles(`after=${idOf(3)}`, [[4, 5, 6].map(idOf), idOf(6), false]);
  expect(await read(`type=stock.low&limit=1&after=${idOf(3)}`)).toEqual([[idOf(4)], idOf(4), true]);
  expect(await read(`type=stock.low&limit=1&after=${idOf(4)}`)).toEqual([[idOf(5)], idOf(6), false]);

  // a transaction that is running has written one, and later ones are there already
  const late = new pg.Client({ connectionString: server.db.url });
  await late.connect();
  await late.query('begin');
  await late.query(WRITE, [ada.id, [idOf(7)], 'stock.low']);
  await write('serial.redeemed', 8);
  for (const query of ['type=stock.low', `type=stock.low&after=${idOf(5)}`, `after=${idOf(6)}`])
    expect((await read(query))[1]).toEqual(idOf(6));
  await late.query('commit');
  await late.end();
  await settles(`type=stock.low&after=${idOf(6)}`, [[idOf(7)], idOf(8), false]);
});

it('what settles while a poll reads is not passed: its number is lower than that of what is there', async () => {
  const person = await signUpVerified(server);
  const planted = (n: number, type: string) => [person.id, [idOf(n)], type];
  await server.db.query(WRITE, planted(11, 'serial.redeemed'));
  const late = new pg.Client({ connectionString: server.db.url });
  await late.connect();
  try {
    await late.query('begin');
    await late.query(WRITE, planted(12, 'stock.low'));
    await server.db.query(WRITE, planted(13, 'serial.redeemed'));
    let commits: Promise<unknown> | undefined;
    const query: Sql['query'] = async (text, values = []) => {
      // before the first statement that reads events, and after the one that asks what has settled
      if (text.includes('webhook_events') && !text.includes('"id" = ')) commits ??= late.query('commit');
      await commits;
      return server.db.query(text, values as unknown[]) as never;
    };
    const feed = new Feed({ db: tables.of({ query } as Door), clock: systemClock });
    const reader = { accountId: person.id, kind: 'session', role: 'developer', scopes: null } as Principal;
    const page = { include_personal: false, limit: 50 } as const;
    const seen: string[] = [];
    let after: string | undefined;
    const poll = async () => {
      const { events, next_after } = await feed.read(reader, { ...page, type: undefined, object_id: undefined, after });
      seen.push(...events.map(({ id }) => id));
      after = next_after ?? undefined;
      return seen;
    };
    await expect.poll(poll, { timeout: 20_000 }).toEqual([11, 12, 13].map(idOf));
  } finally {
    await late.end();
  }
});
