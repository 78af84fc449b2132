import { useEffect, useRef, useState } from 'react';
import type { Details, Open } from './tabs.ts';

interface Opened {
  id: number;
  open: Open;
  /** The version that was asked for. */
  version: number;
  details: Details;
}

/** The things that were opened one from another; the last one is shown. */
export function useOpened(version: number, signal: AbortSignal, onError: (error: Error) => void) {
  const [stack, setStack] = useState<Opened[]>([]);
  const failed = useRef(onError);
  failed.current = onError;
  const top = stack.at(-1);

  // biome-ignore lint/correctness/useExhaustiveDependencies: only a higher version asks again for what is shown
  useEffect(() => {
    if (!top || top.version === version) return;
    const stop = new AbortController();
    top.open(AbortSignal.any([stop.signal, signal])).then(
      (details) =>
        setStack((before) =>
          before.map((each) => (each.id === top.id && !stop.signal.aborted ? { ...each, version, details } : each)),
        ),
      (error: Error) => {
        if (!stop.signal.aborted) failed.current(error);
      },
    );
    return () => stop.abort();
  }, [version, top?.id, signal]);

  return {
    details: top?.details,
    /** @returns when it is shown. */
    async show(open: Open) {
      const details = await open(signal);
      setStack((before) => [...before, { id: (before.at(-1)?.id ?? 0) + 1, open, version, details }]);
    },
    back: () => setStack((before) => before.slice(0, -1)),
    /** Back to the list. */
    close: () => setStack([]),
  };
}
