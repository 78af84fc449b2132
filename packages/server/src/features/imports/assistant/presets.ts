import type { Column } from '../columns/fields.ts';
import type { ImportKind } from '../kinds.ts';
import { headKey } from './heads.ts';

/** A file that a certain system makes: recognized by its heads, and understood without a person. */
export interface Preset {
  id: string;
  kind: ImportKind;
  /** Heads that all of its files have, and no other system's. */
  heads: readonly string[];
  /** What its columns are; those that are not here are not used. */
  columns: Readonly<Record<string, Column>>;
}

const same = (...columns: Column[]): Record<string, Column> =>
  Object.fromEntries(columns.map((column) => [column, column]));

const presets: readonly Preset[] = [
  // our own exports, as they go out
  {
    id: 'tonerow_redeemed',
    kind: 'redeemed',
    heads: ['Redeem Date', 'First', 'Last', 'Email', 'Serial', 'Product', 'Total'],
    columns: {
      'Redeem Date': 'Purchase Date',
      First: 'First Name',
      Last: 'Last Name',
      Total: 'Total Price',
      ...same('Email', 'Serial', 'Product'),
    },
  },
  {
    id: 'tonerow_customers',
    kind: 'customers',
    heads: ['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login', 'Product', 'Serial'],
    columns: same('Signup Date', 'First Name', 'Last Name', 'Email'),
  },
  {
    id: 'tonerow_serials',
    kind: 'available',
    heads: ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag'],
    columns: same(
      'Serial',
      'Product',
      'Promo Price',
      'Promo Expires',
      'Active From',
      'Active To',
      'Batch Tag',
      'Notes',
    ),
  },
  {
    id: 'gumroad',
    kind: 'redeemed',
    heads: ['Purchase ID', 'Item Name', 'Purchase Email', 'Sale Price ($)', 'Fully Refunded?', 'License Key'],
    columns: {
      'License Key': 'Serial',
      'Item Name': 'Product',
      'Purchase Email': 'Email',
      'Buyer Name': 'Full Name',
      'Sale Price ($)': 'Total Price',
      // the date beside it is the same day without its time
      'Purchase Time (UTC timezone)': 'Purchase Date',
      // who got everything back owns it no more
      'Fully Refunded?': 'Revoked',
      Country: 'Country',
    },
  },
  {
    // orders have no serials: what is in them are customers; `Name` is the number of an order
    id: 'shopify_orders',
    kind: 'customers',
    heads: ['Name', 'Email', 'Financial Status', 'Paid at', 'Lineitem name', 'Lineitem price', 'Billing Name'],
    columns: { Email: 'Email', 'Billing Name': 'Full Name', 'Created at': 'Signup Date' },
  },
];

/** The system that made a file with these heads; null when it is none that is known. */
export function presetOf(head: readonly string[]): Preset | null {
  const keys = new Set(head.map(headKey));
  const fits = presets.filter(({ heads }) => heads.every((name) => keys.has(headKey(name))));
  // the one that knows most of it
  return fits.sort((one, other) => other.heads.length - one.heads.length)[0] ?? null;
}

/** What the columns of such a file are, in its order. */
export function presetMapping({ columns }: Preset, head: readonly string[]): (Column | null)[] {
  const known = new Map(Object.entries(columns).map(([name, column]) => [headKey(name), column]));
  const seen = new Set<Column>();
  return head.map((name) => {
    const column = known.get(headKey(name)) ?? null;
    if (column === null || seen.has(column)) return null;
    seen.add(column);
    return column;
  });
}
