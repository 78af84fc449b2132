import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { Statement } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import { LIMITS } from '#platform/egress/egress.ts';
import type { Random } from '#platform/random.ts';
import { tables } from '../tables.ts';
import type { Due } from './due.ts';
import { LeaseTable, LONGEST_REQUEST } from './lease-table.ts';
import { LEASE_MS, type Leased } from './leases.ts';
import { type EndpointState, Scheduler } from './scheduler.ts';

const LEASED = ['webhooks.ready', 'webhooks.lease'];

let asked: string[];
/** Webhooks that have something due, and that no process has leased yet. */
let due: Leased[];
let scheduler: Scheduler;
let leases: LeaseTable;
let endpoint: EndpointState;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  asked = [];
  due = [{ developer_id: 'ada', id: 'shop', slow: false, answers: true }];
  scheduler = new Scheduler();
  const send = async ({ name = '' }: Statement) => {
    asked.push(name);
    if (name === 'webhooks.ready') return { rows: due };
    return { rows: name === 'webhooks.lease' ? due.splice(0) : [] };
  };
  const door = { send, work: (_options: unknown, run: (sql: Door) => unknown) => run(door) } as unknown as Door;
  const random = { id: () => 'process' } as Random;
  leases = new LeaseTable({ db: tables.of(door), random, scheduler });
  await leases.look(new Date());
  endpoint = leases.serving[0] as EndpointState;
});
afterEach(() => {
  vi.useRealTimers();
});

const keepAfter = async (seconds: number) => {
  vi.advanceTimersByTime(seconds * SECOND);
  await leases.keep();
};

it('a webhook of which more may be due is kept, however long its requests took', async () => {
  endpoint.mayBeDue = true;
  await keepAfter(4);
  expect(leases.serving).toEqual([endpoint]);
  expect(asked).toEqual(LEASED);
});

it('a webhook to which nothing is sent is kept for a while, and then given up', async () => {
  endpoint.mayBeDue = false;
  await keepAfter(1);
  expect(leases.serving).toEqual([endpoint]);
  await keepAfter(2);
  expect(leases.serving).toEqual([]);
  expect(asked).toEqual([...LEASED, 'webhooks.lease_ended']);
});

it('a webhook that is to leave does so once nothing of it is under way', async () => {
  endpoint.yielding = true;
  endpoint.inHand = 1;
  await keepAfter(1);
  expect(leases.serving).toEqual([endpoint]);
  endpoint.inHand = 0;
  await keepAfter(1);
  expect(leases.serving).toEqual([]);
});

it('a request that may begin has ended before the lease of its webhook does', () => {
  expect(LIMITS.connectMs).toBeLessThan(LIMITS.totalMs);
  expect(LIMITS.totalMs).toBeLessThan(LONGEST_REQUEST);
  expect(LONGEST_REQUEST).toBeLessThan(LEASE_MS);
  expect(leases.maySend(endpoint)).toBe(true);
  vi.advanceTimersByTime(LEASE_MS - LIMITS.totalMs);
  expect(leases.maySend(endpoint)).toBe(false);
});

describe('slow webhooks', () => {
  const beside = async (count: number) => {
    due = Array.from({ length: count }, (_, n) => ({
      developer_id: 'eve',
      id: `slow-${n}`,
      slow: true,
      answers: false,
    }));
    await leases.look(new Date());
    const slow = leases.serving.filter((each) => each.slow);
    for (const each of slow) each.inHand = 1;
    await keepAfter(2);
    await leases.look(new Date());
    await keepAfter(2);
    return slow;
  };
  const yielding = () => leases.serving.filter((each) => each.yielding);

  it('that have all the places of their kind make room after a request, and quick ones stay', async () => {
    const slow = await beside(25);
    expect(yielding()).toEqual(slow);
    for (const each of slow) each.inHand = 0;
    await keepAfter(1);
    expect(leases.serving).toEqual([endpoint]);
  });

  it('stay while there is room for more of them', async () => {
    await beside(24);
    expect(yielding()).toEqual([]);
  });

  it('stay until they have sent something of what was read', async () => {
    const one = { id: 'delivery', to: { host: 'slow.example.com' } } as unknown as Due;
    const [first, ...others] = await beside(25);
    for (const each of leases.serving) each.yielding = false;
    scheduler.add(first as EndpointState, one, performance.now());
    await keepAfter(1);
    expect(yielding()).toEqual(others);
  });
});
