import { Boxes, ScanBarcode, Users } from 'lucide-react';
import type { SearchResult } from '../../lib/types.ts';
import type { Entry } from './entries.ts';

const KEY = 'recent';
const KEPT = 5;

export function foundEntries({ serials, customers, products }: SearchResult): Entry[] {
  return [
    ...serials.map(({ id, code, product_name, redeemed, revoked }) =>
      serialEntry(id, code, `${product_name} · ${revoked ? 'Revoked' : redeemed ? 'Redeemed' : 'Available'}`),
    ),
    ...customers.map(({ id, email, first_name, last_name }) =>
      customerEntry(id, email, [first_name, last_name].filter(Boolean).join(' ')),
    ),
    ...products.map(({ id, name, is_draft }) => productEntry(id, name, is_draft ? 'Draft' : '')),
  ];
}

const serialEntry = (id: string, label: string, detail: string): Entry => ({
  key: `serial ${id}`,
  group: 'Serials',
  label,
  detail,
  icon: ScanBarcode,
  code: true,
  does: { to: { to: '/dashboard/serials/$serialId', params: { serialId: id } } },
});
const customerEntry = (id: string, label: string, detail: string): Entry => ({
  key: `customer ${id}`,
  group: 'Customers',
  label,
  detail,
  icon: Users,
  does: { to: { to: '/dashboard/customers/$customerId', params: { customerId: id } } },
});
const productEntry = (id: string, label: string, detail: string): Entry => ({
  key: `product ${id}`,
  group: 'Products',
  label,
  detail,
  icon: Boxes,
  does: { to: { to: '/dashboard/products/$productId', params: { productId: id } } },
});

const makers: Record<string, typeof serialEntry> = {
  serial: serialEntry,
  customer: customerEntry,
  product: productEntry,
};

interface Kept {
  user: string;
  entries: { key: string; label: string; detail: string }[];
}

/** Kept for this tab only: they name customers, and the next person at this computer must not see them. */
function read(user: string): Kept['entries'] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '') as Kept;
    return kept.user === user && Array.isArray(kept.entries) ? kept.entries : [];
  } catch {
    return [];
  }
}

export function recentEntries(user: string, known: Entry[]): Entry[] {
  return read(user).flatMap(({ key, label, detail }) => {
    const [kind = '', id = ''] = key.split(' ');
    const entry = makers[kind]?.(id, label, detail) ?? known.find((candidate) => candidate.key === key);
    return entry ? [entry] : [];
  });
}

export function keepRecent(user: string, { key, label, detail = '' }: Entry) {
  const others = read(user).filter((entry) => entry.key !== key);
  const kept: Kept = { user, entries: [{ key, label, detail }, ...others].slice(0, KEPT) };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}
