import { type ReactNode, Suspense, useRef, useState } from 'react';

/** Mounts its children when first needed and keeps them, so that dialogs load on demand and can still animate out. */
export function Later({ when, children }: { when: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(when);
  if (when && !wanted) setWanted(true);
  return wanted ? <Suspense>{children}</Suspense> : null;
}

/**
 * Keeps the props that a dialog had while it was open, so that it shows them as it closes although its page has gone
 * on.
 */
export function useLastOpen<Props extends { open: boolean }>(props: Props): Props {
  const last = useRef(props);
  if (props.open) last.current = props;
  return last.current;
}
