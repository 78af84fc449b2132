import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SECOND, systemClock } from '#platform/clock.ts';
import type { Statement } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import type { Egress } from '#platform/egress/egress.ts';
import type { Logger } from '#platform/log.ts';
import { systemRandom } from '#platform/random.ts';
import type { Signers } from '../signing/signers.ts';
import { tables } from '../tables.ts';
import { Deliverer } from './deliverer.ts';

/** Endpoints of one account each, which answer well, and for all of which more is due than is ever sent. */
let endpoints: string[];
let leased: Set<string>;
/** Endpoints that were asked what is due. */
let read: Set<string>;
/** How often each statement was sent to the database. */
let asked: Record<string, number>;
/** The addresses of the requests, in their order. */
let sent: string[];
let deliverer: Deliverer;

const due = (id: string, nth: number) => ({
  endpoint_id: id,
  nth: Math.min(nth, 2),
  id: randomUUID(),
  developer_id: id,
  attempts: 0,
  data: '{}',
  personal: null,
  occurred_at: systemClock.now(),
  url: `https://${id}.example.com/`,
  first_failure_at: null,
  last_success_at: systemClock.now(),
  slow: false,
});

const free = () => endpoints.filter((id) => !leased.has(id)).map((id) => ({ developer_id: id, id }));

const statements: Record<string, (...values: readonly unknown[]) => object[]> = {
  'webhooks.ready': () => free(),
  'webhooks.ready_of': (accounts) => free().filter(({ id }) => (accounts as string[]).includes(id)),
  'webhooks.lease'(_holder, _accounts, ids) {
    for (const id of ids as string[]) leased.add(id);
    return (ids as string[]).map((id) => ({ developer_id: id, id, slow: false, answers: true }));
  },
  'webhooks.due'(_accounts, ids, most) {
    for (const id of ids as string[]) read.add(id);
    return (ids as string[]).flatMap((id, at) =>
      Array.from({ length: (most as number[])[at] as number }, (__, n) => due(id, n + 1)),
    );
  },
  'webhooks.renewal': (_accounts, ids) => (ids as string[]).map((id) => ({ id })),
};

/** All requests take so long. */
function start(count: number, ms: number): void {
  endpoints = Array.from({ length: count }, (_, n) => `endpoint-${n}`);
  const send = async ({ name = '', values }: Statement) => {
    asked[name] = (asked[name] ?? 0) + 1;
    return { rows: statements[name]?.(...values) ?? [] };
  };
  const door = { send, work: (_options: unknown, run: (sql: Door) => unknown) => run(door) } as unknown as Door;
  const answer = { status: 200, error: null, headers: {}, text: '', durationMs: ms };
  const post = (url: string) => {
    sent.push(new URL(url).host.split('.')[0] as string);
    return new Promise((resolve) => {
      setTimeout(() => resolve(answer), ms);
    });
  };
  deliverer = new Deliverer({
    db: tables.of(door),
    clock: systemClock,
    random: systemRandom(systemClock),
    log: console as unknown as Logger,
    egress: { post } as unknown as Egress,
    signers: { of: async () => [] } as unknown as Signers,
    figures: { ended: () => undefined },
    onFailures: async () => undefined,
  });
  deliverer.resume();
}

/** Time passes in which events are recorded all the while. */
async function pass(seconds: number): Promise<void> {
  for (let ms = 0; ms < seconds * SECOND; ms += 5) {
    deliverer.wake();
    await vi.advanceTimersByTimeAsync(5);
  }
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  leased = new Set();
  read = new Set();
  asked = {};
  sent = [];
});
afterEach(async () => {
  const paused = deliverer.pause();
  await vi.runAllTimersAsync();
  await paused;
  vi.useRealTimers();
});

it('while all requests are under way it looks no more than twenty times a second, whatever is recorded', async () => {
  start(60, 200);
  await pass(1);
  asked = {};
  await pass(1);
  expect(asked['webhooks.ready']).toBeLessThanOrEqual(21);
});

it('what is due at a webhook that comes is read at once, however many wait for a request', async () => {
  start(90, SECOND);
  await pass(0.5);
  endpoints.push('newcomer');
  await pass(0.1);
  expect(read).toContain('newcomer');
});

it('webhooks that come while many wait for a request have their turn after each of those had one', async () => {
  start(90, SECOND);
  await pass(2);
  for (let n = 0; n < 9; n += 1) {
    endpoints.push(`newcomer-${n}`);
    await pass(0.15);
  }
  await pass(2);
  expect(new Set(sent).size).toBe(99);
});

it('after a notice, only the webhooks of its account are looked at', async () => {
  start(0, 10);
  await vi.advanceTimersByTimeAsync(SECOND);
  asked = {};
  endpoints.push('told', 'other');
  deliverer.wake('told');
  await vi.advanceTimersByTimeAsync(10);
  expect(read).toEqual(new Set(['told']));
  expect(asked['webhooks.ready']).toBeUndefined();
});
