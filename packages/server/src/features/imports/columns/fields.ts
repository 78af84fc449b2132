import type { ImportKind } from '../kinds.ts';

/** Every column that some import reads, by its name in files. */
export const columns = [
  'Serial',
  'Product',
  'Email',
  'First Name',
  'Last Name',
  'Full Name',
  'Total Price',
  'Purchase Date',
  'Downloads',
  'Revoked',
  'Reseller',
  'Country',
  'License Ends',
  'Machines',
  'Handed Out',
  'Promo Price',
  'Promo Expires',
  'Active From',
  'Active To',
  'Batch Tag',
  'Notes',
  'Signup Date',
] as const;
export type Column = (typeof columns)[number];

/** The columns of each kind of import. `Full Name` means first and last name where a file has both in one column. */
export const columnsOf: Readonly<Record<ImportKind, readonly Column[]>> = {
  redeemed: [
    'Serial',
    'Product',
    'Email',
    'First Name',
    'Last Name',
    'Full Name',
    'Total Price',
    'Purchase Date',
    'Downloads',
    'Revoked',
    'Reseller',
    'Country',
    'License Ends',
    'Machines',
  ],
  available: [
    'Serial',
    'Product',
    'Promo Price',
    'Promo Expires',
    'Active From',
    'Active To',
    'Batch Tag',
    'Notes',
    'License Ends',
    'Handed Out',
  ],
  customers: ['Email', 'First Name', 'Last Name', 'Full Name', 'Signup Date'],
};

/** The columns that every line needs to mean anything. */
export const requiredOf: Readonly<Record<ImportKind, readonly Column[]>> = {
  redeemed: ['Serial', 'Product', 'Email'],
  available: ['Serial', 'Product'],
  customers: ['Email'],
};

/** Columns that differ in each line, and never have one value for all lines. */
export const ownColumns: ReadonlySet<Column> = new Set<Column>([
  'Serial',
  'Email',
  'First Name',
  'Last Name',
  'Full Name',
]);

/** How our own exports call columns, where that is another name: they come back as they went out. */
export const exportedAs: Readonly<Record<ImportKind, Readonly<Record<string, Column>>>> = {
  redeemed: {
    'redeem date': 'Purchase Date',
    first: 'First Name',
    last: 'Last Name',
    total: 'Total Price',
  },
  available: {},
  customers: {},
};

/** Cells whose every character counts. */
export const exactColumns: ReadonlySet<Column> = new Set<Column>([
  'Serial',
  'Product',
  'Email',
  'Total Price',
  'Promo Price',
  'Purchase Date',
  'Promo Expires',
  'Active From',
  'Active To',
  'Signup Date',
  'Downloads',
  'License Ends',
  'Machines',
]);

/** Columns that only the assistant reads, because a person has to be asked about them or see them first. */
export const askedColumns: ReadonlySet<Column> = new Set<Column>(['License Ends', 'Machines', 'Handed Out']);
