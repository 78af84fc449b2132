import { createFileRoute } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { PaletteHost } from '../features/palette/palette-host.tsx';
import { Shell } from '../features/shell/shell.tsx';
import { requireSession } from '../lib/guards.ts';
import { useAwaited } from '../lib/session.ts';

export const Route = createFileRoute('/_app')({ beforeLoad: requireSession, component: App });

const ContinueDialog = lazy(() =>
  import('../features/auth/continue-dialog.tsx').then((module) => ({ default: module.ContinueDialog })),
);

function App() {
  const awaited = useAwaited();
  return (
    <>
      <Shell />
      <PaletteHost />
      {awaited ? (
        <Suspense>
          <ContinueDialog user={awaited} />
        </Suspense>
      ) : null}
    </>
  );
}
