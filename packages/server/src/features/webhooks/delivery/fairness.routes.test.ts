import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { listening } from '@tonerow/test-support/egress-peers.ts';
import { call, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { startReceiver } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

const PER_ACCOUNT = 10;

let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  ada = await signUpVerified(server);
});

const send = (person: Person) =>
  call(server, 'POST', '/api/webhook-events', { token: person.token, body: { type: 'webhook.test' } });
const make = (person: Person, url: string) =>
  call(server, 'POST', '/api/webhooks', { token: person.token, body: { url, events: ['*'] } });

/** Listens, takes what is sent and never answers. */
async function silent() {
  const open = new Set<Socket>();
  let closed = 0;
  const listener = createServer((socket) => {
    open.add(socket.resume());
    socket.on('error', () => undefined);
    socket.on('close', () => {
      open.delete(socket);
      closed += 1;
    });
  });
  const port = await listening(listener);
  return {
    url: `http://127.0.0.1:${port}/`,
    open,
    get closed() {
      return closed;
    },
    stop() {
      for (const socket of open) socket.destroy();
      listener.close();
    },
  };
}

/** Expects another webhook's events to arrive while all of these wait for their answers. */
async function arrivesBeside(dead: Awaited<ReturnType<typeof silent>>, atLeast: number): Promise<void> {
  const good = await startReceiver();
  await make(ada, good.url);
  await expect.poll(() => dead.open.size, { timeout: 10_000 }).toBeGreaterThanOrEqual(atLeast);
  for (let n = 1; n <= 20; n += 1) {
    await send(ada);
    await good.wait(n);
  }
  expect(dead.closed).toBe(0);
  await good.stop();
  dead.stop();
}

it('an account whose webhooks never answer, and all that it sends itself, keep nobody waiting', async () => {
  const dead = await silent();
  const eve = await signUpVerified(server);
  for (let n = 0; n < PER_ACCOUNT; n += 1) await make(eve, dead.url);
  for (let n = 0; n < 8; n += 1) await send(eve);
  await arrivesBeside(dead, 17);
});

it('a host that stops answering keeps nobody waiting but the accounts that use it', async () => {
  const dead = await silent();
  const people: Person[] = [];
  for (let account = 0; account < 8; account += 1) {
    const person = await signUpVerified(server);
    for (let n = 0; n < PER_ACCOUNT; n += 1) await make(person, dead.url);
    people.push(person);
  }
  // once all is made: the first requests are given up after fifteen seconds
  for (const person of people) await send(person);
  await arrivesBeside(dead, 20);
});

it('a receiver that takes seconds, and answers all at once, gets the next ones at once', async () => {
  const late = await startReceiver();
  const open: ServerResponse[] = [];
  late.answer = (response) => {
    open.push(response);
    if (open.length < 5) return;
    const five = open.splice(0);
    setTimeout(() => {
      for (const each of five) each.writeHead(204).end();
    }, 2500);
  };
  await make(ada, late.url);
  for (let n = 0; n < 15; n += 1) await send(ada);
  await expect.poll(() => late.received.length, { timeout: 20_000 }).toBe(15);
  await late.stop();
});

it('receivers that drip a byte at a time, and that answer without end, keep nobody waiting', async () => {
  const drip = await startReceiver();
  const open = new Set<NodeJS.Timeout>();
  drip.answer = (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'), 20);
    open.add(timer);
    response.on('close', () => {
      clearInterval(timer);
      open.delete(timer);
    });
  };
  const flood = await startReceiver();
  let flooded = 0;
  flood.answer = (response) => {
    const more = () => {
      while (!response.destroyed && response.write('y'.repeat(16_384))) flooded += 16_384;
    };
    response.writeHead(500).on('drain', more);
    more();
  };
  const eve = await signUpVerified(server);
  // two of the account’s own, too
  for (const [person, { url }] of [
    [eve, drip],
    [eve, flood],
    [ada, drip],
    [ada, flood],
  ] as const)
    await make(person, url);
  for (let n = 0; n < 5; n += 1) {
    await send(eve);
    await send(ada);
  }
  await expect.poll(() => open.size).toBeGreaterThanOrEqual(2);
  await flood.wait(5);
  const good = await startReceiver();
  await make(ada, good.url);
  for (let n = 1; n <= 20; n += 1) {
    await send(ada);
    await good.wait(n);
  }
  // those that drip are still at it, and of those that flood no more is read than what is kept and what lies in buffers
  expect(open.size).toBeGreaterThan(0);
  expect(flooded / flood.received.length).toBeLessThan(10_000_000);
  for (const each of [drip, flood, good]) await each.stop();
});

it('slow webhooks of which much waits keep another slow one waiting for a request or two only', async () => {
  const late = await startReceiver();
  late.answer = (response) => {
    setTimeout(() => response.writeHead(500).end(), 1500);
  };
  const slow = async (person: Person, url: string, waiting: number) => {
    const { id } = (await make(person, url)).body.webhook;
    await server.db.query(
      `with slow as (update webhook_endpoints set slow = true where id = $2), event as (
         insert into webhook_events (developer_id, id, type, occurred_at, data, object_ids, xid)
         select $1, gen_random_uuid(), 'webhook.test', now(), '{}', '{}', 1 from generate_series(1, $3::int) returning id)
       insert into webhook_deliveries (developer_id, id, endpoint_id, event_id, type, state, next_attempt_at, created_at)
       select $1, gen_random_uuid(), $2, id, 'webhook.test', 'waiting', now(), now() from event`,
      [person.id, id, waiting],
    );
  };
  const quick = await startReceiver();
  await make(ada, quick.url);
  for (const count of [9, 8, 8]) {
    const eve = await signUpVerified(server);
    for (let n = 0; n < count; n += 1) await slow(eve, late.url, 50);
  }
  await send(ada);
  await late.wait(25);
  const good = await startReceiver();
  await slow(ada, good.url, 1);
  await send(ada);
  await quick.wait(2);
  await expect.poll(() => good.received.length, { timeout: 8000 }).toBeGreaterThan(0);
  for (const each of [late, quick, good]) await each.stop();
});
