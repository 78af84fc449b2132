import { MutationCache, type Query, QueryCache, QueryClient } from '@tanstack/react-query';
import type { TonerowError } from '@tonerow/sdk';
import { refreshAll } from './queries/freshness/refresh-all.ts';
import { clearSession, EXPIRED, expireSession, getAwaited, getToken, hasExpired, takeBack } from './session/session.ts';
import { hasTyped } from './unsaved-typing.ts';

let onSignedOut: () => void = () => {};

/** The router registers where to go when the server no longer accepts this session. */
export function whenSignedOut(go: () => void) {
  onSignedOut = go;
}

/** Only a 401 about the session signs out, not one for a wrong password in a form. */
export function endSessionOn401(error: unknown) {
  // Checked by shape: this file is in the first download and the SDK is not.
  const { status, code } = error as Partial<TonerowError>;
  if (status !== 401 || !getToken()) return;
  if (code?.includes('password') || code?.includes('credentials') || code?.includes('two_factor')) return;
  expire();
}

/** If something was typed, the page stays until the same person has signed in again. */
function expire() {
  if (!expireSession({ wait: hasTyped() })) signOut();
}

function signOut() {
  queryClient.clear();
  onSignedOut();
}

/** A page that waits keeps what it shows: its forms are within what a failed refresh would replace. */
function keepShown(query: Query<unknown, unknown>) {
  if (getAwaited() && query.state.data !== undefined) query.setState({ status: 'success', error: null });
}

/** The person that the page waited for is back. The data shown is as old as the end of the session. */
export function resume() {
  refreshAll(queryClient);
}

// Signing out in one tab signs out the others: the next person might see what they show. A null key means that all storage was cleared.
window.addEventListener('storage', ({ key }) => {
  if (key !== 'token' && key !== EXPIRED && key !== null) return;
  if (getToken()) return backElsewhere();
  if (hasExpired()) return getAwaited() ? undefined : expire();
  clearSession();
  signOut();
});

function backElsewhere() {
  if (!getAwaited()) return;
  if (takeBack()) resume();
  // somebody else, whose page this is not
  else location.assign('/');
}

export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      endSessionOn401(error);
      keepShown(query);
    },
  }),
  mutationCache: new MutationCache({ onError: endSessionOn401 }),
  // The SDK already retries.
  defaultOptions: { queries: { retry: false, staleTime: 15_000 }, mutations: { retry: false } },
});
