import type { ShopKind } from '#lib/types.ts';

interface ApiWords {
  /** The reason why the API is asked. */
  why: string;
  /** The place in the shop where the credential is made, in the shop's own words. */
  where: string;
  /** The values to paste, by the names that we give them. */
  fields: Partial<Record<'address' | 'key' | 'secret' | 'license_key', string>>;
}

/** Shops whose API is asked. `other` has none. */
export const apiWords: Partial<Record<ShopKind, ApiWords>> = {
  woocommerce: {
    why: 'WooCommerce sends each report once. Its own list shows what got lost, and which lines a refund is of.',
    where:
      'WooCommerce › Settings › Advanced › REST API › Add key, with the permission “Read”, or “Read/Write” if the shop is to give the codes itself.',
    fields: {
      address: 'Address of the shop, such as https://shop.example.com',
      key: 'Consumer key',
      secret: 'Consumer secret',
    },
  },
  shopify: {
    why: 'Its own list shows what got lost.',
    where: 'An app of your own in the Dev Dashboard, with the scope read_orders, installed in this shop.',
    fields: { address: 'Shop domain, such as shop.myshopify.com', key: 'Client ID', secret: 'Client secret' },
  },
  fastspring: {
    why: 'Its own list shows what got lost. The private key lets FastSpring show a code while the customer waits.',
    where: 'Developer Tools › APIs › API Credentials › Create.',
    fields: { key: 'API username', secret: 'API password', license_key: 'Private key of the license fulfillment' },
  },
  stripe: {
    why: 'What Stripe reports has no lines. Without this, nothing that is sold can be mapped.',
    where:
      'Developers › API keys › Create restricted key, which may read Checkout Sessions, Charges and Refunds, and Invoices.',
    fields: { key: 'Restricted key' },
  },
  paddle: {
    why: 'What Paddle reports has no email address. Without this, no customer gets a code.',
    where:
      'Developer Tools › Authentication › API keys, which may read transactions, customers, addresses and adjustments.',
    fields: { key: 'API key' },
  },
  lemonsqueezy: {
    why: 'Lemon Squeezy reports the first thing of an order only. Its API has the others.',
    where: 'Settings › API. A key lasts for one year, and test mode has keys of its own.',
    fields: { key: 'API key' },
  },
  gumroad: {
    why: 'Gumroad signs nothing, so each sale is read from its API before it counts.',
    where: 'Settings › Advanced › Applications › Create application › Generate access token.',
    fields: { key: 'Access token' },
  },
};

/** Whether the shop's sales give nothing until its API can be asked. */
export const needsApi = (kind: ShopKind): boolean => kind === 'stripe' || kind === 'paddle' || kind === 'gumroad';
