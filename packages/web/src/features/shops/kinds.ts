import type { Shop, ShopKind } from '#lib/types.ts';
import type { Guide } from '#ui/buttons/help-link.tsx';

/** One thing to do in the shop. */
export interface Step {
  /** The clicks in the shop's own words. `›` leads from one to the next. */
  where?: string;
  text: string;
  /** The text that is pasted there. */
  paste?: 'address' | 'secret' | 'license';
  /** The value that the shop shows and that has to be pasted here. */
  takes?: 'secret';
}

export interface KindWords {
  name: string;
  /** A description for people who choose a kind. */
  about: string;
  /** Whose secret signs what it sends. */
  secret: 'ours' | 'theirs' | 'none';
  /** The name of its secret in the shop. */
  secretName: string;
  steps: readonly Step[];
  /** How to make it report something at once. */
  tryIt: string;
  /** Notes to read before the first sale. */
  notes: readonly string[];
  guide: Guide;
}

/** Each kind of shop, with its clicks as that shop calls them. */
export const kindWords: Record<ShopKind, KindWords> = {
  shopify: {
    name: 'Shopify',
    about: 'Reports each order by a webhook of the shop. No app has to be installed.',
    secret: 'theirs',
    secretName: 'signing key',
    steps: [
      {
        where: 'Settings › Notifications › Webhooks',
        text: 'In your Shopify admin, open Webhooks and press “Create webhook”.',
      },
      {
        where: 'Event: Order creation · Format: JSON',
        text: 'Paste this address as the URL, choose the newest stable version, and save.',
        paste: 'address',
      },
      {
        where: 'Order payment, Order update, Order cancellation, Refund create',
        text: 'Create one more webhook with the same URL for each of these events. Without the last one, no refund takes a serial back.',
      },
      {
        where: 'Webhooks › “Your webhooks will be signed with …”',
        text: 'Copy the signing key that is shown below the list, and paste it here. It is the same for all webhooks of the shop.',
        takes: 'secret',
      },
    ],
    tryIt: 'Open the menu of one of the webhooks and press “Send test”, or place a test order.',
    notes: ['Shopify deletes a webhook that fails eight times in a row, and notifies nobody.'],
    guide: 'shops-shopify',
  },
  woocommerce: {
    name: 'WooCommerce',
    about: 'Reports each order by a webhook of WooCommerce in WordPress.',
    secret: 'ours',
    secretName: 'Secret',
    steps: [
      {
        where: 'WooCommerce › Settings › Advanced › Webhooks',
        text: 'In your WordPress admin, open Webhooks and press “Add webhook”.',
      },
      {
        where: 'Status: Active · Topic: Order created',
        text: 'Paste this address as the Delivery URL.',
        paste: 'address',
      },
      { where: 'Secret', text: 'Paste this secret in place of the one that is there.', paste: 'secret' },
      { where: 'API Version: WP REST API Integration v3', text: 'Choose it, and press “Save webhook”.' },
      {
        where: 'Topic: Order updated',
        text: 'Add a second webhook in the same way, with this topic. It reports payments and refunds.',
      },
    ],
    tryIt: 'Place an order that costs nothing, or set an order that is there to “Completed”.',
    notes: [
      'WooCommerce sends each report once. What it could not deliver is lost until the shop’s own list is read.',
      'It switches a webhook off after more than five failures in a row, and notifies nobody.',
      'An order counts as paid when it is “Processing” or “Completed”.',
      'Which part of an order was refunded is known to its API only: open it on the shop’s page, and that part’s serial is taken back.',
    ],
    guide: 'shops-woocommerce',
  },
  fastspring: {
    name: 'FastSpring',
    about: 'Reports each order by a webhook of FastSpring.',
    secret: 'ours',
    secretName: 'HMAC SHA256 Secret',
    steps: [
      {
        where: 'Developer Tools › Webhooks › Configuration',
        text: 'In the FastSpring app, press “Add Webhook”, name it, and choose live, test or both.',
      },
      {
        where: 'Enable webhook expansion',
        text: 'Select it and press “Add”. Without it, a refund or a chargeback names no order, and takes no serial back.',
      },
      {
        where: 'URL',
        text: 'Add a URL to that webhook, and paste this address.',
        paste: 'address',
      },
      {
        where: 'HMAC SHA256 Secret',
        text: 'Paste this secret. FastSpring lets you leave it out; what comes without it is refused here.',
        paste: 'secret',
      },
      {
        where: 'order.completed, order.canceled, return.created, chargeback.created, subscription.charge.completed',
        text: 'Choose these events and save.',
      },
      {
        where: 'Product › Fulfillments › Edit › Add Fulfillment › Generate a License › Remote Server Request',
        text: 'Optional: FastSpring shows the codes on its completion page and in its receipt. Paste this address as the URL, and choose HTTP POST, UTF-8 and “Single-Line License (Quantity Based)”. Do this for each product.',
        paste: 'license',
      },
      {
        where: 'Parameters and Security of that fulfillment',
        text: 'Select the parameters reference, internalProductName, quantity, email, name and test. Give all products the same private key, and paste it with “Open the shop’s API”, in the menu of the shop’s page. In its settings, choose that the shop gives the codes.',
      },
    ],
    tryIt: 'Place an order in the test mode of your store, with a shop here that is for tests.',
    notes: [],
    guide: 'shops-fastspring',
  },
  stripe: {
    name: 'Stripe',
    about: 'Checkout and Payment Links of your own Stripe account.',
    secret: 'theirs',
    secretName: 'signing secret',
    steps: [
      { where: 'Workbench › Webhooks', text: 'In your Stripe Dashboard, press “Add destination”.' },
      {
        where:
          'checkout.session.completed, checkout.session.async_payment_succeeded, checkout.session.async_payment_failed, refund.created, refund.updated, refund.failed, charge.dispute.created, charge.dispute.closed, invoice.paid',
        text: 'Select these events of your account.',
      },
      { where: 'Webhook · URL', text: 'Paste this address and create the destination.', paste: 'address' },
      {
        where: 'Signing secret › Reveal',
        text: 'Copy the secret, which begins with whsec_, and paste it here.',
        takes: 'secret',
      },
    ],
    tryIt: 'Pay one of your Payment Links in test mode, with a shop here that is for tests.',
    notes: ['Test mode and live mode have a secret each, so connect a shop for each of them.'],
    guide: 'shops-stripe',
  },
  paddle: {
    name: 'Paddle',
    about: 'Reports each transaction of Paddle Billing. Classic is another system.',
    secret: 'theirs',
    secretName: 'secret key',
    steps: [
      { where: 'Developer Tools › Notifications', text: 'In Paddle, press “New destination” and choose webhook.' },
      { where: 'URL', text: 'Paste this address.', paste: 'address' },
      { where: 'transaction.completed, adjustment.created, adjustment.updated', text: 'Select these events and save.' },
      {
        where: 'Edit destination › Secret key',
        text: 'Copy the key, which begins with pdl_ntfset_, and paste it here.',
        takes: 'secret',
      },
    ],
    tryIt: 'Send one with “Simulations”, or buy something in your sandbox.',
    notes: ['The sandbox is another account with another secret: connect it as a shop of its own, for tests.'],
    guide: 'shops-paddle',
  },
  lemonsqueezy: {
    name: 'Lemon Squeezy',
    about: 'Reports each order by a webhook of your store.',
    secret: 'ours',
    secretName: 'Signing secret',
    steps: [
      { where: 'Settings › Webhooks', text: 'In Lemon Squeezy, press the plus sign.' },
      { where: 'Callback URL', text: 'Paste this address.', paste: 'address' },
      { where: 'Signing secret', text: 'Paste this secret.', paste: 'secret' },
      {
        where: 'order_created, order_refunded, subscription_payment_success, subscription_payment_refunded',
        text: 'Select these events and save.',
      },
    ],
    tryIt: 'Buy something in test mode, with a shop here that is for tests.',
    notes: [],
    guide: 'shops-lemonsqueezy',
  },
  gumroad: {
    name: 'Gumroad',
    about: 'Reports each sale by a ping.',
    secret: 'none',
    secretName: 'secret',
    steps: [
      {
        where: 'Settings › Advanced › Ping',
        text: 'Paste this address and press “Update settings”. Gumroad signs nothing, so keep the address to yourself.',
        paste: 'address',
      },
    ],
    tryIt: 'Press “Send test ping to URL”. It repeats your last real sale as a test.',
    notes: ['The ping reports sales only. Its API, once it is open, reports refunds and disputes too.'],
    guide: 'shops-gumroad',
  },
  other: {
    name: 'Any other shop',
    about: 'A program of yours, or Zapier and Make, that signs as Standard Webhooks does.',
    secret: 'ours',
    secretName: 'secret',
    steps: [
      {
        where: 'sale.created, sale.refunded, sale.disputed, sale.dispute_won',
        text: 'Have your shop send these events to this address.',
        paste: 'address',
      },
      {
        where: 'webhook-id, webhook-timestamp, webhook-signature',
        text: 'Sign them with this secret, as Standard Webhooks does. Libraries in many languages do that.',
        paste: 'secret',
      },
    ],
    tryIt: 'Send a sale.created with “test”: true.',
    notes: ['A sale can also be recorded by one call, without a webhook: POST /api/sales.'],
    guide: 'shops-other',
  },
};

export const kinds = Object.keys(kindWords) as ShopKind[];

/** The address at which FastSpring asks for codes while the customer waits. Other kinds don't ask. */
export const licenseAddressOf = ({ kind, address }: Pick<Shop, 'kind' | 'address'>): string | null =>
  kind === 'fastspring' ? `${address}/license` : null;
