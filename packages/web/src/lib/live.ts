import { watchEvents } from '@tonerow/sdk';
import { useEffect, useRef } from 'react';
import { api } from './api.ts';
import { type Listener, LiveStream } from './live-stream.ts';

const stream = new LiveStream((options) => watchEvents(api, options));

interface Listening {
  enabled?: boolean;
  /** Misses nothing that came before it was loaded: it begins with a `resync` then. */
  wantsAll?: boolean;
}

/** Calls back for everything that happens on the account while the component is shown. */
export function useLive(onEvent: Listener, { enabled = true, wantsAll = false }: Listening = {}): void {
  const latest = useRef(onEvent);
  latest.current = onEvent;
  useEffect(
    () => (enabled ? stream.subscribe((event) => latest.current(event), { wantsAll }) : undefined),
    [enabled, wantsAll],
  );
}
