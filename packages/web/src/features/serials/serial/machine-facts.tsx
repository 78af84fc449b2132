import type { ReactNode } from 'react';
import type { SerialDetail } from '#lib/types.ts';
import { TimeAgo } from '#ui/time-ago.tsx';

export type Machine = SerialDetail['machines'][number];

/** How long ago, or a dash. */
export const when = (iso: string | null) => (iso ? <TimeAgo iso={iso} className="text-sm text-muted" /> : '–');

/** The facts of a machine in words, for a phone. Missing facts are left out. */
export function factsOf({ os, created_at, last_seen_at, released_at }: Machine): [name: string, value: ReactNode][] {
  const all: [string, ReactNode][] = [
    ['System', os],
    ['Activated', created_at && when(created_at)],
    ['Last seen', last_seen_at && when(last_seen_at)],
    ['Released', released_at && when(released_at)],
  ];
  return all.filter(([, value]) => Boolean(value));
}
