import { useEffect, useRef, useState } from 'react';

/** The steps of the page as entries of the browser's history, so that Back goes one step back. */
export function useSteps<Step>(first: Step) {
  const [current, setCurrent] = useState({ id: 0, step: first });
  const known = useRef(new Map([[0, first]]));

  useEffect(() => {
    // ignore an entry from an earlier page load
    window.history.replaceState({ step: 0 }, '');
    const follow = (event: PopStateEvent) => {
      const id = (event.state as { step?: number } | null)?.step ?? 0;
      setCurrent({ id, step: known.current.get(id) ?? (known.current.get(0) as Step) });
    };
    window.addEventListener('popstate', follow);
    return () => window.removeEventListener('popstate', follow);
  }, []);

  const ids = useRef(0);
  const go = (step: Step, how: 'push' | 'replace' = 'push') => {
    ids.current += 1;
    const id = ids.current;
    known.current.set(id, step);
    window.history[`${how}State`]({ step: id }, '');
    setCurrent({ id, step });
  };
  /** Starts over; there is no way back to the earlier steps. */
  const restart = (step: Step) => {
    known.current = new Map([[0, step]]);
    go(step, 'replace');
  };
  return { ...current, go, restart };
}
