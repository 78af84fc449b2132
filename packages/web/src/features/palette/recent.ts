import { Boxes, CalendarDays, HandCoins, Handshake, Layers, ScanBarcode, Store, Users } from 'lucide-react';
import { plural } from '../../lib/format.ts';
import { formatPeriod, type Period } from '../../lib/period.ts';
import type { SearchResult } from '../../lib/types.ts';
import type { Entry } from './entries.ts';

const KEY = 'recent';
const KEPT = 5;

/** What a reseller finds. */
export interface FoundForReseller {
  draws: { reference: string; quantity: number }[];
  products: { product_id: string; name: string; developer_name: string }[];
  developers: { id: string; company_name: string }[];
}

export const foundForReseller = ({ draws, products, developers }: FoundForReseller): Entry[] => [
  ...draws.map(({ reference, quantity }) => orderEntry(reference, reference, plural(quantity, 'code'))),
  ...products.map(({ product_id, name, developer_name }) => catalogEntry(product_id, name, developer_name)),
  ...developers.map(({ id, company_name }) => developerEntry(id, company_name, '')),
];

/** What happened in the days that were typed. */
export function dayEntries(period: Period): Entry[] {
  const dateRange = `${period.from}_to_${period.to}`;
  const days = formatPeriod(period);
  const one = (label: string, to: Entry['does']): Entry => ({
    key: `days ${label}`,
    group: 'Go to',
    label,
    detail: days,
    icon: CalendarDays,
    does: to,
  });
  return [
    one('Serials redeemed then', { to: { to: '/dashboard/serials', search: { dateRange } } }),
    one('Customers who signed up then', { to: { to: '/dashboard/customers', search: { dateRange } } }),
    one('Analytics of these days', { to: { to: '/dashboard/analytics', search: { dateRange } } }),
  ];
}

export function foundEntries({ serials, customers, products, batches, resellers }: SearchResult): Entry[] {
  return [
    ...serials.map(({ id, code, product_name, redeemed, revoked }) =>
      serialEntry(id, code, `${product_name} · ${revoked ? 'Revoked' : redeemed ? 'Redeemed' : 'Available'}`),
    ),
    ...customers.map(({ id, email, first_name, last_name }) =>
      customerEntry(id, email, [first_name, last_name].filter(Boolean).join(' ')),
    ),
    ...products.map(({ id, name, is_draft }) => productEntry(id, name, is_draft ? 'Draft' : '')),
    ...batches.map(({ id, batch_tag, product_name, quantity }) =>
      batchEntry(
        id,
        batch_tag ?? product_name,
        [...(batch_tag ? [product_name] : []), plural(quantity, 'serial')].join(' · '),
      ),
    ),
    ...resellers.map(({ id, name }) => resellerEntry(id, name, '')),
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

const batchEntry = (id: string, label: string, detail: string): Entry => ({
  key: `batch ${id}`,
  group: 'Batches',
  label,
  detail,
  icon: Layers,
  does: { to: { to: '/dashboard/batches/$batchId', params: { batchId: id } } },
});
const resellerEntry = (id: string, label: string, detail: string): Entry => ({
  key: `reseller ${id}`,
  group: 'Resellers',
  label,
  detail,
  icon: Store,
  does: { to: { to: '/dashboard/resellers/$id', params: { id } } },
});
const orderEntry = (reference: string, label: string, detail: string): Entry => ({
  key: `order ${reference}`,
  group: 'Orders',
  label,
  detail,
  icon: HandCoins,
  does: { to: { to: '/reseller/draws/$reference', params: { reference } } },
});
const catalogEntry = (id: string, label: string, detail: string): Entry => ({
  key: `catalog ${id}`,
  group: 'Products',
  label,
  detail,
  icon: Boxes,
  does: { to: { to: '/reseller/products', search: { product: id } } },
});
const developerEntry = (id: string, label: string, detail: string): Entry => ({
  key: `developer ${id}`,
  group: 'Developers',
  label,
  detail,
  icon: Handshake,
  does: { to: { to: '/reseller/developers/$id', params: { id } } },
});

const makers: Record<string, typeof serialEntry> = {
  batch: batchEntry,
  reseller: resellerEntry,
  order: orderEntry,
  catalog: catalogEntry,
  developer: developerEntry,
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
    const [kind = ''] = key.split(' ');
    const id = key.slice(kind.length + 1);
    const entry = makers[kind]?.(id, label, detail) ?? known.find((candidate) => candidate.key === key);
    return entry ? [entry] : [];
  });
}

export function keepRecent(user: string, { key, label, detail = '' }: Entry) {
  // days are typed anew sooner than they are found again
  if (key.startsWith('days ')) return;
  const others = read(user).filter((entry) => entry.key !== key);
  const kept: Kept = { user, entries: [{ key, label, detail }, ...others].slice(0, KEPT) };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}
