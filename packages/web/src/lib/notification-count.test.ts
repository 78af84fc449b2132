import { expect, it } from 'vitest';
import { countBadge, countLabel, countWords } from './notification-count.ts';

it.each([
  [0, 0, '', '0', 'Notifications'],
  [1, 0, '1 pending', '1', 'Notifications, 1 pending'],
  [0, 2, '2 unread', '2', 'Notifications, 2 unread'],
  [3, 2, '3 pending, 2 unread', '5', 'Notifications, 5: 3 pending, 2 unread'],
  [1200, 99, '1,200 pending, 99 unread', '1,299', 'Notifications, 1,299: 1,200 pending, 99 unread'],
  [0, 100, '100 or more unread', '100+', 'Notifications, 100+: 100 or more unread'],
])(
  '%i pending and %i unread are in words “%s”, on the bell %s, and it is called %s',
  (pending, unread, words, badge, label) => {
    expect(countWords({ pending, unread })).toBe(words);
    expect(countBadge({ pending, unread })).toBe(badge);
    expect(countLabel({ pending, unread })).toBe(label);
  },
);
