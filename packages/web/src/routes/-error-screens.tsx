import type { ReactNode } from 'react';
import { PaletteHost } from '#features/palette/palette-host.tsx';
import { NotAuthorized } from '#features/public/not-authorized.tsx';
import { NotFound } from '#features/public/not-found.tsx';
import { Shell } from '#features/shell/shell.tsx';
import { getToken } from '#lib/session/session.ts';

/** Shows the menus of the account when somebody is signed in, and the content alone otherwise. */
function Around({ children }: { children: ReactNode }) {
  if (!getToken()) return <main>{children}</main>;
  return (
    <>
      <Shell>{children}</Shell>
      <PaletteHost />
    </>
  );
}

export function NotFoundScreen() {
  return (
    <Around>
      <NotFound />
    </Around>
  );
}

export function DeniedScreen() {
  return (
    <Around>
      <NotAuthorized />
    </Around>
  );
}
