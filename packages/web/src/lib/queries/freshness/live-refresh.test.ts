import { QueryClient } from '@tanstack/react-query';
import type { LiveEvent, OperationId } from '@tonerow/sdk';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveRefresh } from './live-refresh.ts';

/** One operation of each list: the others are read with it. */
const LISTS: Partial<Record<OperationId, string>> = {
  getSerial: 'serials',
  listCustomers: 'customers',
  eraseCustomer: 'erasure-preview',
  getAnalytics: 'analytics',
  listProducts: 'products',
  getMyUsage: 'me',
  getBillingUsage: 'billing',
  listResellers: 'resellers',
  getResellerCirculation: 'circulation',
  getFirstSteps: 'first-steps',
  listNotifications: 'notifications',
  listRedeemedSerials: 'redeemed-serials',
  getResellerDashboard: 'sales',
  listResellerProducts: 'catalog',
  listDraws: 'draws',
  listOffers: 'selling',
  listPartners: 'developers',
  listStockDownloads: 'stock-downloads',
};

let read: unknown[];
let refresh: LiveRefresh;

beforeEach(() => {
  vi.useFakeTimers();
  read = [];
  const queryClient = new QueryClient();
  queryClient.invalidateQueries = async (filters) => {
    const operation = filters?.queryKey?.[0];
    const list = operation === undefined ? 'everything' : LISTS[operation as OperationId];
    if (list) read.push(list);
  };
  refresh = new LiveRefresh(queryClient);
});
afterEach(() => {
  refresh.stop();
  vi.useRealTimers();
});
/** Only the parts of an event that matter here. */
const hear = (type: LiveEvent['type'], data: object = {}) => refresh.after({ type, data } as LiveEvent);
const lists = [
  'serials',
  'customers',
  'erasure-preview',
  'analytics',
  'products',
  'me',
  'billing',
  'resellers',
  'circulation',
];
const afterRedemption = [...lists, 'first-steps'];

describe('after a live event', () => {
  it('reads the lists that show it at once, and the redeemed one only when somebody asks', () => {
    hear('redemption');
    expect(read).toEqual(afterRedemption);
  });

  it('reads once more for a rush of redemptions: lists after 2 s, figures after 5 s', () => {
    for (let n = 0; n < 10; n += 1) hear('redemption');
    const all = afterRedemption;
    expect(read).toEqual(all);
    vi.advanceTimersByTime(2000);
    expect(read.slice(all.length)).toEqual(all.filter((list) => list !== 'analytics' && list !== 'billing'));
    vi.advanceTimersByTime(3000);
    expect(read.slice(2 * all.length - 2)).toEqual(['analytics', 'billing']);
    vi.advanceTimersByTime(60_000);
    expect(read).toHaveLength(2 * all.length);
  });

  it('reads the redeemed list after an import of redeemed serials, when it has ended', () => {
    hear('import', { kind: 'redeemed', state: 'running' });
    hear('import', { kind: 'redeemed', state: 'complete', dry_run: true });
    expect(read).toEqual([]);
    hear('import', { kind: 'redeemed', state: 'complete' });
    expect(read).toEqual([...lists, 'notifications', 'redeemed-serials']);
  });

  it('reads a reseller’s figures at most every 5 s while codes are redeemed, and stock when codes move', () => {
    hear('sale');
    expect(read).toEqual(['sales', 'catalog', 'draws', 'selling', 'developers']);
    hear('sale');
    vi.advanceTimersByTime(2000);
    expect(read.slice(5)).toEqual(['catalog', 'draws', 'selling', 'developers']);
    vi.advanceTimersByTime(60_000);
    read = [];
    hear('stock', { change: 'downloaded' });
    expect(read).toEqual(['circulation', 'stock-downloads', 'sales']);
    hear('stock', { change: 'handed_out' });
    for (const list of ['draws', 'catalog', 'sales', 'developers', 'resellers', 'serials'])
      expect(read).toContain(list);
  });

  it('reads the one serial that was refused, and not the other serials on the screen', () => {
    const keys: unknown[] = [];
    const queryClient = new QueryClient();
    queryClient.invalidateQueries = async (filters) => void keys.push(filters?.queryKey);
    const other = new LiveRefresh(queryClient);
    other.after({ type: 'license_refused', data: { serial_id: 'one' } } as LiveEvent);
    other.stop();
    const path = { path: { id: 'one' } };
    expect(keys).toEqual([
      ['getSerial', path],
      ['listSerialMachines', path],
      ['listSerialHistory', path],
      ['getCustomer'],
      ['listCustomerActivity'],
    ]);
  });

  it('reads everything when events may have been missed, and nothing for what has a list of its own', () => {
    hear('license_refused');
    // an event of a newer server
    hear('unheard of' as LiveEvent['type']);
    expect(read).toEqual([]);
    hear('resync');
    expect(read).toEqual(['everything']);
  });
});
