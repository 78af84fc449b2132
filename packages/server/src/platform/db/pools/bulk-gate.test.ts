import { describe, expect, it } from 'vitest';
import { currentWork } from '#platform/work-context.ts';
import { BulkGate } from './bulk-gate.ts';
import { fairShare } from './fair-share.ts';

/** Work that ends on demand. */
function task() {
  const { promise, resolve: end } = Promise.withResolvers<void>();
  return { end, run: () => promise };
}

describe('the gate of large work', () => {
  it('lets as many in as it has connections, and runs them in the bulk lane', async () => {
    const gate = new BulkGate(2);
    const lanes = await Promise.all(['a', 'b'].map((name) => gate.run(name, async () => currentWork().lane)));
    expect(lanes).toEqual(['bulk', 'bulk']);
    expect(currentWork().lane).toBe('api');
  });

  it('leaves half of its connections to others than one account', async () => {
    const gate = new BulkGate(2);
    const first = task();
    const running = gate.run('a', first.run);
    const order: string[] = [];
    const second = gate.run('a', async () => order.push('a'));
    await gate.run('b', async () => order.push('b'));
    expect(order).toEqual(['b']);
    first.end();
    await Promise.all([running, second]);
    expect(order).toEqual(['b', 'a']);
  });

  it('lets eight of one account wait, and 32 in all', async () => {
    const gate = new BulkGate(1);
    const first = task();
    const refusal = { code: 'busy', status: 429, retryAfter: 10 };
    const running = [gate.run('a', first.run)];
    for (const account of ['a', 'b', 'c', 'd']) {
      for (let i = 0; i < 8; i += 1) running.push(gate.run(account, async () => undefined));
      await expect(gate.run(account, async () => undefined)).rejects.toMatchObject(refusal);
    }
    await expect(gate.run('e', async () => undefined)).rejects.toMatchObject(refusal);
    first.end();
    expect(await Promise.all(running)).toHaveLength(33);
  });

  it('shows work if it runs alone', async () => {
    const gate = new BulkGate(2);
    expect(await gate.run('a', async (alone) => alone)).toBe(true);
    const first = task();
    const running = gate.run('a', first.run);
    expect(await gate.run('b', async (alone) => alone)).toBe(false);
    first.end();
    await running;
  });

  it('continues after work that failed', async () => {
    const gate = new BulkGate(1);
    await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run('a', async () => 'yes')).toBe('yes');
  });
});

it('keeps three in ten connections of a pool free, and divides the rest among accounts', async () => {
  const shares = fairShare(10);
  const places = [];
  for (let i = 0; i < 4; i += 1) places.push(await shares.wait('a'));
  const late = shares.wait('a');
  for (let i = 0; i < 3; i += 1) places.push(await shares.wait('b'));
  // seven of ten are taken: no one else gets in before one leaves
  const other = shares.wait('c');
  expect(shares.waiting).toBe(2);
  places[6]?.();
  (await other)();
  places[0]?.();
  (await late)();
  for (const leave of places) leave();
  expect([shares.taken, shares.waiting]).toEqual([0, 0]);
});
