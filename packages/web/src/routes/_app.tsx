import { createFileRoute } from '@tanstack/react-router';
import { PaletteHost } from '#features/palette/palette-host.tsx';
import { Shell } from '#features/shell/shell.tsx';
import { requireSession } from '#lib/session/guards.ts';
import { Awaited } from './-awaited.tsx';

export const Route = createFileRoute('/_app')({ beforeLoad: requireSession, component: App });

function App() {
  return (
    <>
      <Shell />
      <PaletteHost />
      <Awaited />
    </>
  );
}
