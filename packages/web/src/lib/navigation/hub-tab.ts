import type { QueryClient } from '@tanstack/react-query';
import { getAccount } from '../session/session.ts';
import type { Account } from '../types.ts';

interface Hub {
  tab: string;
  title: string;
  /** The address of the tab for each role. */
  developer?: string;
  reseller?: string;
  /** Other paths that belong to it. */
  also?: string[];
}

/** The tabs of the dashboard and the titles of their screens. */
const hubs: Hub[] = [
  { tab: 'Customers', title: 'Customers Hub', developer: '/dashboard/customers', also: ['/dashboard/imports'] },
  { tab: 'Serials', title: 'Serials Hub', developer: '/dashboard/serials', also: ['/dashboard/batches'] },
  {
    tab: 'Products',
    title: 'Product Hub',
    developer: '/products',
    reseller: '/reseller/products',
    also: ['/dashboard/products', '/reseller/my-deals', '/reseller/draws'],
  },
  { tab: 'Analytics', title: 'Analytics Hub', developer: '/dashboard/analytics', reseller: '/reseller/analytics' },
  { tab: 'Billing', title: 'Billing Hub', developer: '/dashboard/billing' },
  { tab: 'Tools', title: 'Tools Hub', developer: '/developer/tools' },
  {
    tab: 'Transactions',
    title: 'Transactions Hub',
    reseller: '/reseller/transactions',
    also: ['/reseller/payouts'],
  },
  { tab: 'Developers', title: 'Developers Hub', reseller: '/reseller/partners', also: ['/reseller/developers'] },
  { tab: 'Settings', title: 'Settings Hub', developer: '/dashboard/settings', reseller: '/reseller/settings' },
  { tab: 'Register', title: 'Register', developer: '/dashboard/register', reseller: '/dashboard/register' },
];

type Role = 'developer' | 'reseller';
type Viewer = Pick<Account, 'is_reseller'> | null;

const roleOf = (account: Viewer): Role => (account?.is_reseller ? 'reseller' : 'developer');
const isUnder = (path: string, root: string) => path === root || path.startsWith(`${root}/`);
const rootsOf = ({ developer, reseller }: Hub) => [developer, reseller].filter((root) => root !== undefined);
const belongs = (hub: Hub, path: string) => [...rootsOf(hub), ...(hub.also ?? [])].some((root) => isUnder(path, root));

/** The tabs that this person's role has screens for. */
export function hubTabsOf(account: Viewer): { tab: string; title: string; path: string }[] {
  return hubs.flatMap(({ tab, title, ...hub }) => {
    const path = hub[roleOf(account)];
    return path ? [{ tab, title, path }] : [];
  });
}

/** The hub that an address belongs to. */
export function hubAt(path: string): { tab: string; title: string } | undefined {
  return hubs.find((hub) => belongs(hub, path));
}

/** The screen of a tab, by its name in any case, for this person's role. */
export function hubPath(name: string, account: Viewer): string | undefined {
  return hubTabsOf(account).find(({ tab }) => tab.toLowerCase() === name.toLowerCase())?.path;
}

/** Whether there is a tab of this name, in any case, for either role. */
export function isHub(name: string): boolean {
  return hubs.some(({ tab }) => tab.toLowerCase() === name.toLowerCase());
}

/** The screen of the tab that a role begins with. */
function defaultTab(account: Viewer): string {
  return hubPath(account?.is_reseller ? 'Analytics' : 'Customers', account) ?? '/';
}

/**
 * The address that `/dashboard/tools` and the like lead to: only to the screen of the account's own role. Null if it is
 * no tab.
 */
export function tabAddress(name: string, account: Viewer): string | null {
  return hubPath(name, account) ?? (isHub(name) ? '/not-authorized' : null);
}

/** Screens that no tab leads to, and that somebody works in all the same. */
const besides: Record<Role, string[]> = {
  developer: ['/dashboard/orders', '/dashboard/resellers', '/dashboard/payouts'],
  reseller: ['/reseller/dashboard', '/reseller/orders', '/reseller/shops', '/reseller/webhooks'],
};
/** Screens that are not worth coming back to: people pass through them on the way to something else. */
const passing = new Set(['Settings', 'Register']);

type Who = Pick<Account, 'id' | 'is_reseller'>;

const PLACE = 'place';
const keyOf = ({ id: account }: Who) => `${PLACE} ${account}`;
const id = /\/[0-9a-f-]{36}$/;

/** The screen to come back to from an address, or null when it is none to come back to. */
function placeAt(path: string, view: string | undefined, account: Who): string | null {
  const role = roleOf(account);
  const hub = hubs.find((candidate) => belongs(candidate, path));
  const list = path.replace(id, '');
  const page = list === path && view ? `${path}?tab=${encodeURIComponent(view)}` : list;
  if (!hub) return besides[role].some((root) => isUnder(list, root)) ? page : null;
  if (passing.has(hub.tab)) return null;
  return list === path || rootsOf(hub).some((root) => isUnder(list, root)) ? page : (hub[role] ?? null);
}

/**
 * Keeps the tab and the screen within it, for this account. For anything that may be deleted by then, such as a product,
 * remembers the list instead.
 */
export function rememberPlace(account: Who | null, path: string, view?: string) {
  const place = account && placeAt(path, view, account);
  if (account && place) localStorage.setItem(keyOf(account), place);
}

/** The screen where this account was last of use, or the first tab of its role. */
export function restoredPlace(account: Who): string {
  const kept = localStorage.getItem(keyOf(account)) ?? '';
  const path = kept.split('?')[0] ?? '';
  const isOwnRole = path.startsWith('/reseller/') === account.is_reseller;
  return isOwnRole && placeAt(path, undefined, account) ? kept : defaultTab(account);
}

/** The signed-in user, fetched when this browser only has a token. */
export async function knownAccount(queryClient: QueryClient): Promise<Account> {
  // loaded on demand: the client of the server is not part of the first download
  return getAccount() ?? freshAccount(queryClient);
}

export async function freshAccount(queryClient: QueryClient): Promise<Account> {
  const { meQuery } = await import('../queries/account.ts');
  return queryClient.ensureQueryData(meQuery);
}
