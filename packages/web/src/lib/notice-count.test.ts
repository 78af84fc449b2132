import { expect, it } from 'vitest';
import { countBadge, countWords } from './notice-count.ts';

it.each([
  [0, 0, '', '0'],
  [1, 0, '1 pending', '1'],
  [0, 2, '2 unread', '2'],
  [3, 2, '3 pending, 2 unread', '5'],
  [1200, 99, '1,200 pending, 99 unread', '99+'],
  [0, 100, '100 or more unread', '99+'],
])('%i pending and %i unread are in words “%s”, on the bell %s', (pending, unread, words, badge) => {
  expect(countWords({ pending, unread })).toBe(words);
  expect(countBadge({ pending, unread })).toBe(badge);
});
