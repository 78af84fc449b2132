import type { QueryClient } from '@tanstack/react-query';
import { createRootRouteWithContext, lazyRouteComponent, Outlet } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';

// Nothing shows a toast at first, so they may load after the screen.
const Toaster = lazy(() => import('#ui/toaster.tsx').then((module) => ({ default: module.Toaster })));

export const Route = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: lazyRouteComponent(() => import('./-error-screens.tsx'), 'NotFoundScreen'),
});

function Root() {
  return (
    <>
      <Outlet />
      <Suspense>
        <Toaster />
      </Suspense>
    </>
  );
}
