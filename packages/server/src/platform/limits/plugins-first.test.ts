import { describe, expect, it } from 'vitest';
import { PluginsFirst } from './plugins-first.ts';

/** Begins ten pieces of work. @returns how many are under way at once. */
async function mostAtOnce(first: PluginsFirst): Promise<number> {
  let running = 0;
  let most = 0;
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 10 }, () => first.run(work)));
  expect(running).toBe(0);
  return most;
}

describe('work that can wait', () => {
  it('is done all at once while no plugin calls', async () => {
    expect(await mostAtOnce(new PluginsFirst())).toBe(10);
  });

  it('is done two at a time while plugins call', async () => {
    const first = new PluginsFirst();
    first.note();
    expect(await mostAtOnce(first)).toBe(2);
  });
});
