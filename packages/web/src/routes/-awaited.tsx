import { lazy, Suspense } from 'react';
import { useAwaited } from '#lib/session/session.ts';

const ContinueDialog = lazy(() =>
  import('#features/auth/continue-dialog.tsx').then((module) => ({ default: module.ContinueDialog })),
);

/** Over a page that waits for the person whose session has ended. Each page on which something is typed has it. */
export function Awaited() {
  const awaited = useAwaited();
  return awaited ? (
    <Suspense>
      <ContinueDialog user={awaited} />
    </Suspense>
  ) : null;
}
