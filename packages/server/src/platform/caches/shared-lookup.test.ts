import { expect, it } from 'vitest';
import { SharedLookup } from './shared-lookup.ts';

it('shares a look-up among those that arrive together, and begins it after the last of them', async () => {
  const lookup = new SharedLookup<string>();
  let stored = 'old';
  let asked = 0;
  const load = async () => {
    asked += 1;
    return stored;
  };
  const first = lookup.get('a', load);
  const other = lookup.get('b', load);
  stored = 'new';
  const second = lookup.get('a', load);
  expect(await Promise.all([first, second, other])).toEqual(['new', 'new', 'new']);
  expect(asked).toBe(2);
});

it('asks again for who arrives while a look-up is running', async () => {
  const lookup = new SharedLookup<string>();
  const running = Promise.withResolvers<void>();
  const late = Promise.withResolvers<string>();
  const first = lookup.get('a', () => {
    running.resolve();
    return late.promise;
  });
  await running.promise;
  expect(await lookup.get('a', async () => 'fresh')).toBe('fresh');
  late.resolve('stale');
  expect(await first).toBe('stale');
});

it('fails for all that shared it, and not for the next', async () => {
  const lookup = new SharedLookup<string>();
  const away = async () => {
    throw new Error('away');
  };
  const both = await Promise.allSettled([lookup.get('a', away), lookup.get('a', away)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await lookup.get('a', async () => 'back')).toBe('back');
});
