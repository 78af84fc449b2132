import { useQuery } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { rememberPlace } from '#lib/navigation/hub-tab.ts';
import { meQuery } from '#lib/queries/account.ts';
import { storeAccount, useAccount } from '#lib/session/session.ts';
import { cn } from '#ui/cn.ts';
import { Sheet } from '#ui/dialogs/dialog.tsx';
import { Wordmark } from '#ui/mark.tsx';
import { Failed } from '#ui/states.tsx';
import { Header } from './header.tsx';
import { watchVersion } from './new-version.ts';
import { SideMenu } from './side-menu.tsx';
import { VerifyBanner } from './verify-banner.tsx';
import { ZoneBanner } from './zone-banner.tsx';

const LiveNotifications = lazy(() =>
  import('./bell/live-notifications.ts').then((module) => ({ default: module.LiveNotifications })),
);

const skipClass =
  'sr-only focus:not-sr-only focus:fixed focus:top-3 focus:left-3 focus:z-50 focus:rounded-md focus:bg-raised focus:px-4 focus:py-2 focus:shadow-overlay';

/** Over search and filters to the first table of the screen: the first row of it, or the table itself. */
function toTable() {
  const table = [...document.querySelectorAll<HTMLElement>('#content [data-table]')].find(
    (each) => each.offsetParent !== null,
  );
  const row = [...(table?.querySelectorAll<HTMLElement>('[data-row-link]') ?? [])].find(
    (link) => link.offsetParent !== null,
  );
  const target = row ?? table;
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
}

/** The frame around every screen of an account. @param children shown instead of the screen of the address */
export function Shell({ children }: { children?: ReactNode }) {
  const account = useAccount();
  const me = useQuery(meQuery);
  const [menuOpen, setMenuOpen] = useState(false);
  const { pathname, search, state } = useLocation();
  const view = 'tab' in search && typeof search.tab === 'string' ? search.tab : undefined;

  useEffect(() => {
    if (me.data) storeAccount(me.data);
  }, [me.data]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes with every step, also to where one is already
  useEffect(() => setMenuOpen(false), [pathname, state.__TSR_key]);
  useEffect(() => rememberPlace(account, pathname, view), [account, pathname, view]);
  useEffect(() => {
    // Dialogs come apart from the screens; fetched in a quiet moment they still open at once.
    let stop: (() => void) | undefined;
    let unmounted = false;
    const quiet = setTimeout(() => {
      import('#ui/dialogs/confirm-dialog.tsx');
      import('#ui/dialogs/dialog-parts.tsx');
      if (!unmounted) stop = watchVersion();
    }, 2000);
    return () => {
      unmounted = true;
      clearTimeout(quiet);
      stop?.();
    };
  }, []);

  if (!account) {
    return me.isError ? (
      <main className="grid min-h-dvh content-center">
        <Failed heading="h1" error={me.error} retry={me.refetch} retrying={me.isFetching} />
      </main>
    ) : (
      <Frame />
    );
  }
  const reseller = account.is_reseller;
  return (
    <div className="shell min-h-dvh md:grid md:grid-cols-[224px_minmax(0,1fr)] print:block">
      <Suspense fallback={null}>
        <LiveNotifications accountId={account.id} />
      </Suspense>
      <a href="#content" className={skipClass}>
        Skip to content
      </a>
      <button type="button" onClick={toTable} className={cn(skipClass, 'skip-to-table')}>
        Skip to the table
      </button>
      <aside className="sticky top-0 hidden h-dvh flex-col overflow-y-auto border-r border-line md:flex print:hidden">
        <SideMenu reseller={reseller} pathname={pathname} label="Main" />
      </aside>
      <Sheet open={menuOpen} onOpenChange={setMenuOpen} title="Menu">
        <SideMenu reseller={reseller} pathname={pathname} label="Main, on a phone" />
      </Sheet>
      <div className="flex min-w-0 flex-col">
        <Header user={account} onMenu={() => setMenuOpen(true)} />
        {account.email_verified === false ? (
          <VerifyBanner user={account} />
        ) : (
          <ZoneBanner key={account.id} user={account} />
        )}
        {/* its padding, not its own width, depends on the screen: it stays in its place while one is being loaded */}
        <main
          id="content"
          tabIndex={-1}
          className="flex-1 px-[max(var(--margin),(100%-var(--room))/2)] py-7 outline-none [--margin:--spacing(4)] [--room:1240px] md:py-10 md:[--margin:--spacing(8)]"
        >
          {children ?? <Outlet />}
        </main>
      </div>
    </div>
  );
}

/** The same without what only the account decides. */
function Frame() {
  return (
    <div className="shell min-h-dvh md:grid md:grid-cols-[224px_minmax(0,1fr)]" role="status">
      <span className="sr-only">Loading</span>
      <div className="hidden h-dvh flex-col border-r border-line md:flex">
        <span className="flex h-14 items-center px-5">
          <Wordmark />
        </span>
        <span className="flex flex-col gap-5.5 px-5.5 py-6">
          {['w-24', 'w-20', 'w-24', 'w-18', 'w-22', 'w-16'].map((width, line) => (
            <span key={line} className={cn('skeleton h-4', width)} />
          ))}
        </span>
      </div>
      <div>
        <div className="flex h-14 items-center border-b border-line px-4 md:px-8">
          <span className="skeleton h-4 w-20" />
        </div>
        <div className="px-4 py-7 md:px-8 md:py-10">
          <span className="skeleton block h-7 w-48" />
        </div>
      </div>
    </div>
  );
}
