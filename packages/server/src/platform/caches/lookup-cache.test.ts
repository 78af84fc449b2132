import { expect, it } from 'vitest';
import { TestClock } from '../clock.ts';
import { LookupCache } from './lookup-cache.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');

/** Counts how often each key is looked up. */
function counted(answer: (key: string) => Promise<string | undefined> = async (key) => key) {
  const asked: string[] = [];
  return {
    asked,
    load: (key: string) => () => {
      asked.push(key);
      return answer(key);
    },
  };
}

it('shares a lookup among concurrent callers and caches its result for its lifetime', async () => {
  const cache = new LookupCache<string | undefined>({ clock, lifetime: 500 });
  const { asked, load } = counted();
  const both = Promise.all([cache.get('a', load('a')), cache.get('a', load('a'))]);
  expect(await both).toEqual(['a', 'a']);
  clock.advance(499);
  await cache.get('a', load('a'));
  expect(asked).toEqual(['a']);
  clock.advance(1);
  await cache.get('a', load('a'));
  expect(asked).toEqual(['a', 'a']);
});

it('repeats lookups that found nothing, failed or were invalidated', async () => {
  const cache = new LookupCache<string | undefined>({ clock });
  const { asked, load } = counted(async (key) => {
    if (key === 'broken') throw new Error('away');
    return key === 'missing' ? undefined : key;
  });
  for (let twice = 0; twice < 2; twice += 1) {
    await cache.get('missing', load('missing'));
    await expect(cache.get('broken', load('broken'))).rejects.toThrow('away');
    await cache.get('kept', load('kept'));
  }
  expect(asked).toEqual(['missing', 'broken', 'kept', 'missing', 'broken']);
  cache.forget('kept');
  await cache.get('kept', load('kept'));
  expect(asked).toHaveLength(6);
});

it('keeps an answer that came while an older look-up of the same key was failing', async () => {
  const cache = new LookupCache<string | undefined>({ clock });
  const late = Promise.withResolvers<string>();
  const failing = cache.get('a', () => late.promise);
  cache.forget('a');
  await cache.get('a', async () => 'new');
  late.reject(new Error('away'));
  await expect(failing).rejects.toThrow('away');
  expect(await cache.get('a', async () => 'newest')).toBe('new');
});

it('is bounded: the least recently used is dropped first', async () => {
  const cache = new LookupCache<string | undefined>({ clock, most: 3 });
  const { asked, load } = counted();
  for (const key of ['a', 'b', 'c', 'a', 'd', 'a', 'b']) await cache.get(key, load(key));
  expect(asked).toEqual(['a', 'b', 'c', 'd', 'b']);
});
