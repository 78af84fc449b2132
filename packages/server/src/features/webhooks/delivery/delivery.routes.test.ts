import type { ServerResponse } from 'node:http';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Receiver, startReceiver } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR, MINUTE, SECOND, TestClock } from '#platform/clock.ts';
import { idsFrom } from '#platform/db/statements/uuid-v7.ts';

let server: TestServer;
let ada: Person;
let receiver: Receiver;
let clock: TestClock;
let id: string;
const env = { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' };

beforeAll(async () => {
  clock = new TestClock('2026-03-10T12:00:00Z');
  server = await startServer({ overrides: { clock }, env });
});
afterAll(() => server.stop());
beforeEach(async () => {
  ada = await signUpVerified(server);
  receiver = await startReceiver();
  id = await make();
});
afterEach(async () => {
  await call(server, 'DELETE', `/api/webhooks/${id}`, as());
  await receiver.stop();
});

const as = () => ({ token: ada.token });
const make = async (url = receiver.url) =>
  (await call(server, 'POST', '/api/webhooks', { ...as(), body: { url, events: ['*'] } })).body.webhook.id as string;
const endpoint = async () => (await call(server, 'GET', `/api/webhooks/${id}`, as())).body;
const trigger = async (type = 'webhook.test') => {
  const sent = await call(server, 'POST', '/api/webhook-events', { ...as(), body: { type } });
  if (sent.status !== 201) throw new Error(sent.text);
  return sent.body as { event_id: string; delivery_ids: string[] };
};
const delivery = async (which: string) => (await call(server, 'GET', `/api/webhook-deliveries/${which}`, as())).body;
/** The workers look at what is due by the clock as it is now. */
const look = () => server.db.query(`select pg_notify('tonerow_live', '{"a":"","type":"webhook_due","data":{}}')`);
const until = async (which: string, attempts: number) => {
  await expect
    .poll(
      async () => {
        await look();
        return (await delivery(which)).attempts;
      },
      { timeout: 10_000 },
    )
    .toBe(attempts);
  return delivery(which);
};

const waitingFor = (count: string) =>
  `with event as (
     insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
     select $1, gen_random_uuid(), 'webhook.test', $3, '{}', '{}', pg_current_xact_id()::text::bigint from generate_series(1, ${count})
     returning id)
   insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
   select $1, gen_random_uuid(), $2, id, 'webhook.test', 'waiting', $3, $3 from event`;

describe('a delivery that fails', () => {
  it('is tried ten times with the same id over three days, then has failed, and can be sent again', async () => {
    receiver.answer = 500;
    const sent = await trigger();
    const which = sent.delivery_ids[0] as string;
    const delays = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];
    for (const [n, delay] of delays.entries()) {
      const { next_attempt_at, state } = await until(which, n + 1);
      expect(state).toBe('waiting');
      const wait = Date.parse(next_attempt_at) - clock.now().getTime();
      expect(wait).toBeGreaterThanOrEqual(delay * 0.8 - 1);
      expect(wait).toBeLessThanOrEqual(delay * 1.2 + 1);
      clock.set(new Date(Date.parse(next_attempt_at) - 1));
      await look();
      expect((await delivery(which)).attempts).toBe(n + 1);
      clock.set(next_attempt_at);
    }
    const over = await until(which, 10);
    expect(over).toMatchObject({ state: 'failed', next_attempt_at: null, last_status: 500, last_error: 'status' });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([sent.event_id]));
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    await call(server, 'POST', `/api/webhook-deliveries/${which}/retry`, as());
    expect(await until(which, 11)).toMatchObject({ state: 'failed' });
    receiver.answer = 200;
    await call(server, 'POST', `/api/webhook-deliveries/${which}/retry`, as());
    expect(await until(which, 12)).toMatchObject({ state: 'delivered', last_error: null });
  });

  it('keeps its place in the schedule, however often it is sent again by hand', async () => {
    receiver.answer = 500;
    const which = (await trigger()).delivery_ids[0] as string;
    await until(which, 1);
    clock.advance(10 * SECOND);
    await until(which, 2);
    for (let attempts = 3; attempts <= 6; attempts += 1) {
      await call(server, 'POST', `/api/webhook-deliveries/${which}/retry`, as());
      const { state, next_attempt_at } = await until(which, attempts);
      expect(state).toBe('waiting');
      expect(Date.parse(next_attempt_at) - clock.now().getTime()).toBeLessThanOrEqual(5 * MINUTE * 1.2 + 1);
    }
  });

  it.each([429, 503])('waits for as long as the receiver asks with %i', async (status) => {
    receiver.answer = (response) => response.writeHead(status, { 'retry-after': '3600' }).end();
    const which = (await trigger()).delivery_ids[0] as string;
    const { next_attempt_at } = await until(which, 1);
    expect(Date.parse(next_attempt_at) - clock.now().getTime()).toBe(HOUR);
  });

  it('does not wait for as long as another answer asks', async () => {
    receiver.answer = (response) => response.writeHead(500, { 'retry-after': '3600' }).end();
    const which = (await trigger()).delivery_ids[0] as string;
    const { next_attempt_at } = await until(which, 1);
    expect(Date.parse(next_attempt_at) - clock.now().getTime()).toBeLessThanOrEqual(6 * SECOND);
  });

  it('switches the webhook off when it is gone, which is told at once, whatever else arrives in that moment', async () => {
    const open: ServerResponse[] = [];
    receiver.answer = (response) => open.push(response);
    const which = (await trigger()).delivery_ids[0] as string;
    await receiver.wait(1);
    await trigger();
    await receiver.wait(2);
    for (const [n, response] of open.entries()) response.writeHead(n === 0 ? 410 : 204).end();
    expect(await until(which, 1)).toMatchObject({ state: 'failed', last_status: 410 });
    await expect.poll(async () => (await endpoint()).disabled_reason).toBe('gone');
    const email = await server.email(
      ({ to, subject }) => to?.[0]?.address === ada.email && /switched off/.test(subject ?? ''),
    );
    expect(email.text).toContain('410');
  });
});

it('that the old address calls gone leaves the new one on', async () => {
  let gone: () => void = () => undefined;
  receiver.answer = (response) => {
    gone = () => response.writeHead(410).end();
  };
  const which = (await trigger()).delivery_ids[0] as string;
  await receiver.wait(1);
  const other = await startReceiver();
  expect((await call(server, 'PATCH', `/api/webhooks/${id}`, { ...as(), body: { url: other.url } })).status).toBe(200);
  gone();
  await until(which, 1);
  // outcomes are written in turn: once this one is, so is what the one before meant
  await until((await trigger()).delivery_ids[0] as string, 1);
  expect(await endpoint()).toMatchObject({ enabled: true, disabled_reason: null });
  await other.stop();
});

describe('a webhook that fails', () => {
  it('is reported after an hour, a day and three days, and switched off after five, each once', async () => {
    receiver.answer = 503;
    const began = clock.now();
    const first = (await trigger()).delivery_ids[0] as string;
    await until(first, 1);
    for (const [ms, level] of [
      [HOUR, 1],
      [DAY, 2],
      [3 * DAY, 3],
      [5 * DAY, 4],
    ] as const) {
      clock.set(new Date(began.getTime() + ms - 1));
      await until((await trigger()).delivery_ids[0] as string, 1);
      expect(await warned()).toBe(level - 1);
      clock.set(new Date(began.getTime() + ms));
      await until((await trigger()).delivery_ids[0] as string, 1);
      await expect.poll(warned, { timeout: 10_000 }).toBe(level);
    }
    expect(await endpoint()).toMatchObject({ enabled: false, disabled_reason: 'failing' });
    const emails = await server.db.query<{ text: string }>(
      'select data::text as text from pgboss.job where data::text like $1',
      [`%${ada.email}%`],
    );
    expect(emails.filter(({ text }) => text.includes(' is failing"'))).toHaveLength(3);
    expect(emails.filter(({ text }) => text.includes('has been switched off"'))).toHaveLength(1);
    // each can be ended with one click
    const reported = emails.filter(({ text }) => /is failing"|switched off"/.test(text));
    for (const { text } of reported) expect(text).toContain('/api/unsubscribe?token=');
  });

  const warned = async () =>
    (await server.db.query<{ warned: number }>('select warned from webhook_endpoints where id = $1', [id]))[0]?.warned;

  it('is not, once one attempt has succeeded', async () => {
    receiver.answer = 500;
    await until((await trigger()).delivery_ids[0] as string, 1);
    await expect.poll(async () => (await endpoint()).first_failure_at).toBe(clock.now().toISOString());
    receiver.answer = 200;
    clock.advance(4 * DAY);
    await until((await trigger()).delivery_ids[0] as string, 1);
    await expect.poll(async () => (await endpoint()).first_failure_at).toBeNull();
    expect((await endpoint()).enabled).toBe(true);
  });

  it('has what happens while it is off recorded, and gets all of it when that is replayed', async () => {
    await call(server, 'PATCH', `/api/webhooks/${id}`, { ...as(), body: { enabled: false } });
    const since = clock.now().toISOString();
    const missed = [await trigger(), await trigger('stock.low'), await trigger('serial.redeemed')];
    expect(await delivery(missed[0]?.delivery_ids[0] as string)).toMatchObject({ state: 'skipped', attempts: 0 });
    expect((await call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as(), body: { since } })).status).toBe(422);
    const on = await call(server, 'PATCH', `/api/webhooks/${id}`, { ...as(), body: { enabled: true } });
    expect(on.body).toMatchObject({ enabled: true, replayable: 3 });
    clock.advance(MINUTE);
    for (const until of [since, new Date(Date.parse(since) - HOUR).toISOString()]) {
      const reversed = await call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as(), body: { since, until } });
      expect([reversed.status, reversed.body.errors[0].path]).toEqual([400, 'until']);
    }
    const replayed = await call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as(), body: { since } });
    expect([replayed.status, replayed.body]).toEqual([202, { matching: 3, more: false }]);
    await receiver.wait(3);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(
      new Set(missed.map(({ event_id }) => event_id)),
    );
    expect((await until(missed[0]?.delivery_ids[0] as string, 1)).history[0].trigger).toBe('replay');
  });
});

it('a webhook whose receiver is back gets at once what waits for another attempt, when that is replayed', async () => {
  receiver.answer = 500;
  const since = clock.now().toISOString();
  const waiting = await trigger();
  const which = waiting.delivery_ids[0] as string;
  await until(which, 1);
  clock.advance(10 * SECOND);
  await until(which, 2);
  const replay = async (body: object) =>
    (await call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as(), body: { since, ...body } })).body;
  expect(await replay({ state: 'failed' })).toEqual({ matching: 0, more: false });
  expect(await replay({ state: 'waiting' })).toEqual({ matching: 1, more: false });
  // not twice, although it waits again once this attempt has failed
  expect(await until(which, 3)).toMatchObject({ state: 'waiting', history: [{ trigger: 'replay' }, {}, {}] });
  receiver.answer = 200;
  expect(await replay({})).toEqual({ matching: 1, more: false });
  expect(await until(which, 4)).toMatchObject({ state: 'delivered', history: [{ trigger: 'replay' }, {}, {}, {}] });
  expect(await replay({ state: 'waiting' })).toEqual({ matching: 0, more: false });
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([waiting.event_id]));
});

it('a replay of many sends the first of them at once and the rest after, each once', async () => {
  const since = clock.now();
  await server.db.query(waitingFor('$4'), [ada.id, id, new Date(since.getTime() + HOUR), 1200]);
  await server.db.query(
    `update webhook_deliveries set state = 'skipped', next_attempt_at = null,
       id = overlay(${idsFrom('created_at')}::text placing substr(id::text, 15) from 15)::uuid
     where developer_id = $1 and endpoint_id = $2`,
    [ada.id, id],
  );
  clock.advance(2 * HOUR);
  const body = { since: since.toISOString() };
  const replayed = await call(server, 'POST', `/api/webhooks/${id}/replay`, { ...as(), body });
  expect(replayed.body).toEqual({ matching: 1200, more: false });
  const skipped = async () =>
    (await server.db.query("select 1 from webhook_deliveries where developer_id = $1 and state = 'skipped'", [ada.id]))
      .length;
  expect(await skipped()).toBeLessThanOrEqual(700);
  // the first may all be delivered before the job has the others wait
  const left = async () => [await skipped(), (await endpoint()).waiting];
  await expect.poll(left, { timeout: 60_000 }).toEqual([0, 0]);
  expect(receiver.received).toHaveLength(1200);
  expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1200);
}, 90_000);

describe('a webhook that answers', () => {
  const isLeased = async () =>
    (await server.db.query('select 1 from webhook_endpoints where id = $1 and leased_by is not null', [id])).length > 0;
  const answers: (() => void)[] = [];
  const answerAll = () => {
    for (const answer of answers.splice(0)) answer();
  };

  /** Five requests are under way, and 35 events wait behind them. */
  async function manyWait() {
    await until((await trigger()).delivery_ids[0] as string, 1);
    await expect.poll(async () => (await endpoint()).last_success_at, { timeout: 10_000 }).not.toBeNull();
    receiver.answer = (response) => answers.push(() => response.writeHead(204).end());
    await server.db.query(waitingFor('40'), [ada.id, id, clock.now()]);
    await look();
    await receiver.wait(6);
  }

  it('gets five at once, and once it is paused nothing that was only read', async () => {
    await manyWait();
    expect(receiver.received).toHaveLength(6);
    expect((await call(server, 'PATCH', `/api/webhooks/${id}`, { ...as(), body: { enabled: false } })).status).toBe(
      200,
    );
    answerAll();
    // nothing of it is left in this process
    await expect.poll(() => isLeased(), { timeout: 10_000 }).toBe(false);
    expect(receiver.received).toHaveLength(6);
    receiver.answer = 204;
    await call(server, 'PATCH', `/api/webhooks/${id}`, { ...as(), body: { enabled: true } });
    await receiver.wait(41);
    await expect.poll(() => isLeased(), { timeout: 10_000 }).toBe(false);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(41);
    expect(receiver.received).toHaveLength(41);
  });

  it('gets nothing more once it is deleted, and others go on', async () => {
    await manyWait();
    await call(server, 'DELETE', `/api/webhooks/${id}`, as());
    answerAll();
    const other = await startReceiver();
    id = await make(other.url);
    await until((await trigger()).delivery_ids[0] as string, 1);
    await expect.poll(() => isLeased(), { timeout: 10_000 }).toBe(false);
    expect(receiver.received).toHaveLength(6);
    await other.stop();
  });
});

describe('a slow webhook', () => {
  it('never holds up another one, however much waits for it', async () => {
    const dead = await startReceiver();
    dead.answer = () => undefined;
    const bob = await signUpVerified(server);
    const slow = (
      await call(server, 'POST', '/api/webhooks', { token: bob.token, body: { url: dead.url, events: ['*'] } })
    ).body.webhook.id;
    await server.db.query(waitingFor('10000'), [bob.id, slow, clock.now()]);
    await look();
    await dead.wait(5);
    const began = performance.now();
    await trigger();
    await receiver.wait(1);
    // long before one of the five is given up, which takes fifteen seconds
    expect(performance.now() - began).toBeLessThan(8000);
    // five at once, and no more
    expect(dead.received).toHaveLength(5);
    await call(server, 'DELETE', `/api/webhooks/${slow}`, { token: bob.token });
    await dead.stop();
  });
});

it('more webhooks than a process serves at once all have their turn', async () => {
  const copies = await server.db.query<{ id: string }>(
    `insert into webhook_endpoints select (jsonb_populate_record(e, jsonb_build_object('id', gen_random_uuid()))).*
     from webhook_endpoints e, generate_series(1, 150) where e.developer_id = $1 and e.id = $2 returning id`,
    [ada.id, id],
  );
  for (const copy of copies) await server.db.query(waitingFor('2'), [ada.id, copy.id, clock.now()]);
  await look();
  await receiver.wait(300);
  const left = 'select 1 from webhook_deliveries where developer_id = $1 and state = $2';
  await expect.poll(() => server.db.query(left, [ada.id, 'waiting']), { timeout: 10_000 }).toEqual([]);
  expect(receiver.received).toHaveLength(300);
});

it('goes on after the database had trouble, and sends nothing twice', async () => {
  await server.db.query('alter table webhook_deliveries rename to away');
  try {
    await look();
    await expect
      .poll(() => server.logged(), { timeout: 10_000 })
      .toContain('webhooks could not be sent, and will be soon');
  } finally {
    await server.db.query('alter table away rename to webhook_deliveries');
  }
  await until((await trigger()).delivery_ids[0] as string, 1);
  expect(receiver.received).toHaveLength(1);
});

describe('the feed', () => {
  it('has the same events in an order that no late commit breaks', async () => {
    const [one, two] = [await trigger(), await trigger('stock.low')];
    const read = async (query = '') =>
      (await call(server, 'GET', `/api/webhook-events${query}`, as())).body as {
        events: { id: string; type: string; test: boolean }[];
        next_after: string;
        has_more: boolean;
      };
    // a transaction of somebody else may still be running
    await expect
      .poll(async () => (await read()).events.map((event) => event.id), { timeout: 10_000 })
      .toEqual([one.event_id, two.event_id]);
    const first = await read('?limit=1');
    expect(first).toMatchObject({ next_after: one.event_id, has_more: true });
    expect((await read(`?after=${one.event_id}`)).events).toMatchObject([{ id: two.event_id, test: true }]);
    expect((await read('?type=stock.low')).events).toHaveLength(1);

    // a transaction that began to write before, and has not committed yet
    const late = new pg.Client({ connectionString: server.db.url });
    await late.connect();
    await late.query('begin');
    await late.query(
      `insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
       values ($1, '00000000-0000-7000-8000-000000000001', 'webhook.test', $2, '{}', '{}', pg_current_xact_id()::text::bigint)`,
      [ada.id, clock.now()],
    );
    const three = await trigger();
    expect((await read(`?after=${two.event_id}`)).events).toEqual([]);
    await late.query('commit');
    await late.end();
    await expect
      .poll(async () => (await read(`?after=${two.event_id}`)).events.map((event) => event.id), { timeout: 10_000 })
      .toEqual(['00000000-0000-7000-8000-000000000001', three.event_id]);
  });
});
