import { beforeEach, expect, it } from 'vitest';
import type { Due } from './due.ts';
import { EndpointState, Scheduler, type Turn } from './scheduler.ts';

let scheduler: Scheduler;
let count = 0;
beforeEach(() => {
  scheduler = new Scheduler();
});

/** An endpoint with something to send. */
function endpoint({
  account = `account-${count}`,
  host = `host-${count}`,
  waiting = 5,
  answersLate = false,
} = {}): EndpointState {
  const endpoint = new EndpointState({ developer_id: account, id: `endpoint-${count}` });
  endpoint.answersLate = answersLate;
  for (let n = 0; n < waiting; n += 1)
    scheduler.add(endpoint, { id: `delivery-${count}-${n}`, to: { host } } as unknown as Due, 0);
  count += 1;
  return endpoint;
}

function begin(): Turn[] {
  const begun: Turn[] = [];
  for (let turn = scheduler.next(); turn; turn = scheduler.next()) begun.push(turn);
  return begun;
}

it('an account that takes all it can leaves the greater part to others, and another one more than half of that', () => {
  for (let n = 0; n < 10; n += 1) endpoint({ account: 'eve' });
  expect(begin()).toHaveLength(17);
  expect(scheduler.ready).toBe(0);
  for (let n = 0; n < 10; n += 1) endpoint({ account: 'mallory' });
  expect(begin()).toHaveLength(11);
  endpoint();
  expect(scheduler.ready).toBe(5);
  expect(begin()).toHaveLength(5);
});

it('a host that takes all it can leaves as much to others as it has', () => {
  for (let n = 0; n < 10; n += 1) endpoint({ host: 'relay.example.com' });
  expect(begin()).toHaveLength(25);
  endpoint();
  expect(begin()).toHaveLength(5);
});

it('those that answer late share half of the places, and the others have the rest', () => {
  for (let n = 0; n < 20; n += 1) endpoint({ answersLate: true });
  expect(begin()).toHaveLength(25);
  const quick = endpoint();
  expect(new Set(begin().map((turn) => turn.endpoint))).toEqual(new Set([quick]));
});

it('a place is free again once its request has ended, as what it was when it began', () => {
  const late = Array.from({ length: 6 }, () => endpoint({ answersLate: true, waiting: 10 }));
  const begun = begin();
  expect(begun).toHaveLength(25);
  // all have answered in time
  for (const { endpoint } of begun) endpoint.answersLate = false;
  for (const turn of begun) turn.end();
  for (const endpoint of late) expect(endpoint.sending).toBe(0);
  for (const endpoint of late) endpoint.answersLate = true;
  expect(begin()).toHaveLength(25);
});

it('what is read anew keeps its turn, and what leaves loses it', () => {
  const [one, two] = [endpoint({ waiting: 1 }), endpoint({ waiting: 1 })];
  const again = (endpoint: EndpointState) =>
    scheduler.add(endpoint, { id: endpoint.id, to: { host: endpoint.id } } as unknown as Due, 0);
  scheduler.drop(one);
  scheduler.drop(two);
  again(two);
  again(one);
  expect(scheduler.waiting).toBe(2);
  expect(scheduler.next()?.endpoint).toBe(one);
  again(one);
  scheduler.remove(two);
  expect(scheduler.waiting).toBe(1);
  again(two);
  expect(begin().map(({ endpoint }) => endpoint)).toEqual([one, two]);
});

it('webhooks take turns, and none has more at once than it may', () => {
  const [one, two] = [endpoint({ waiting: 8 }), endpoint({ waiting: 8 })];
  two.slow = true;
  expect(begin().map((turn) => turn.endpoint)).toEqual([one, two, one, one, one, one]);
  expect(scheduler.waiting).toBe(10);
});

it('those are ready that wait for nothing but a free request', () => {
  for (let n = 0; n < 60; n += 1) endpoint();
  expect(begin()).toHaveLength(50);
  // the others are behind one of their own
  expect(scheduler.ready).toBe(10 * 5);
});
