import { type LiveEvent, watchEvents } from '@tonerow/sdk';
import type { OperationClient } from '@tonerow/sdk/operations';
import { useEffect, useRef, useState } from 'react';
import { isProgress, lineOf } from '#output/live-line.ts';

const KEPT_LINES = 200;

interface LiveLine {
  id: number;
  text: string;
}

/**
 * The account's events while the client is open.
 * @param onEvent called for each of them, and for the `resync` after a gap.
 * @returns the newest lines, and why no events arrive now; null: they do.
 */
export function useLive(api: OperationClient, signal: AbortSignal, onEvent: (event: LiveEvent) => void) {
  const [lines, setLines] = useState<LiveLine[]>([]);
  const [lost, setLost] = useState<string | null>(null);
  const listener = useRef(onEvent);
  listener.current = onEvent;

  useEffect(() => {
    const stop = new AbortController();
    const onState = (state: 'open' | 'waiting') =>
      setLost(state === 'open' ? null : 'Connection lost, trying again. What you see may be old.');
    const fetchedAt = performance.now();
    const watch = async () => {
      const ended = AbortSignal.any([stop.signal, signal]);
      for await (const event of watchEvents(api, { signal: ended, onState, fetchedAt })) {
        listener.current(event);
        if (event.type === 'resync' || isProgress(event)) continue;
        setLines((before) => [{ id: (before[0]?.id ?? 0) + 1, text: lineOf(event) }, ...before].slice(0, KEPT_LINES));
      }
    };
    watch().catch((error: Error) => setLost(`No live events: ${error.message}`));
    return () => stop.abort();
  }, [api, signal]);

  return { lines, lost };
}
