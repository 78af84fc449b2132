import { describe, expect, it } from 'vitest';
import { type Trail, type TrailPage, trailPosition, withPage } from './trail.ts';

const page = (at: string, ids: string[], first: number, previous: string | null, next: string | null): TrailPage => ({
  at,
  ids,
  first,
  previous,
  next,
});
const one = page('1', ['a', 'b'], 0, null, '2');
const two = page('2', ['c', 'd'], 2, '1', '3');
const three = page('3', ['e'], 4, '2', null);
const trail = (pages: TrailPage[]): Trail => ({
  list: 'customers',
  query: {},
  total: 5,
  exact: true,
  path: '/',
  search: {},
  pages,
});

describe('the trail of a list', () => {
  it('leads over the border of a page in both directions', () => {
    const pages = withPage(withPage([two], three), one);
    expect(pages.map(({ at }) => at)).toEqual(['1', '2', '3']);
    expect(trailPosition(trail(pages), 'b')).toMatchObject({ position: 2, previous: 'a', next: 'c' });
    expect(trailPosition(trail(pages), 'c')).toMatchObject({ position: 3, previous: 'b', next: 'd' });
    expect(trailPosition(trail(pages), 'a')?.previous).toBeUndefined();
    expect(trailPosition(trail(pages), 'e')?.next).toBeUndefined();
  });

  it('knows nothing about a record that the list does not have', () => {
    expect(trailPosition(trail([one]), 'z')).toBeNull();
  });

  it('begins anew at a page that does not adjoin what is known', () => {
    expect(withPage([one], three)).toEqual([three]);
  });

  it('names nobody twice when rows move to the next page', () => {
    const pages = withPage([one], page('2', ['b', 'c'], 2, '1', null));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(['a', 'b', 'c']);
  });

  it('takes what a list shows again for what is true of that page now', () => {
    const pages = withPage([one, two], page('1', ['new', 'a'], 0, null, '2'));
    expect(pages.flatMap(({ ids }) => ids)).toEqual(['new', 'a', 'c', 'd']);
    expect(withPage([one, two], page('1', ['c', 'a'], 0, null, '2')).flatMap(({ ids }) => ids)).toEqual([
      'c',
      'a',
      'd',
    ]);
  });
});
