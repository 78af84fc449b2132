import { useSyncExternalStore } from 'react';
import { setOwnZone } from '../time/own-zone.ts';
import type { Account } from '../types.ts';

export const EXPIRED = 'session_expired';
const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedAccount: Account | null = null;
/** Whose session ended while something was typed: this page waits for them, and no other page knows them. */
let waitingFor: Account | null = null;
/** Known here, also once another tab has removed it from what all share. */
let latest: Account | null = null;

function changed() {
  getAccount();
  for (const listener of listeners) listener();
}

/** The bearer token of this browser, or null when nobody is signed in. */
export function getToken(): string | null {
  return localStorage.getItem('token');
}

/** The signed-in user as last reported by the server; the same object until it changes. */
export function getAccount(): Account | null {
  if (waitingFor) return waitingFor;
  const text = localStorage.getItem('user');
  if (text === cachedText) return cachedAccount;
  cachedText = text;
  try {
    cachedAccount = text ? (JSON.parse(text) as Account) : null;
  } catch {
    cachedAccount = null;
  }
  latest = cachedAccount ?? latest;
  setOwnZone(cachedAccount?.time_zone ?? null);
  return cachedAccount;
}

export function storeSession(token: string, account?: Account) {
  waitingFor = null;
  // in the order in which other tabs need them
  if (account) localStorage.setItem('user', JSON.stringify(account));
  localStorage.setItem('token', token);
  localStorage.removeItem(EXPIRED);
  changed();
}

export function storeAccount(account: Account) {
  localStorage.setItem('user', JSON.stringify(account));
  changed();
}

export function clearSession() {
  waitingFor = null;
  latest = null;
  localStorage.removeItem(EXPIRED);
  forget();
}

/**
 * The server no longer accepts the session.
 * @param wait whether this page would stay as it is until the same person is back
 * @returns whether it does; not if it does not know who that is.
 */
export function expireSession({ wait }: { wait: boolean }): boolean {
  getAccount();
  waitingFor = wait ? latest : null;
  // shows other tabs that this is no sign-out
  localStorage.setItem(EXPIRED, '1');
  forget();
  return waitingFor !== null;
}

export function hasExpired(): boolean {
  return localStorage.getItem(EXPIRED) !== null;
}

/** The person this page waits for, or null. */
export function useAwaited(): Account | null {
  return useSyncExternalStore(subscribe, getAwaited);
}

export function getAwaited(): Account | null {
  return waitingFor;
}

/** Another tab has signed in. @returns whether it is the person this page waits for */
export function takeBack(): boolean {
  const id = waitingFor?.id;
  waitingFor = null;
  const isBack = id !== undefined && getAccount()?.id === id;
  changed();
  return isBack;
}

function forget() {
  localStorage.removeItem('token');
  localStorage.removeItem('user');
  changed();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  // Another tab may change the profile.
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export function useAccount(): Account | null {
  return useSyncExternalStore(subscribe, getAccount);
}

/** The screen that each role lands on after signing in. */
export function homeOf(account: Pick<Account, 'is_reseller'> | null): '/reseller/dashboard' | '/dashboard' {
  return account?.is_reseller ? '/reseller/dashboard' : '/dashboard';
}

/** The public page where this developer's customers redeem, or null when nobody is signed in. */
export function useRedeemUrl(): string | null {
  const account = useAccount();
  return account ? `${location.origin}/redeem?dev=${account.id}` : null;
}
