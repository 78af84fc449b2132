import type { ProductUnlock } from '#lib/types.ts';
import type { BadgeTone } from '#ui/badge.tsx';

type Standing = 'none' | 'made' | 'away' | 'owners' | 'everyone';

export function standingOf(unlock: ProductUnlock | null): Standing {
  if (!unlock) return 'none';
  return unlock.audience ?? (unlock.downloaded_at ? 'away' : 'made');
}

/** Describes the state of an unlock for good, and what comes next. */
export const standingWords: Record<Standing, { badge: string; tone: BadgeTone; text: string }> = {
  none: {
    badge: 'None',
    tone: 'plain',
    text: 'A license file for every computer, without a server and without an end, for the day when you give the plugin up. Made today and put away, somebody you trust can publish it if you cannot.',
  },
  made: {
    badge: 'Not put away',
    tone: 'warn',
    text: 'Nobody has it, and only you can fetch it. Download its file and keep it where only people you trust can reach it.',
  },
  away: {
    badge: 'Put away',
    tone: 'accent',
    text: 'Its file was downloaded. Whoever has that file has the product, even if you withdraw the unlock here.',
  },
  owners: {
    badge: 'Published for owners',
    tone: 'good',
    text: 'Whoever owns the product finds it on your redemption page. It cannot be called back.',
  },
  everyone: {
    badge: 'Published for everyone',
    tone: 'good',
    text: 'Everybody who opens your redemption page finds it. It cannot be called back.',
  },
};
