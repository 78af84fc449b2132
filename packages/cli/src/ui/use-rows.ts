import { useEffect, useRef, useState } from 'react';
import type { Row, Tab } from './tabs.ts';

interface Question {
  tab: Tab | undefined;
  search: string;
  /** A higher one asks again for the same, and what is shown stays until the answer. */
  version: number;
  signal: AbortSignal;
  onError: (error: Error) => void;
}

/** The rows of a tab, and which of them is selected: the same one after a list is asked for again. */
export function useRows({ tab, search, version, signal, onError }: Question) {
  const [rows, setRows] = useState<Row[] | null>(null);
  const [at, setAt] = useState(0);
  const asked = useRef('');
  const failed = useRef(onError);
  failed.current = onError;
  const selected = useRef<string>(undefined);
  selected.current = rows?.[at]?.id;

  // biome-ignore lint/correctness/useExhaustiveDependencies: a higher version asks again for the same
  useEffect(() => {
    if (!tab) return;
    const stop = new AbortController();
    const what = `${tab.name} ${search}`;
    if (asked.current !== what) {
      setRows(null);
      setAt(0);
    }
    asked.current = what;
    tab.load(search, AbortSignal.any([stop.signal, signal])).then(
      (found) => {
        if (stop.signal.aborted) return;
        const same = found.findIndex(({ id }) => id === selected.current);
        setRows(found);
        setAt((before) => (same >= 0 ? same : Math.max(0, Math.min(before, found.length - 1))));
      },
      (error: Error) => {
        if (stop.signal.aborted) return;
        setRows((before) => before ?? []);
        failed.current(error);
      },
    );
    return () => stop.abort();
  }, [tab, search, version, signal]);

  return { rows, at, setAt };
}
