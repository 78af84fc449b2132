import { useEffect, useRef } from 'react';

/** Actions that a screen carries out itself, and that the palette leads to. */
export type Asked = 'import' | 'export' | 'create key' | 'create token';

/** So long a screen may take to load; after that nobody waits for it any more. */
const PATIENCE_MS = 5000;

let asked: { what: Asked; at: number } | null = null;
const listeners = new Set<() => void>();

/** Asks the screen that is shown, or the one that is about to be. */
export function ask(what: Asked) {
  asked = { what, at: Date.now() };
  for (const listener of [...listeners]) listener();
}

/** Does what was asked, once. */
export function useAsked(what: Asked, act: () => void) {
  const latest = useRef(act);
  latest.current = act;
  useEffect(() => {
    const take = () => {
      if (asked?.what !== what) return;
      const late = Date.now() - asked.at > PATIENCE_MS;
      asked = null;
      if (!late) latest.current();
    };
    take();
    listeners.add(take);
    return () => {
      listeners.delete(take);
    };
  }, [what]);
}
