import type { Column } from '../columns/fields.ts';
import type { ImportKind } from '../kinds.ts';
import { headKey } from './heads.ts';

/** A file that a certain system makes: recognized by its heads, and understood without a person. */
export interface Preset {
  id: string;
  /** The system, for people. */
  name: string;
  kind: ImportKind;
  /** Heads that all of its files have, and no other system's. */
  heads: readonly string[];
  /** The meanings of its columns, the better one first where two have the same meaning. Other columns are not used. */
  columns: Readonly<Record<string, Column>>;
}

const same = (...columns: Column[]): Record<string, Column> =>
  Object.fromEntries(columns.map((column) => [column, column]));

/** The columns of the two license managers for WooCommerce, one of which began as the other. */
const keysWithoutOwners = {
  license_key: 'Serial',
  product_name: 'Product',
  product_id: 'Product',
  expires_at: 'License Ends',
  status: 'Handed Out',
} as const;

const presets: readonly Preset[] = [
  // our own exports, as they go out
  {
    id: 'tonerow_redeemed',
    name: 'Tonerow, redeemed serials',
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
    name: 'Tonerow, customers',
    kind: 'customers',
    heads: ['Signup Date', 'First Name', 'Last Name', 'Email', 'ID', 'Last Login', 'Product', 'Serial'],
    columns: same('Signup Date', 'First Name', 'Last Name', 'Email'),
  },
  {
    id: 'tonerow_serials',
    name: 'Tonerow, available serials',
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
    name: 'Gumroad',
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
      // a customer with a full refund no longer owns it
      'Fully Refunded?': 'Revoked',
      Country: 'Country',
    },
  },
  {
    // orders have no serials: what is in them are customers; `Name` is the number of an order
    id: 'shopify_orders',
    name: 'Shopify, orders',
    kind: 'customers',
    heads: ['Name', 'Email', 'Financial Status', 'Paid at', 'Lineitem name', 'Lineitem price', 'Billing Name'],
    columns: { Email: 'Email', 'Billing Name': 'Full Name', 'Created at': 'Signup Date' },
  },
  {
    // keys with their owners, as newer versions write them
    id: 'license_manager_woocommerce',
    name: 'License Manager for WooCommerce',
    kind: 'redeemed',
    heads: [
      'order_id',
      'product_id',
      'user_id',
      'user_email',
      'license_key',
      'expires_at',
      'valid_for',
      'times_activated_max',
    ],
    columns: {
      license_key: 'Serial',
      product_name: 'Product',
      product_id: 'Product',
      user_email: 'Email',
      user_name: 'Full Name',
      created_at: 'Purchase Date',
      expires_at: 'License Ends',
    },
  },
  {
    // without owners: the holder of a key redeems it here, and keys that were sold are handed out
    id: 'license_manager_woocommerce_keys',
    name: 'License Manager for WooCommerce, keys without owners',
    kind: 'available',
    heads: ['order_id', 'product_id', 'license_key', 'expires_at', 'valid_for', 'times_activated_max'],
    columns: keysWithoutOwners,
  },
  {
    id: 'digital_license_manager',
    name: 'Digital License Manager',
    kind: 'available',
    heads: ['order_id', 'product_id', 'user_id', 'license_key', 'expires_at', 'status', 'activations_limit'],
    columns: keysWithoutOwners,
  },
  {
    id: 'edd_software_licensing',
    name: 'EDD Software Licensing',
    kind: 'redeemed',
    heads: [
      'License ID',
      'License Key',
      'License Status',
      'Customer Email',
      'Product Name',
      'Expiration Date',
      'Activated URLs',
    ],
    columns: {
      'License Key': 'Serial',
      'Product Name': 'Product',
      'Customer Email': 'Email',
      'Customer Name': 'Full Name',
      'Purchase Date': 'Purchase Date',
      'License Status': 'Revoked',
      'Expiration Date': 'License Ends',
      // a site is what a plugin of WordPress runs on
      'Activated URLs': 'Machines',
    },
  },
  {
    id: 'software_license_manager',
    name: 'Software License Manager',
    kind: 'redeemed',
    heads: ['license_key', 'max_allowed_domains', 'lic_status', 'email', 'date_created', 'date_expiry'],
    columns: {
      license_key: 'Serial',
      product_ref: 'Product',
      email: 'Email',
      first_name: 'First Name',
      last_name: 'Last Name',
      date_created: 'Purchase Date',
      lic_status: 'Revoked',
      date_expiry: 'License Ends',
      'registered_domains.registered_domain': 'Machines',
      registered_domains: 'Machines',
    },
  },
  {
    // as its API answers; with `include=product` products have names
    id: 'lemon_squeezy',
    name: 'Lemon Squeezy, license keys',
    kind: 'redeemed',
    heads: ['key', 'user_email', 'order_id', 'activation_limit', 'instances_count', 'disabled', 'expires_at'],
    columns: {
      key: 'Serial',
      'product.name': 'Product',
      product_id: 'Product',
      user_email: 'Email',
      user_name: 'Full Name',
      created_at: 'Purchase Date',
      disabled: 'Revoked',
      expires_at: 'License Ends',
      'license-key-instances.name': 'Machines',
    },
  },
  {
    // orders: their licenses are under names of their own, so what is taken is who bought
    id: 'fastspring_orders',
    name: 'FastSpring, orders',
    kind: 'customers',
    heads: ['order', 'reference', 'buyerReference', 'customer.email', 'items.product'],
    columns: {
      'customer.email': 'Email',
      'customer.first': 'First Name',
      'customer.last': 'Last Name',
      changedInSeconds: 'Signup Date',
      changed: 'Signup Date',
    },
  },
  {
    // a report, which has no keys
    id: 'paddle_transactions',
    name: 'Paddle, transactions',
    kind: 'customers',
    heads: ['customer_id', 'customer_email', 'address_id', 'business_id', 'subscription_id', 'created_at', 'billed_at'],
    columns: { customer_email: 'Email', created_at: 'Signup Date' },
  },
  {
    id: 'keygen',
    name: 'Keygen',
    kind: 'redeemed',
    heads: ['key', 'expiry', 'suspended', 'maxMachines', 'requireCheckIn', 'created'],
    columns: {
      key: 'Serial',
      'product.name': 'Product',
      'product.id': 'Product',
      'user.email': 'Email',
      'owner.email': 'Email',
      'metadata.email': 'Email',
      'user.firstName': 'First Name',
      'owner.firstName': 'First Name',
      'user.lastName': 'Last Name',
      'owner.lastName': 'Last Name',
      created: 'Purchase Date',
      suspended: 'Revoked',
      expiry: 'License Ends',
      'machines.fingerprint': 'Machines',
    },
  },
  {
    id: 'cryptlex',
    name: 'Cryptlex',
    kind: 'redeemed',
    heads: ['key', 'revoked', 'suspended', 'allowedActivations', 'totalActivations', 'expiresAt', 'productId'],
    columns: {
      key: 'Serial',
      'product.name': 'Product',
      productId: 'Product',
      'user.email': 'Email',
      'user.firstName': 'First Name',
      'user.lastName': 'Last Name',
      createdAt: 'Purchase Date',
      revoked: 'Revoked',
      expiresAt: 'License Ends',
      'activations.fingerprint': 'Machines',
    },
  },
  {
    // licenses belong to accounts there and have no codes, so that their ids are the serials
    id: 'moonbase',
    name: 'Moonbase',
    kind: 'redeemed',
    heads: ['id', 'status', 'product.name', 'owner.email', 'maxNumberOfActivations', 'activeNumberOfActivations'],
    columns: {
      id: 'Serial',
      'product.name': 'Product',
      'owner.email': 'Email',
      'owner.name': 'Full Name',
      createdAt: 'Purchase Date',
      status: 'Revoked',
      expiresAt: 'License Ends',
    },
  },
];

const names = new Map(presets.map(({ id, name }) => [id, name]));

/** A system in words; one that is no longer known by its id. */
export const presetName = (id: string): string => names.get(id) ?? id;

/** The system that made a file with these heads; null when it is none that is known. */
export function presetOf(head: readonly string[]): Preset | null {
  const keys = new Set(head.map(headKey));
  const fits = presets.filter(({ heads }) => heads.every((name) => keys.has(headKey(name))));
  // the one that knows most of it
  return fits.sort((one, other) => other.heads.length - one.heads.length)[0] ?? null;
}

/** The mapping of such a file's columns, in their order. */
export function presetMapping({ columns }: Preset, head: readonly string[]): (Column | null)[] {
  const keys = head.map(headKey);
  const mapping: (Column | null)[] = head.map(() => null);
  for (const [name, column] of Object.entries(columns)) {
    const place = keys.indexOf(headKey(name));
    if (place >= 0 && mapping[place] === null && !mapping.includes(column)) mapping[place] = column;
  }
  return mapping;
}
