import { createClient } from '@tonerow/sdk';
import { getToken } from './session.ts';

/** The one client of this page; every call to the server goes through it. */
export const api = createClient({ baseUrl: '', token: () => getToken() ?? undefined });
