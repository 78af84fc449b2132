import { type ParsedLocation, redirect } from '@tanstack/react-router';
import { type SearchOf, text } from '../navigation/search-params.ts';
import { getAccount, getToken, homeOf } from './session.ts';

export function requireSession({ location }: { location: ParsedLocation }) {
  if (!getToken())
    throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { redirect: location.href } });
}

/** Screens of the other role explain themselves instead of failing call by call. The server decides either way. */
export function requireDeveloper() {
  if (getAccount()?.is_reseller) throw redirect({ to: '/not-authorized' });
}

export function requireReseller() {
  if (getAccount()?.is_reseller === false) throw redirect({ to: '/not-authorized' });
}

export function requireSignedOut() {
  if (getToken()) throw redirect({ to: homeOf(getAccount()) });
}

/** Only our own paths: a link in an email must not send a fresh session elsewhere. */
export function safeRedirect(value: unknown): string | undefined {
  return typeof value === 'string' && /^\/(?![/\\])/.test(value) ? value : undefined;
}

/** Parameters that the page of an invitation passes on: the invited address, and where to return to. */
export const invitedSearch = { email: text, redirect: safeRedirect };
export type InvitedSearch = SearchOf<typeof invitedSearch>;
