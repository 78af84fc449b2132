import { useRouter } from '@tanstack/react-router';
import { useEffect } from 'react';

/** The path that this document was loaded from: its content policy is the one of that path, wherever it has gone since. */
function loadedFrom(): string | null {
  const name = performance.getEntriesByType('navigation')[0]?.name;
  return name && URL.canParse(name) ? new URL(name).pathname : null;
}

/**
 * Before a screen whose document has a content policy of its own: loads that document, unless this one is it. A promise
 * that never ends keeps the old screen until the browser leaves.
 */
export function ownDocument(path: string, href: string): Promise<never> | undefined {
  const from = loadedFrom();
  if (from === null || from === path) return undefined;
  window.location.assign(href);
  return new Promise(() => {});
}

/** Leaves such a screen with its document, so that its policy ends with it. */
export function useOwnDocument() {
  const router = useRouter();
  useEffect(
    () =>
      router.subscribe('onBeforeNavigate', ({ pathChanged }) => {
        if (!pathChanged) return;
        // the address is written a moment later, and would be a second entry in the browser's history
        router.history.flush();
        window.location.reload();
      }),
    [router],
  );
}
