import { formatCount } from './format/format.ts';
import type { NoticeCount } from './types.ts';

/** The server counts no further. */
const MOST_UNREAD = 100;

/** Both numbers in words, as the terminal prints them too; empty when there is nothing. */
export function countWords({ pending, unread }: NoticeCount): string {
  const words = [
    pending > 0 && `${formatCount(pending)} pending`,
    unread > 0 && (unread < MOST_UNREAD ? `${unread} unread` : `${MOST_UNREAD} or more unread`),
  ];
  return words.filter(Boolean).join(', ');
}

/** The one number on the bell. */
export function countBadge({ pending, unread }: NoticeCount): string {
  return `${formatCount(pending + unread)}${unread < MOST_UNREAD ? '' : '+'}`;
}

/** The accessible name of the bell: the number shown on it, unless the words begin with it, and the words. */
export function countLabel(count: NoticeCount): string {
  const [words, badge] = [countWords(count), countBadge(count)];
  if (words === '') return 'Notifications';
  return words.startsWith(`${badge} `) ? `Notifications, ${words}` : `Notifications, ${badge}: ${words}`;
}
