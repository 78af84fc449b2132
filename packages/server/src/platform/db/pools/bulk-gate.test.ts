import { describe, expect, it } from 'vitest';
import { currentWork } from '#platform/work-context.ts';
import { BulkGate } from './bulk-gate.ts';
import { Shares } from './fair-share.ts';

/** Work that ends on demand. */
function task() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { end, run: () => ended };
}

const refusal = { code: 'busy', status: 429, retryAfter: 10 };

describe('the gate of large work', () => {
  it('lets as many in as it has connections, and runs them in the bulk lane', async () => {
    const gate = new BulkGate({ slots: 2 });
    const lanes = await Promise.all(['a', 'b'].map((name) => gate.run(name, async () => currentWork().lane)));
    expect(lanes).toEqual(['bulk', 'bulk']);
    expect(currentWork().lane).toBe('api');
  });

  it('lets another account pass one that already has its half', async () => {
    const gate = new BulkGate({ slots: 2 });
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

  it('refuses immediately when an account’s line, or the whole line, is full', async () => {
    const gate = new BulkGate({ slots: 1, queue: 3, queuePerAccount: 2 });
    const first = task();
    const running = gate.run('a', first.run);
    const waiting = [gate.run('a', async () => 1), gate.run('a', async () => 2)];
    await expect(gate.run('a', async () => 3)).rejects.toMatchObject(refusal);
    waiting.push(gate.run('b', async () => 4));
    await expect(gate.run('c', async () => 5)).rejects.toMatchObject(refusal);
    first.end();
    await running;
    expect(await Promise.all(waiting)).toEqual([1, 2, 4]);
  });

  it('refuses work that has waited too long, and drops callers that left', async () => {
    const gate = new BulkGate({ slots: 1, patience: 20 });
    const first = task();
    const running = gate.run('a', first.run);
    const leaving = new AbortController();
    const left = gate.run('b', async () => 'never', leaving.signal);
    leaving.abort(new Error('left'));
    await expect(left).rejects.toThrow('left');
    await expect(gate.run('b', async () => 'never')).rejects.toMatchObject(refusal);
    first.end();
    await running;
    expect(await gate.run('b', async () => 'now')).toBe('now');
  });

  it('continues after work that failed', async () => {
    const gate = new BulkGate({ slots: 1 });
    await expect(gate.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await gate.run('a', async () => 'yes')).toBe('yes');
  });
});

describe('the shares of a pool', () => {
  it('keep connections free, and divide the rest among accounts', async () => {
    const shares = new Shares(10);
    const places = [];
    for (let i = 0; i < 4; i += 1) places.push(await shares.enter('a'));
    const late = shares.enter('a');
    for (let i = 0; i < 3; i += 1) places.push(await shares.enter('b'));
    // seven of ten are taken: no one else gets in before one leaves
    const other = shares.enter('c');
    expect(shares.waiting).toBe(2);
    places[6]?.();
    (await other)();
    places[0]?.();
    (await late)();
    for (const leave of places) leave();
    expect(shares.waiting).toBe(0);
  });
});
