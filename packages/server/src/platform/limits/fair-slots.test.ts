import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FairSlots } from './fair-slots.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const busy = (reached: string) => new Error(`full: ${reached}`);

/** Slots in whose queue there is room, and a list of who got one, in order. */
function queued(limits: { total: number; perKey: number; queue?: number; queuePerKey?: number; patience?: number }) {
  const slots = new FairSlots({ queue: 10, patience: 1000, busy, ...limits });
  const order: string[] = [];
  const enter = async (key: string | undefined, signal?: AbortSignal) => {
    const leave = await slots.wait(key, { signal });
    order.push(key ?? 'nobody');
    return leave;
  };
  return { slots, order, enter };
}

describe('taking a slot at once', () => {
  it('refuses one key more than its own, and everybody more than there are', () => {
    const slots = new FairSlots({ total: 3, perKey: 2, busy });
    const leave = slots.take('a');
    slots.take('a');
    expect(() => slots.take('a')).toThrow('full: key');
    slots.take('b');
    expect(() => slots.take('b')).toThrow('full: total');
    leave();
    slots.take('b');
    expect(slots.taken).toBe(3);
  });

  it('counts what has no key for the total alone', () => {
    const slots = new FairSlots({ total: 3, perKey: 1, busy });
    for (let i = 0; i < 3; i += 1) slots.take(undefined);
    expect(() => slots.take(undefined)).toThrow('full: total');
  });

  it('gives a slot back once, however often it is released', () => {
    const slots = new FairSlots({ total: 2, perKey: 2, busy });
    const leave = slots.take('a');
    slots.take('a');
    leave();
    leave();
    expect(slots.taken).toBe(1);
    slots.take('a');
    expect(() => slots.take('a')).toThrow('full: key');
  });
});

describe('waiting for a slot', () => {
  it('lets others pass what waits for its own key, and keeps the order of one key', async () => {
    const { slots, order, enter } = queued({ total: 2, perKey: 1 });
    const [leaveA, leaveB] = [await enter('a'), await enter('b')];
    const waiting = [enter('a'), enter('a'), enter('c'), enter('b')];
    expect(slots.waiting).toBe(4);
    leaveB();
    const leaveC = await waiting[2];
    expect(order).toEqual(['a', 'b', 'c']);
    leaveA();
    (await waiting[0])?.();
    await waiting[1];
    leaveC?.();
    await waiting[3];
    expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'b']);
    expect([slots.taken, slots.waiting]).toEqual([2, 0]);
  });

  it('never gives all to the keys of one group, and lets those of others pass them', async () => {
    const slots = new FairSlots({ total: 4, perKey: 2, perGroup: 3, queue: 10, patience: 1000, busy });
    const taken = [];
    for (const key of ['a', 'a', 'b']) taken.push(await slots.wait(key, { group: 'east' }));
    const late = slots.wait('b', { group: 'east' });
    const other = await slots.wait('c', { group: 'west' });
    expect([slots.taken, slots.waiting]).toEqual([4, 1]);
    taken[0]?.();
    (await late)();
    other();
    await slots.wait('d', { group: 'east' });
    const refused = expect(slots.wait('e', { group: 'east' })).rejects.toThrow('full: key');
    await vi.advanceTimersByTimeAsync(1000);
    await refused;
  });

  it('hands a slot to one only, however often it is released', async () => {
    const { slots, enter } = queued({ total: 1, perKey: 1 });
    const leave = await enter('a');
    const next = enter('b');
    void enter('c');
    leave();
    leave();
    await next;
    expect([slots.taken, slots.waiting]).toEqual([1, 1]);
  });

  it('refuses at once when the queue of a key, or the whole one, is full', async () => {
    const { slots, enter } = queued({ total: 1, perKey: 1, queue: 3, queuePerKey: 2 });
    await enter('a');
    void enter('a');
    void enter('a');
    await expect(enter('a')).rejects.toThrow('full: key');
    void enter('b');
    await expect(enter('c')).rejects.toThrow('full: total');
    expect(slots.waiting).toBe(3);
  });

  it('refuses what has waited too long, and nothing before', async () => {
    const { slots, enter } = queued({ total: 1, perKey: 1, patience: 1000 });
    const leave = await enter('a');
    const late = enter('b');
    const refused = expect(late).rejects.toThrow('full: total');
    await vi.advanceTimersByTimeAsync(999);
    expect(slots.waiting).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    expect(slots.waiting).toBe(0);
    leave();
    await enter('b');
    // the timer of one that got its slot is gone
    expect(vi.getTimerCount()).toBe(0);
  });

  it('forgets who leaves the queue, and asks nobody to wait who has left before', async () => {
    const { slots, enter } = queued({ total: 1, perKey: 1 });
    const leave = await enter('a');
    const leaving = new AbortController();
    const left = enter('b', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(enter('b', leaving.signal)).rejects.toThrow('left');
    expect([slots.waiting, vi.getTimerCount()]).toEqual([0, 0]);
    leave();
    expect(slots.taken).toBe(0);
  });
});
