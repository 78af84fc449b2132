import { useSyncExternalStore } from 'react';
import type { User } from './types.ts';

const listeners = new Set<() => void>();
let cachedText: string | null = null;
let cachedUser: User | null = null;

function changed() {
  for (const listener of listeners) listener();
}

/** The bearer token of this browser, or null when nobody is signed in. */
export function getToken(): string | null {
  return localStorage.getItem('token');
}

/** The signed-in user as last reported by the server; the same object until it changes. */
export function getUser(): User | null {
  const text = localStorage.getItem('user');
  if (text === cachedText) return cachedUser;
  cachedText = text;
  try {
    cachedUser = text ? (JSON.parse(text) as User) : null;
  } catch {
    cachedUser = null;
  }
  return cachedUser;
}

export function storeSession(token: string, user?: User) {
  localStorage.setItem('token', token);
  if (user) localStorage.setItem('user', JSON.stringify(user));
  changed();
}

export function storeUser(user: User) {
  localStorage.setItem('user', JSON.stringify(user));
  changed();
}

export function clearSession() {
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
