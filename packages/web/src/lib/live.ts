import { type LiveEvent, watchEvents } from '@tonerow/sdk';
import { useEffect, useRef } from 'react';
import { api } from './api.ts';

type Listener = (event: LiveEvent) => void;

const listeners = new Set<Listener>();
let running: AbortController | null = null;
/** Since when nothing was heard, by `performance.now()`: whatever is shown was fetched after the page was opened. */
let unheardSince = 0;

/** One stream for the whole page, as long as somebody listens. */
function subscribe(listener: Listener): () => void {
  listeners.add(listener);
  running ??= start();
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    running?.abort();
    running = null;
    unheardSince = performance.now();
  };
}

function start(): AbortController {
  const controller = new AbortController();
  const run = async () => {
    for await (const event of watchEvents(api, { signal: controller.signal, fetchedAt: unheardSince })) {
      for (const listener of listeners) listener(event);
    }
  };
  run().catch(() => {
    // the credential was refused: the next ordinary call shows the error
    if (running === controller) running = null;
  });
  return controller;
}

/** Calls back for everything that happens on the account while the component is shown. */
export function useLive(onEvent: Listener, enabled = true): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(() => (enabled ? subscribe((event) => latest.current(event)) : undefined), [enabled]);
}
