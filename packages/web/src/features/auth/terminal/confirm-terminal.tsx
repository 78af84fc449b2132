import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { isStatus } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { q } from '#lib/queries/operation.ts';
import { homeOf, useAccount } from '#lib/session/session.ts';
import { useLogout } from '#lib/session/use-logout.ts';
import type { TerminalSignIn } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed, FormError, Notice } from '#ui/states.tsx';
import { AuthLayout } from '../auth-layout.tsx';
import { TerminalCard, TerminalCardSkeleton } from './terminal-card.tsx';
import { terminalCode } from './terminal-code.ts';

// most come by a link that has the code, and need no form
const EnterCode = lazy(() => import('./enter-code.tsx').then((module) => ({ default: module.EnterCode })));

const TITLE = 'Sign in a terminal';
const GONE = 'No terminal is waiting with this code. It may have expired: run “tonerow login” there again.';

interface ConfirmTerminalProps {
  /** The code in the address that the terminal printed. */
  code: string | undefined;
  /** Puts a code into the address, or none. */
  onCode: (code: string | null) => void;
}

/** The page on which the owner of an account confirms the code that a terminal shows. */
export function ConfirmTerminal({ code: given, onCode }: ConfirmTerminalProps) {
  useTitle(TITLE);
  const code = given === undefined ? null : terminalCode(given);
  if (code === null) {
    return (
      <AuthLayout title={TITLE} lead="Enter the code that the terminal shows.">
        <Suspense fallback={<div className="skeleton h-28" role="status" aria-label="Loading" />}>
          <EnterCode given={given} onCode={onCode} />
        </Suspense>
        <AccountLine />
      </AuthLayout>
    );
  }
  return <Compared key={code} code={code} onCode={onCode} />;
}

/** Describes the terminal, and asks for the answer. */
function Compared({ code, onCode }: { code: string; onCode: (code: string | null) => void }) {
  const queryClient = useQueryClient();
  const found = useQuery({
    ...q('findDeviceSignIn', { body: { user_code: code } }),
    // a look in vain counts as a guess: only the person repeats it
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
  const answer = useMutation({
    mutationFn: async (verdict: 'approved' | 'denied') => {
      const body = { user_code: code };
      await (verdict === 'approved' ? api.approveDeviceSignIn({ body }) : api.denyDeviceSignIn({ body }));
      return verdict;
    },
    onSuccess: () => refreshAfter(queryClient, 'terminalAnswered'),
  });
  const terminal = found.data;
  const expired = useIsOver(terminal?.expires_in);
  const state = answer.data ?? terminal?.state;

  if (state === 'approved' || state === 'denied') return <Answered state={state} />;
  if (expired || isStatus(found.error, 404) || isStatus(answer.error, 404)) {
    return (
      <AuthLayout title={TITLE}>
        <div className="flex flex-col gap-5">
          <Notice>{GONE}</Notice>
          <Button onClick={() => onCode(null)}>Enter another code</Button>
        </div>
        <AccountLine />
      </AuthLayout>
    );
  }
  if (found.isError) {
    return (
      <AuthLayout wide title={TITLE}>
        <Panel>
          <Failed
            title="The terminal couldn't be looked up"
            error={found.error}
            retry={found.refetch}
            retrying={found.isFetching}
          />
        </Panel>
        <AccountLine />
      </AuthLayout>
    );
  }
  return (
    <AuthLayout
      wide
      title={TITLE}
      lead="Continue only if you ran “tonerow login” yourself, just now, and the terminal shows this code."
    >
      <div className="flex flex-col gap-5">
        <FormError error={answer.error} />
        {terminal ? <TerminalCard terminal={terminal} /> : <TerminalCardSkeleton code={code} />}
        {terminal && !terminal.same_network ? (
          <Notice tone="warn">
            The terminal is not in the network of this browser. If somebody sent you the link or the code, deny it: they
            would get into your account.
          </Notice>
        ) : null}
        <div className="grid grid-cols-1 gap-2 sm:grid-cols-2">
          <Button
            variant="primary"
            className="h-10"
            busy={answer.isPending && answer.variables === 'approved'}
            disabled={!terminal || answer.isPending}
            onClick={() => answer.mutate('approved')}
          >
            The codes match: sign in
          </Button>
          <Button
            className="h-10"
            busy={answer.isPending && answer.variables === 'denied'}
            disabled={!terminal || answer.isPending}
            onClick={() => answer.mutate('denied')}
          >
            Deny
          </Button>
        </div>
      </div>
      <AccountLine />
    </AuthLayout>
  );
}

function Answered({ state }: { state: Exclude<TerminalSignIn['state'], 'pending'> }) {
  const home = homeOf(useAccount());
  const approved = state === 'approved';
  return (
    <AuthLayout title={approved ? 'The terminal may sign in' : 'You denied the sign-in'}>
      <div className="flex flex-col gap-5">
        <Notice tone={approved ? 'good' : 'plain'}>
          {approved
            ? 'Go back to the terminal: it signs in within a few seconds. It is then among the sessions in your settings, where you can end it.'
            : 'The terminal gets no access to your account. If you did not start it, somebody else did, and learned nothing.'}
        </Notice>
        <LinkButton to={home}>Go to the dashboard</LinkButton>
      </div>
    </AuthLayout>
  );
}

/** Whose account it is about, and the way to another one. */
function AccountLine() {
  const account = useAccount();
  const logout = useLogout();
  const navigate = useNavigate();
  const change = async () => {
    const here = `${location.pathname}${location.search}`;
    await logout();
    await navigate({ to: '/login', search: { redirect: here } });
  };
  return account ? (
    <p className="mt-6 flex flex-wrap items-baseline gap-x-2 text-sm text-muted">
      <span className="wrap-anywhere">Signed in as {account.email}.</span>
      <button type="button" onClick={change} className="rounded-sm text-accent-text hover:underline">
        Use another account
      </button>
    </p>
  ) : null;
}

/** Whether so many seconds are over: they end while somebody looks, also where this computer’s clock is wrong. */
function useIsOver(seconds: number | undefined): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    if (seconds === undefined) return;
    const timer = setTimeout(() => setOver(true), Math.max(0, seconds * 1000));
    return () => clearTimeout(timer);
  }, [seconds]);
  return over;
}
