import { useSyncExternalStore } from 'react';

type Overlay = 'palette' | 'keys' | null;

const listeners = new Set<() => void>();
let current: Overlay = null;

/** Opens an overlay: callable from anywhere, rendered in one place. */
export function showOverlay(next: Overlay) {
  current = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function useOverlay(): Overlay {
  return useSyncExternalStore(subscribe, () => current);
}

export const isMac = /Mac|iPhone|iPad/.test(navigator.userAgent);
