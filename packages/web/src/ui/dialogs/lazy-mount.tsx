import { type ReactNode, Suspense, useState } from 'react';

/** Mounts its children when first needed and keeps them, so that dialogs load on demand and can still animate out. */
export function Later({ when, children }: { when: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(when);
  if (when && !wanted) setWanted(true);
  return wanted ? <Suspense>{children}</Suspense> : null;
}
