import { useSyncExternalStore } from 'react';

export type Theme = 'light' | 'dark';

const listeners = new Set<() => void>();

function currentTheme(): Theme {
  return document.documentElement.classList.contains('dark') ? 'dark' : 'light';
}

function setTheme(theme: Theme) {
  document.documentElement.classList.toggle('dark', theme === 'dark');
  localStorage.setItem('theme', theme);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The theme on screen and the way to flip it; `theme.js` sets it before the first paint. */
export function useTheme() {
  const theme = useSyncExternalStore(subscribe, currentTheme);
  return { theme, toggle: () => setTheme(theme === 'dark' ? 'light' : 'dark') };
}
