import { type ReactNode, Suspense, useState } from 'react';

/** Mounts its children from the first time they are wanted, and keeps them: dialogs load when they open and can still leave gently. */
export function Later({ when, children }: { when: boolean; children: ReactNode }) {
  const [wanted, setWanted] = useState(when);
  if (when && !wanted) setWanted(true);
  return wanted ? <Suspense>{children}</Suspense> : null;
}
