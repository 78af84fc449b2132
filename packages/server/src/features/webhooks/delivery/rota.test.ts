import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SECOND } from '#platform/clock.ts';
import type { Statement } from '#platform/db/sql.ts';
import type { Door } from '#platform/db/work.ts';
import { LIMITS } from '#platform/egress/egress.ts';
import type { Random } from '#platform/random.ts';
import { tables } from '../tables.ts';
import type { Due } from './due.ts';
import { LEASE_MS, type Leased } from './leases.ts';
import { LONGEST_REQUEST, Rota } from './rota.ts';
import { type Served, Turns } from './turns.ts';

const LEASED = ['webhooks.ready', 'webhooks.lease'];

let asked: string[];
/** What has something due, and belongs to nobody yet. */
let due: Leased[];
let turns: Turns;
let rota: Rota;
let served: Served;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  asked = [];
  due = [{ developer_id: 'ada', id: 'shop', slow: false, answers: true }];
  turns = new Turns();
  const send = async ({ name = '' }: Statement) => {
    asked.push(name);
    if (name === 'webhooks.ready') return { rows: due };
    return { rows: name === 'webhooks.lease' ? due.splice(0) : [] };
  };
  const door = { send, work: (_options: unknown, run: (sql: Door) => unknown) => run(door) } as unknown as Door;
  const random = { id: () => 'process' } as Random;
  rota = new Rota({ db: tables.of(door), random, turns });
  await rota.look(new Date());
  served = rota.serving[0] as Served;
});
afterEach(() => {
  vi.useRealTimers();
});

const keepAfter = async (seconds: number) => {
  vi.advanceTimersByTime(seconds * SECOND);
  await rota.keep();
};

it('a webhook of which more may be due is kept, however long its requests took', async () => {
  served.more = true;
  await keepAfter(4);
  expect(rota.serving).toEqual([served]);
  expect(asked).toEqual(LEASED);
});

it('a webhook to which nothing is sent is kept for a while, and then given up', async () => {
  served.more = false;
  await keepAfter(1);
  expect(rota.serving).toEqual([served]);
  await keepAfter(2);
  expect(rota.serving).toEqual([]);
  expect(asked).toEqual([...LEASED, 'webhooks.lease_ended']);
});

it('a webhook that is to leave does so once nothing of it is under way', async () => {
  served.leaving = true;
  served.inHand = 1;
  await keepAfter(1);
  expect(rota.serving).toEqual([served]);
  served.inHand = 0;
  await keepAfter(1);
  expect(rota.serving).toEqual([]);
});

it('a request that may begin has ended before the lease of its webhook does', () => {
  expect(LIMITS.connectMs).toBeLessThan(LIMITS.totalMs);
  expect(LIMITS.totalMs).toBeLessThan(LONGEST_REQUEST);
  expect(LONGEST_REQUEST).toBeLessThan(LEASE_MS);
  expect(rota.maySend(served)).toBe(true);
  vi.advanceTimersByTime(LEASE_MS - LIMITS.totalMs);
  expect(rota.maySend(served)).toBe(false);
});

describe('slow webhooks', () => {
  const beside = async (count: number) => {
    due = Array.from({ length: count }, (_, n) => ({
      developer_id: 'eve',
      id: `slow-${n}`,
      slow: true,
      answers: false,
    }));
    await rota.look(new Date());
    const slow = rota.serving.filter((each) => each.slow);
    for (const each of slow) each.inHand = 1;
    await keepAfter(2);
    await rota.look(new Date());
    await keepAfter(2);
    return slow;
  };
  const leaving = () => rota.serving.filter((each) => each.leaving);

  it('that have all the places of their kind make room after a request, and quick ones stay', async () => {
    const slow = await beside(25);
    expect(leaving()).toEqual(slow);
    for (const each of slow) each.inHand = 0;
    await keepAfter(1);
    expect(rota.serving).toEqual([served]);
  });

  it('stay while there is room for more of them', async () => {
    await beside(24);
    expect(leaving()).toEqual([]);
  });

  it('stay until they have sent something of what was read', async () => {
    const one = { id: 'delivery', to: { host: 'slow.example.com' } } as unknown as Due;
    const [first, ...others] = await beside(25);
    for (const each of rota.serving) each.leaving = false;
    turns.add(first as Served, one, performance.now());
    await keepAfter(1);
    expect(leaving()).toEqual(others);
  });
});
