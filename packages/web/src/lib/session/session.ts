import { useSyncExternalStore } from 'react';
import { setOwnZone } from '../time/own-zone.ts';
import type { User } from '../types.ts';

export const EXPIRED = 'session_expired';
const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedUser: User | null = null;
/** Whose session ended while something was typed: this page waits for them, and no other page knows them. */
let waitingFor: User | null = null;
/** Known here, also once another tab has removed it from what all share. */
let latest: User | null = null;

function changed() {
  getUser();
  for (const listener of listeners) listener();
}

/** The bearer token of this browser, or null when nobody is signed in. */
export function getToken(): string | null {
  return localStorage.getItem('token');
}

/** The signed-in user as last reported by the server; the same object until it changes. */
export function getUser(): User | null {
  if (waitingFor) return waitingFor;
  const text = localStorage.getItem('user');
  if (text === cachedText) return cachedUser;
  cachedText = text;
  try {
    cachedUser = text ? (JSON.parse(text) as User) : null;
  } catch {
    cachedUser = null;
  }
  latest = cachedUser ?? latest;
  setOwnZone(cachedUser?.time_zone ?? null);
  return cachedUser;
}

export function storeSession(token: string, user?: User) {
  waitingFor = null;
  // in the order in which other tabs need them
  if (user) localStorage.setItem('user', JSON.stringify(user));
  localStorage.setItem('token', token);
  localStorage.removeItem(EXPIRED);
  changed();
}

export function storeUser(user: User) {
  localStorage.setItem('user', JSON.stringify(user));
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
  getUser();
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
export function useAwaited(): User | null {
  return useSyncExternalStore(subscribe, getAwaited);
}

export function getAwaited(): User | null {
  return waitingFor;
}

/** Another tab has signed in. @returns whether it is the person this page waits for */
export function takeBack(): boolean {
  const id = waitingFor?.id;
  waitingFor = null;
  const isBack = id !== undefined && getUser()?.id === id;
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

export function useUser(): User | null {
  return useSyncExternalStore(subscribe, getUser);
}

/** Where each role lands after signing in. */
export function homeOf(user: Pick<User, 'is_reseller'> | null): '/reseller/dashboard' | '/dashboard' {
  return user?.is_reseller ? '/reseller/dashboard' : '/dashboard';
}

/** The public page where this developer's customers redeem, or null when nobody is signed in. */
export function useRedeemUrl(): string | null {
  const user = useUser();
  return user ? `${location.origin}/redeem?dev=${user.id}` : null;
}
