import { createRouter, lazyRouteComponent } from '@tanstack/react-router';
import { queryClient, whenSignedOut } from '#lib/query.ts';
import { Loading } from '#ui/mark.tsx';
import { routeTree } from './routeTree.gen.ts';

export const router = createRouter({
  routeTree,
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
  defaultPendingMs: 150,
  defaultPendingComponent: () => <Loading />,
  // the root draws the menus around what is not there, wherever it is not
  notFoundMode: 'root',
  defaultErrorComponent: lazyRouteComponent(() => import('#features/public/broken.tsx'), 'Broken'),
});

whenSignedOut(() => {
  const { pathname, href } = router.state.location;
  if (pathname === '/login') return;
  router.navigate({ to: '/login', search: { reason: 'expired', redirect: href }, ignoreBlocker: true });
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
