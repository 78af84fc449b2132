import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, Navigate } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { formatMoney } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { useLive } from '#lib/live.ts';
import { meQuery } from '#lib/queries/account.ts';
import { LiveRefresh } from '#lib/queries/freshness/live-refresh.ts';
import { storeAccount, useAccount } from '#lib/session/session.ts';
import type { Offer } from '#lib/types.ts';
import { ThemeToggle } from '#ui/buttons/theme-toggle.tsx';
import { cn } from '#ui/cn.ts';
import { Loading } from '#ui/mark.tsx';
import { Failed } from '#ui/states.tsx';
import { useOutbox } from '#widgets/sales/use-outbox.ts';
import { useUnverified, VerifyFirst } from '#widgets/verify-first.tsx';
import { OfferGrid } from './offer-grid.tsx';
import { SaleStep } from './sale-step.tsx';
import { Today, useToday } from './today.tsx';
import { WaitingSales } from './waiting-sales.tsx';

type Tab = 'sell' | 'today';

/** The till: for one hand and a phone at a fair, and for a keyboard at a counter. It has the whole screen. */
export function TillScreen({ tab }: { tab: Tab }) {
  useTitle('Till');
  const account = useAccount();
  const me = useQuery(meQuery);
  useEffect(() => {
    if (me.data) storeAccount(me.data);
  }, [me.data]);
  if (account?.is_reseller) return <Till tab={tab} />;
  if (account) return <Navigate to="/not-authorized" replace />;
  return (
    <main className="grid min-h-dvh content-center">
      {me.isError ? <Failed heading="h1" error={me.error} retry={me.refetch} retrying={me.isFetching} /> : <Loading />}
    </main>
  );
}

function Till({ tab }: { tab: Tab }) {
  const queryClient = useQueryClient();
  const [refresh] = useState(() => new LiveRefresh(queryClient));
  useEffect(() => () => refresh.stop(), [refresh]);
  useLive((event) => refresh.after(event), { wantsAll: true });
  const [chosen, setChosen] = useState<Offer | null>(null);
  const { waiting } = useOutbox();
  const blocked = useUnverified() !== null;
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="sticky top-0 z-10 flex h-14 items-center gap-2 border-b border-line-strong bg-surface px-3">
        <Link
          to="/reseller/dashboard"
          className="grid size-11 place-items-center rounded-md text-text hover:bg-hover"
          aria-label="Leave the till"
          title="Leave the till"
        >
          <ArrowLeft className="size-5" aria-hidden />
        </Link>
        <h1 className="text-md font-semibold">Till</h1>
        <ThemeToggle className="ml-auto size-11 text-text" />
      </header>
      <main className="mx-auto w-full max-w-6xl flex-1 px-4 py-4 max-md:flex max-md:flex-col md:grid md:grid-cols-[minmax(0,1fr)_360px] md:gap-8 md:py-6">
        <div className={cn('flex flex-1 flex-col gap-4', tab === 'today' && !chosen && 'max-md:hidden')}>
          <VerifyFirst />
          {chosen ? (
            <SaleStep offer={chosen} onEnd={() => setChosen(null)} />
          ) : (
            <>
              <WaitingSales waiting={waiting} />
              <OfferGrid onChoose={setChosen} blocked={blocked} />
            </>
          )}
        </div>
        <section aria-label="Sold today" className={cn((tab === 'sell' || chosen) && 'max-md:hidden')}>
          <Today />
        </section>
      </main>
      {chosen ? null : <Tabs tab={tab} />}
    </div>
  );
}

/** Tabs within reach of the thumb. They are hidden on a screen that has room for both parts side by side. */
function Tabs({ tab }: { tab: Tab }) {
  const { totals } = useToday();
  return (
    <nav
      aria-label="Till"
      className="sticky bottom-0 z-10 grid grid-cols-2 border-t border-line-strong bg-surface pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      <TabLink current={tab === 'sell'} search={{}}>
        Sell
      </TabLink>
      <TabLink current={tab === 'today'} search={{ tab: 'today' }}>
        <span className="figures">{totals ? `Today · ${totals.sales} · ${formatMoney(totals.revenue)}` : 'Today'}</span>
      </TabLink>
    </nav>
  );
}

interface TabLinkProps {
  current: boolean;
  search: { tab?: 'today' };
  children: ReactNode;
}

function TabLink({ current, search, children }: TabLinkProps) {
  return (
    <Link
      to="/reseller/till"
      search={search}
      replace
      aria-current={current ? 'page' : undefined}
      className={cn(
        'flex h-14 items-center justify-center border-t-2 px-2 text-md font-semibold',
        current ? 'border-accent text-accent-text' : 'border-transparent text-text',
      )}
    >
      {children}
    </Link>
  );
}
