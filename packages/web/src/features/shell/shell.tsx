import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { rememberPlace } from '../../lib/hub-tab.ts';
import { meQuery } from '../../lib/queries/account.ts';
import { storeUser, useUser } from '../../lib/session.ts';
import { Sheet } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/mark.tsx';
import { Header } from './header.tsx';
import { SideMenu } from './side-menu.tsx';
import { useLiveNotices } from './use-live-notices.ts';
import { VerifyBanner } from './verify-banner.tsx';
import { ZoneBanner } from './zone-banner.tsx';

const Failed = lazy(() => import('../../ui/states.tsx').then((module) => ({ default: module.Failed })));

export function Shell() {
  const user = useUser();
  const me = useQuery(meQuery);
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname, search, state } = useLocation();
  const view = 'tab' in search && typeof search.tab === 'string' ? search.tab : undefined;

  useLiveNotices(user?.id, user !== null);
  useEffect(() => {
    if (me.data) storeUser(me.data);
  }, [me.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes with every step, also to where one is already
  useEffect(() => setMenuOpen(false), [pathname, state.__TSR_key]);
  useEffect(() => rememberPlace(user, pathname, view), [user, pathname, view]);
  useEffect(() => {
    // Dialogs come apart from the screens; fetched in a quiet moment they still open at once.
    let stop: (() => void) | undefined;
    let gone = false;
    const quiet = setTimeout(async () => {
      import('../../ui/confirm-dialog.tsx');
      import('../../ui/dialog-parts.tsx');
      const { watchVersion } = await import('./new-version.ts');
      if (!gone) stop = watchVersion();
    }, 2000);
    return () => {
      gone = true;
      clearTimeout(quiet);
      stop?.();
    };
  }, []);

  if (!user) {
    return (
      <main className="grid min-h-dvh content-center">
        <Suspense fallback={<Loading />}>
          {me.isError ? (
            <Failed heading="h1" error={me.error} retry={me.refetch} retrying={me.isFetching} />
          ) : (
            <Loading />
          )}
        </Suspense>
      </main>
    );
  }
  const reseller = user.is_reseller;
  return (
    <div className="shell min-h-dvh md:grid md:grid-cols-[224px_minmax(0,1fr)] print:block">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2 focus:shadow-overlay"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r border-line md:flex print:hidden">
        <SideMenu reseller={reseller} pathname={pathname} label="Main" />
      </aside>
      <Sheet open={menuOpen} onOpenChange={setMenuOpen} title="Menu">
        <SideMenu reseller={reseller} pathname={pathname} label="Main, on a phone" />
      </Sheet>
      <div className="flex min-w-0 flex-col">
        <Header user={user} onMenu={() => setMenuOpen(true)} />
        {user.email_verified === false ? <VerifyBanner user={user} /> : <ZoneBanner key={user.id} user={user} />}
        {/* its padding, not its own width, depends on the screen: it stays in its place while one is being loaded */}
        <main
          id="content"
          tabIndex={-1}
          className="flex-1 px-[max(var(--margin),(100%-var(--room))/2)] py-7 outline-none [--margin:--spacing(4)] [--room:1056px] has-data-wide:[--room:1656px] md:py-10 md:[--margin:--spacing(8)]"
        >
          <Outlet />
        </main>
      </div>
    </div>
  );
}
