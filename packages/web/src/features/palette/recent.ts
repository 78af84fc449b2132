import type { LinkProps } from '@tanstack/react-router';
import {
  Boxes,
  CalendarDays,
  FileText,
  HandCoins,
  Handshake,
  Layers,
  type LucideIcon,
  ReceiptText,
  ScanBarcode,
  ShoppingCart,
  Store,
  Users,
} from 'lucide-react';
import { plural } from '#lib/format/format.ts';
import { formatMonth, formatPeriod, type Period } from '#lib/time/period.ts';
import type { SearchResult } from '#lib/types.ts';
import type { Entry, Group } from './entries.ts';

const KEY = 'recent';
const KEPT = 5;

type Kind =
  | 'serial'
  | 'customer'
  | 'product'
  | 'batch'
  | 'reseller'
  | 'statement'
  | 'invoice'
  | 'order'
  | 'bought'
  | 'sold'
  | 'catalog'
  | 'developer'
  | 'owed';

/** The kinds of records that can be found, by the first word of their key. */
const kinds: Record<Kind, { group: Group; icon: LucideIcon; to: (id: string) => LinkProps; code?: true }> = {
  serial: {
    group: 'Serials',
    icon: ScanBarcode,
    to: (serialId) => ({ to: '/dashboard/serials/$serialId', params: { serialId } }),
    code: true,
  },
  customer: {
    group: 'Customers',
    icon: Users,
    to: (customerId) => ({ to: '/dashboard/customers/$customerId', params: { customerId } }),
  },
  product: {
    group: 'Products',
    icon: Boxes,
    to: (productId) => ({ to: '/dashboard/products/$productId', params: { productId } }),
  },
  batch: {
    group: 'Batches',
    icon: Layers,
    to: (batchId) => ({ to: '/dashboard/batches/$batchId', params: { batchId } }),
  },
  reseller: {
    group: 'Resellers',
    icon: Store,
    to: (id) => ({ to: '/dashboard/resellers/$id', params: { id } }),
  },
  statement: {
    group: 'Statements',
    icon: FileText,
    to: (id) => ({ to: '/dashboard/payouts/$id', params: { id } }),
  },
  invoice: {
    group: 'Invoices',
    icon: ReceiptText,
    to: (id) => ({ to: '/dashboard/billing/invoices/$id', params: { id } }),
  },
  owed: {
    group: 'Statements',
    icon: FileText,
    to: (id) => ({ to: '/reseller/payouts/$id', params: { id } }),
  },
  order: {
    group: 'Orders',
    icon: HandCoins,
    to: (reference) => ({ to: '/reseller/draws/$reference', params: { reference } }),
  },
  bought: {
    group: 'Orders',
    icon: ShoppingCart,
    to: (id) => ({ to: '/dashboard/orders/$id', params: { id } }),
  },
  sold: {
    group: 'Orders',
    icon: ShoppingCart,
    to: (id) => ({ to: '/reseller/orders/$id', params: { id } }),
  },
  catalog: {
    group: 'Products',
    icon: Boxes,
    to: (product) => ({ to: '/reseller/products', search: { product } }),
  },
  developer: {
    group: 'Developers',
    icon: Handshake,
    to: (id) => ({ to: '/reseller/developers/$id', params: { id } }),
  },
};

function found(kind: Kind, id: string, label: string, detail: string): Entry {
  const { to, ...look } = kinds[kind];
  return { ...look, key: `${kind} ${id}`, label, detail, does: { to: to(id) } };
}

/** The records that a reseller finds. */
export interface FoundForReseller {
  draws: { reference: string; quantity: number }[];
  orders: { id: string; number: string; shop_name: string }[];
  products: { product_id: string; name: string; developer_name: string }[];
  developers: { id: string; company_name: string }[];
  statements: { id: string; number: string; month: string; developer_name: string }[];
}

export const foundForReseller = ({ draws, orders, products, developers, statements }: FoundForReseller): Entry[] => [
  ...draws.map(({ reference, quantity }) => found('order', reference, reference, plural(quantity, 'code'))),
  ...orders.map(({ id, number, shop_name }) => found('sold', id, number, shop_name)),
  ...products.map(({ product_id, name, developer_name }) => found('catalog', product_id, name, developer_name)),
  ...developers.map(({ id, company_name }) => found('developer', id, company_name, '')),
  ...statements.map(({ id, number, month, developer_name }) =>
    found('owed', id, `Statement ${number}`, `${developer_name} · ${formatMonth(`${month}-01`)}`),
  ),
];

/** Entries for what happened in the days that were typed. */
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
    one('Analytics of these days', { to: { to: '/dashboard/analytics', search: { range: dateRange } } }),
  ];
}

export function foundEntries(result: SearchResult): Entry[] {
  const { serials, customers, orders, products, batches, resellers, statements, invoices } = result;
  return [
    ...serials.map(({ id, code, product_name, redeemed, revoked }) =>
      found('serial', id, code, `${product_name} · ${revoked ? 'Revoked' : redeemed ? 'Redeemed' : 'Available'}`),
    ),
    ...customers.map(({ id, email, first_name, last_name }) =>
      found('customer', id, email, [first_name, last_name].filter(Boolean).join(' ')),
    ),
    ...orders.map(({ id, number, shop_name }) => found('bought', id, number, shop_name)),
    ...products.map(({ id, name, is_draft }) => found('product', id, name, is_draft ? 'Draft' : '')),
    ...batches.map(({ id, batch_tag, product_name, quantity }) =>
      found(
        'batch',
        id,
        batch_tag ?? product_name,
        [...(batch_tag ? [product_name] : []), plural(quantity, 'serial')].join(' · '),
      ),
    ),
    ...resellers.map(({ id, name }) => found('reseller', id, name, '')),
    ...statements.map(({ id, number, month, reseller_name }) =>
      found('statement', id, `Statement ${number}`, `${reseller_name} · ${formatMonth(`${month}-01`)}`),
    ),
    ...invoices.map(({ id, number, month }) => found('invoice', id, `Invoice ${number}`, formatMonth(`${month}-01`))),
  ];
}

interface Kept {
  user: string;
  entries: { key: string; label: string; detail: string }[];
}

/** Kept for this tab only: they name customers, and the next person at this computer must not see them. */
function read(account: string): Kept['entries'] {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '') as Kept;
    return kept.user === account && Array.isArray(kept.entries) ? kept.entries : [];
  } catch {
    return [];
  }
}

export function recentEntries(account: string, known: Entry[]): Entry[] {
  return read(account).flatMap(({ key, label, detail }) => {
    const [kind = ''] = key.split(' ');
    if (Object.hasOwn(kinds, kind)) return [found(kind as Kind, key.slice(kind.length + 1), label, detail)];
    return known.filter((entry) => entry.key === key);
  });
}

export function keepRecent(account: string, { key, label, detail = '' }: Entry) {
  // days are typed anew sooner than they are found again
  if (key.startsWith('days ')) return;
  const others = read(account).filter((entry) => entry.key !== key);
  const kept: Kept = { user: account, entries: [{ key, label, detail }, ...others].slice(0, KEPT) };
  sessionStorage.setItem(KEY, JSON.stringify(kept));
}
