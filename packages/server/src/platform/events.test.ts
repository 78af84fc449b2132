import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { z } from 'zod';
import { Events } from './events.ts';
import { Time } from './http/schemas.ts';

let database: TestDatabase;
const ends: (() => Promise<unknown> | unknown)[] = [];
const schema = z.discriminatedUnion('type', [z.object({ type: z.literal('noon'), data: z.object({ at: Time }) })]);
const silent = { warn: () => undefined, error: () => undefined } as never;

beforeEach(async () => {
  database = await createTestDatabase();
  ends.push(() => database.drop());
});
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The database's address by way of a door that can be shut, which counts who knocks. */
async function door() {
  const target = new URL(database.url);
  const open = new Set<Socket>();
  const state = { shut: false, knocks: [] as number[], open };
  const server = createServer((socket) => {
    state.knocks.push(performance.now());
    socket.on('error', () => undefined);
    if (state.shut) return socket.destroy();
    const inner = connect(Number(target.port), target.hostname);
    open.add(socket);
    inner.on('error', () => socket.destroy());
    inner.on('close', () => socket.destroy());
    socket.on('close', () => {
      open.delete(socket);
      inner.destroy();
    });
    return socket.pipe(inner).pipe(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => server.close());
  const url = new URL(database.url);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return { state, url: url.href };
}

it('an event that is not declared is never sent', async () => {
  const events = new Events({ url: database.url, log: silent, schema });
  const asked: unknown[] = [];
  const sql = {
    query: async (_: string, values?: unknown[]) => {
      asked.push(values);
      return [];
    },
  };
  const at = new Date('2026-03-10T12:00:00Z');
  // @ts-expect-error this type is in no schema
  await expect(events.publish(sql, 'somebody', { type: 'midnight', data: { at } })).rejects.toThrow();
  // @ts-expect-error the moment is missing
  await expect(events.publish(sql, 'somebody', { type: 'noon', data: {} })).rejects.toThrow();
  await events.publish(sql, 'somebody', { type: 'noon', data: { at, secret: 'x' } } as never);
  expect(asked).toEqual([['tonerow_live', [JSON.stringify({ a: 'somebody', type: 'noon', data: { at } })]]]);
});

it('an event is kept by whoever keeps it, in the transaction that publishes it, and before it is sent', async () => {
  const events = new Events({ url: database.url, log: silent, schema });
  const done: unknown[] = [];
  const sql = {
    query: async (text: string) => {
      done.push(text.split(' ')[0]);
      return [];
    },
  };
  const at = new Date('2026-03-10T12:00:00Z');
  events.keepWith([async (given, ids, event) => void done.push([given === sql, ids, event])]);
  await events.publish(sql, ['ada', 'ben'], { type: 'noon', data: { at } });
  const kept = { type: 'noon', data: { at: at.toISOString() } };
  expect(done).toEqual([[true, ['ada', 'ben'], kept], 'select']);
});

describe('live events', () => {
  it('knock once a second while the database is away, then listen on one connection again', async () => {
    const { state, url } = await door();
    const events = new Events({ url, log: silent, schema });
    await events.start();
    ends.push(() => events.stop());
    const heard: { type: string }[] = [];
    events.subscribe('somebody', (event) => heard.push(event));

    state.shut = true;
    state.knocks = [];
    for (const socket of state.open) socket.destroy();
    await expect.poll(() => state.knocks.length, { timeout: 15_000 }).toBeGreaterThanOrEqual(4);
    const [first = 0, ...later] = state.knocks;
    for (const [index, at] of later.entries()) expect(at - (state.knocks[index] ?? first)).toBeGreaterThan(900);

    state.shut = false;
    await expect.poll(() => heard).toEqual([{ type: 'resync', data: {} }]);
    expect(state.open.size).toBe(1);

    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await events.publish(
      { query: async (text, values) => (await client.query(text, values as unknown[])).rows },
      'somebody',
      {
        type: 'noon',
        data: { at: new Date('2026-03-10T12:00:00Z') },
      },
    );
    await client.end();
    await expect.poll(() => heard.at(-1)).toEqual({ type: 'noon', data: { at: '2026-03-10T12:00:00.000Z' } });
  });

  it('are remembered for whoever read its lists before it listened', async () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(0);
    onTestFinished(() => now.mockRestore());
    const events = new Events({ url: database.url, log: silent, schema });
    await events.start();
    ends.push(() => events.stop());
    now.mockReturnValue(100_000);
    expect(events.mayHaveHad('ada', 80)).toBe(false);
    // events from before it listened were not heard
    expect(events.mayHaveHad('ada', 95)).toBe(true);
    const heard = new Promise((hear) => events.subscribe('ada', hear));
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const sql = { query: async (text: string, values?: unknown[]) => (await client.query(text, values)).rows };
    await events.publish(sql as never, 'ada', { type: 'noon', data: { at: new Date() } });
    await heard;
    await client.end();
    now.mockReturnValue(130_000);
    expect(events.mayHaveHad('ada', 15)).toBe(false);
    expect(events.mayHaveHad('ada', 25)).toBe(true);
    expect(events.mayHaveHad('ben', 25)).toBe(false);
  });

  it('leave no connection behind when they stop while the database is away', async () => {
    const { state, url } = await door();
    const events = new Events({ url, log: silent, schema });
    await events.start();
    state.shut = true;
    for (const socket of state.open) socket.destroy();
    await expect.poll(() => state.knocks.length).toBeGreaterThan(1);
    // between two attempts
    await events.stop();
    const attempts = state.knocks.length;
    state.shut = false;
    expect(state.open.size).toBe(0);
    // an attempt that still waited for its turn would have had it by now
    await vi.waitUntil(() => performance.now() > (state.knocks.at(-1) ?? 0) + 1300, { timeout: 5000 });
    expect([state.knocks.length, state.open.size]).toEqual([attempts, 0]);
  });
});
