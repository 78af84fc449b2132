import type { LinkProps } from '@tanstack/react-router';
import { useSyncExternalStore } from 'react';

export interface Notice {
  id: string;
  kind: 'low_serials' | 'import' | 'redemption' | 'usage' | 'billing' | 'webhook';
  title: string;
  detail: string;
  /** The link to the screen with more about it. */
  link: LinkProps;
  at: string;
  /** Good news, which needs nothing to be done. */
  good?: true;
}

const KEPT = 30;
const listeners = new Set<() => void>();
let kept: Notice[] = [];

function change(next: Notice[]) {
  kept = next;
  for (const listener of listeners) listener();
}

/** Live notices of this visit, newest first. The server keeps them, but for redemptions, which are among the serials. */
export function useNotifications() {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    () => kept,
  );
}

export function addNotification(notice: Notice) {
  const others = kept.filter(({ id }) => id !== notice.id);
  change([notice, ...others].slice(0, KEPT));
}

let owner: string | undefined;

/** The next person at this browser must not see what happened on another account. */
export function claimNotifications(accountId: string) {
  if (owner === accountId) return;
  owner = accountId;
  change([]);
}
