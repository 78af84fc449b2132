import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import type { TonerowError } from '@tonerow/sdk';
import { clearSession, getToken } from './session.ts';

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
  signOutHere();
}

function signOutHere() {
  clearSession();
  queryClient.clear();
  onSignedOut();
}

// Signing out in one tab signs out the others: the next person might see what they show. A null key means that all storage was cleared.
window.addEventListener('storage', ({ key }) => {
  if ((key === 'token' || key === null) && !getToken()) signOutHere();
});

export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: endSessionOn401 }),
  mutationCache: new MutationCache({ onError: endSessionOn401 }),
  // The SDK already retries.
  defaultOptions: { queries: { retry: false, staleTime: 15_000 }, mutations: { retry: false } },
});
