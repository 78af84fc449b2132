import { createOperationClient } from '@tonerow/sdk/operations';
import { getToken } from './session/session.ts';

/** The one client of this page; every call to the server goes through it. */
export const api = createOperationClient({ baseUrl: '', token: () => getToken() ?? undefined });

/** The same client where the browser follows redirects, such as to the signed link of a file. */
export const redirectedApi = createOperationClient({
  baseUrl: '',
  token: () => getToken() ?? undefined,
  fetch: (input, init) => fetch(input, { ...init, redirect: 'follow' }),
});
