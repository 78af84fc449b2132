import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { SECOND } from '../../../platform/clock.ts';
import type { Database, Prepared } from '../../../platform/db/database.ts';
import { LIMITS } from '../../../platform/egress/egress.ts';
import type { Random } from '../../../platform/random.ts';
import { LEASE_MS } from './leases.ts';
import { LONGEST_REQUEST, Rota } from './rota.ts';
import { type Served, Turns } from './turns.ts';

let asked: string[];
let rota: Rota;
let served: Served;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  asked = [];
  const prepared = async ({ name }: Prepared) => {
    asked.push(name);
    return name === 'webhook_lease' ? [{ developer_id: 'ada', id: 'shop', slow: false, answers: true }] : [];
  };
  const random = { id: () => 'process' } as Random;
  rota = new Rota({ db: { prepared } as unknown as Database, random, turns: new Turns() });
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

it('an endpoint of which more may be due is kept, however long its requests took', async () => {
  served.more = true;
  await keepAfter(4);
  expect(rota.serving).toEqual([served]);
  expect(asked).toEqual(['webhook_lease']);
});

it('an endpoint to which nothing is sent is kept for a while, and then given up', async () => {
  served.more = false;
  await keepAfter(1);
  expect(rota.serving).toEqual([served]);
  await keepAfter(2);
  expect(rota.serving).toEqual([]);
  expect(asked).toEqual(['webhook_lease', 'webhook_lease_ended']);
});

it('an endpoint that is to leave does so once nothing of it is under way', async () => {
  served.leaving = true;
  served.inHand = 1;
  await keepAfter(1);
  expect(rota.serving).toEqual([served]);
  served.inHand = 0;
  await keepAfter(1);
  expect(rota.serving).toEqual([]);
});

it('a request that may begin has ended before the lease of its endpoint does', () => {
  expect(LIMITS.connectMs).toBeLessThan(LIMITS.totalMs);
  expect(LIMITS.totalMs).toBeLessThan(LONGEST_REQUEST);
  expect(LONGEST_REQUEST).toBeLessThan(LEASE_MS);
  expect(rota.maySend(served)).toBe(true);
  vi.advanceTimersByTime(LEASE_MS - LIMITS.totalMs);
  expect(rota.maySend(served)).toBe(false);
});
