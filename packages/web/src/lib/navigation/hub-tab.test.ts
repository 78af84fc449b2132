import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hubAt, hubPath, isHub, rememberPlace, restoredPlace, tabAddress } from './hub-tab.ts';

const developer = { id: 'ada', is_reseller: false };
const reseller = { id: 'rae', is_reseller: true };
const id = '01a1fd1e-b406-7000-81a7-e9c892313f70';

describe('the remembered place', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('localStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
  });
  afterEach(() => vi.unstubAllGlobals());

  it('is the first tab of the role when there is none', () => {
    expect(restoredPlace(developer)).toBe('/dashboard/customers');
    expect(restoredPlace(reseller)).toBe('/reseller/analytics');
  });

  it.each([
    ['a screen', '/dashboard/analytics', undefined, '/dashboard/analytics'],
    ['the tab within a screen', '/dashboard/payouts', 'statements', '/dashboard/payouts?tab=statements'],
    ['a list instead of what may be gone', `/products/edit/${id}`, undefined, '/products/edit'],
    ['the hub of what has no list of its own', `/dashboard/batches/${id}`, undefined, '/dashboard/serials'],
    ['a screen that no tab leads to', '/dashboard/payouts', undefined, '/dashboard/payouts'],
    ['the list of one of those', `/dashboard/resellers/${id}`, undefined, '/dashboard/resellers'],
    ['the hub of an import', `/dashboard/imports/${id}`, undefined, '/dashboard/customers'],
  ])('is %s', (_what, path, view, expected) => {
    rememberPlace(developer, path, view);
    expect(restoredPlace(developer)).toBe(expected);
  });

  it('is not where one only passes through', () => {
    rememberPlace(developer, '/dashboard/analytics');
    for (const path of ['/dashboard/settings', '/dashboard/settings/branding', '/dashboard/register', '/nowhere'])
      rememberPlace(developer, path);
    expect(restoredPlace(developer)).toBe('/dashboard/analytics');
  });

  it('is each account’s own', () => {
    rememberPlace(developer, '/dashboard/serials');
    rememberPlace(reseller, '/reseller/dashboard');
    rememberPlace(null, '/dashboard/billing');
    expect(restoredPlace(developer)).toBe('/dashboard/serials');
    expect(restoredPlace(reseller)).toBe('/reseller/dashboard');
    expect(restoredPlace({ id: 'bob', is_reseller: false })).toBe('/dashboard/customers');
  });

  it('is never the other role’s, and never an address from elsewhere', () => {
    rememberPlace(reseller, '/products/add');
    expect(restoredPlace(reseller)).toBe('/reseller/analytics');
    for (const place of ['//evil.example/products', 'https://evil.example', '/reseller/products']) {
      localStorage.setItem('place ada', place);
      expect(restoredPlace(developer)).toBe('/dashboard/customers');
    }
  });
});

describe('the tabs', () => {
  it('are found by name, in any case, for the roles that have their screens', () => {
    expect(hubPath('tools', developer)).toBe('/developer/tools');
    expect(hubPath('Tools', reseller)).toBeUndefined();
    expect([isHub('Tools'), isHub('developers'), isHub('nope')]).toEqual([true, true, false]);
    expect(hubPath('developers', reseller)).toBe('/reseller/partners');
  });

  it.each([
    [reseller, 'analytics', '/reseller/analytics'],
    [reseller, 'Tools', '/not-authorized'],
    [reseller, 'transactions', '/reseller/transactions'],
    [reseller, 'nope', null],
    [developer, 'analytics', '/dashboard/analytics'],
    [developer, 'transactions', '/not-authorized'],
    [developer, 'developers', '/not-authorized'],
    [developer, 'nope', null],
    [developer, 'tools/nope', null],
    [developer, '', null],
  ])('lead %o from %s to %s', (account, tab, path) => expect(tabAddress(tab, account)).toBe(path));

  it('name the hub of an address', () => {
    expect(hubAt('/products/add')?.title).toBe('Product Hub');
    expect(hubAt(`/reseller/payouts/${id}`)?.title).toBe('Transactions Hub');
    expect(hubAt('/productsomething')).toBeUndefined();
  });
});
