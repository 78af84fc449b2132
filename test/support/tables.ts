import { spread } from '../../packages/server/src/spread.ts';

interface Table {
  /** The feature that alone writes it. `platform`: packages/server/src/platform and the commands beside it. */
  owner: string;
  /** Another that adds rows: an archive is restored across features. */
  addedBy?: string;
  /** Columns that belong to another feature, which may update them. */
  columns?: Record<string, string>;
  /** Why a local table has a developer, and no tenant. */
  because?: string;
}

/** Every table: the feature that owns it. How it is spread over many machines is in the server. */
export const tables: Record<string, Table> = {
  users: {
    owner: 'accounts',
    addedBy: 'platform',
    columns: {
      // a link in an email turns one of them off; the sources name it so
      '${setting}': 'emails',
      notify_redemptions: 'emails',
      notify_low_serials: 'emails',
      notify_announcements: 'emails',
      notify_inquiries: 'emails',
      notify_deals: 'emails',
      notify_shops: 'emails',
      notify_webhook_fail: 'emails',
      // the digest keeps its own place
      digested_until: 'emails',
      first_steps_hidden_at: 'first-steps',
    },
  },
  sessions: { owner: 'accounts' },
  device_sign_ins: { owner: 'accounts' },
  known_places: { owner: 'accounts' },
  access_tokens: { owner: 'accounts' },
  oidc_trusts: { owner: 'accounts' },
  spent_identity_tokens: { owner: 'accounts' },
  saved_views: { owner: 'views' },
  audit_events: { owner: 'audit' },
  api_requests: { owner: 'audit' },
  notices: { owner: 'notifications' },
  notice_marks: { owner: 'notifications' },
  password_resets: { owner: 'accounts' },
  email_verifications: { owner: 'accounts' },
  recovery_codes: { owner: 'accounts' },
  // one with a reseller who is not on the server is ended when an account is restored
  partnerships: { owner: 'partnerships', columns: { status: 'platform', ended_at: 'platform' } },
  // a reseller's pages find the developers here
  reseller_developers: { owner: 'partnerships' },
  partnership_events: { owner: 'partnerships' },
  // an address without an account has no tenant
  invites: { owner: 'partnerships' },
  // set in the statement that counts what is left
  products: { owner: 'products', columns: { low_serials_since: 'serials' } },
  deal_requests: { owner: 'deals' },
  files: { owner: 'files' },
  file_versions: { owner: 'products' },
  version_emails: { owner: 'products' },
  billing_statements: { owner: 'billing' },
  billing_lines: { owner: 'billing' },
  // we are who bills: one row of numbers for all developers
  billing_numbers: { owner: 'billing' },
  usage_months: { owner: 'plans' },
  usage_days: { owner: 'plans' },
  refresh_charges: { owner: 'plans' },
  plan_changes: { owner: 'plans' },
  // a link in an email stops those about new versions
  customers: { owner: 'customers', columns: { no_updates_at: 'emails' } },
  customer_events: { owner: 'customers' },
  batches: { owner: 'serials' },
  // the counter of seats lives on the row whose lock decides who gets the last one; a draw hands serials out in its own statement
  serials: {
    owner: 'serials',
    columns: {
      seats_used: 'licensing',
      max_activations: 'licensing',
      activated_at: 'licensing',
      // set in the statement that hands codes out, or takes them back, with the record of it
      handed_out_at: 'draws',
      draw_id: 'draws',
    },
  },
  serial_events: { owner: 'serials' },
  // a reference is unique in a shop, which sells for many developers: it finds the developer
  draws: { owner: 'draws' },
  draw_items: { owner: 'draws' },
  serial_downloads: { owner: 'draws' },
  partner_low_stock: { owner: 'serials' },
  redemptions: { owner: 'redemption' },
  ledger_days: { owner: 'redemption' },
  ledger_countries: { owner: 'redemption' },
  plugin_key_days: { owner: 'plugin-keys' },
  ledger_places: { owner: 'redemption' },
  ledger_place_counts: { owner: 'redemption' },
  ledger_adjustments: { owner: 'redemption' },
  partner_totals: { owner: 'redemption' },
  partner_months: { owner: 'redemption' },
  partner_days: { owner: 'redemption' },
  partner_calendars: { owner: 'redemption' },
  payouts: { owner: 'payouts' },
  payout_numbers: { owner: 'payouts' },
  payout_payments: { owner: 'payouts' },
  payout_messages: { owner: 'payouts' },
  billing_customers: { owner: 'billing' },
  setup_intents: { owner: 'billing' },
  billing_logs: { owner: 'billing' },
  billing_differences: { owner: 'billing' },
  billing_reconciliations: { owner: 'billing' },
  stripe_events: { owner: 'billing' },
  redeem_tickets: { owner: 'redemption' },
  custom_domains: { owner: 'branding' },
  webhook_endpoints: { owner: 'webhooks' },
  webhook_events: { owner: 'webhooks' },
  webhook_deliveries: { owner: 'webhooks' },
  webhook_attempts: { owner: 'webhooks' },
  webhook_days: { owner: 'webhooks' },
  webhook_keys: { owner: 'webhooks' },
  shop_connections: { owner: 'shops' },
  shop_farewells: { owner: 'shops' },
  shop_items: { owner: 'shops' },
  shop_deliveries: { owner: 'shops' },
  shop_orders: { owner: 'shops' },
  shop_order_links: { owner: 'shops' },
  shop_lines: { owner: 'shops' },
  shop_units: { owner: 'shops' },
  shop_reversals: { owner: 'shops' },
  // the rate of a currency is the same for everybody
  shop_rates: { owner: 'shops' },
  mails: {
    owner: 'emails',
    because: 'our own emails have no developer, and each is written with its job, which is on the coordinator',
  },
  account_archives: { owner: 'archives' },
  account_closings: { owner: 'emails' },
  announcements: { owner: 'emails' },
  imports: { owner: 'imports' },
  import_plans: { owner: 'imports' },
  plugin_keys: { owner: 'plugin-keys' },
  plugin_key_reveals: { owner: 'plugin-keys' },
  signing_keys: { owner: 'licensing' },
  product_keys: { owner: 'licensing' },
  expansion_secrets: { owner: 'licensing' },
  product_unlocks: { owner: 'licensing' },
  activations: { owner: 'licensing' },
  offline_releases: { owner: 'licensing' },
  seat_changes: { owner: 'licensing' },
  seat_sums: { owner: 'licensing' },
  seat_machines: { owner: 'licensing' },
  machine_sums: { owner: 'licensing' },
  seat_counts: { owner: 'licensing' },
  trials: { owner: 'licensing' },
  license_refusals: { owner: 'licensing' },
  license_refusal_days: { owner: 'licensing' },
  license_device_codes: { owner: 'licensing' },
  license_seat_codes: { owner: 'licensing' },
  idempotency_records: { owner: 'platform' },
  rate_limits: { owner: 'platform' },
  rolling_migrations: { owner: 'platform' },
  restores: { owner: 'platform' },
  secret_probes: { owner: 'platform' },
};

/** Tables of all machines to which those of tenants refer by foreign keys: each machine locks its own row of them. */
export const referredTables: ReadonlySet<string> = new Set(['plugin_keys', 'reseller_developers', 'users']);

export const tenantTables: ReadonlySet<string> = new Set(
  Object.keys(spread).filter((name) => spread[name] === 'tenant'),
);

/** Features that read tables of others in their own statements, by table, each with the reason. Everybody else asks the owner. */
export const readers: Record<string, { because: string; features: string[] }> = {
  users: {
    because: 'whether the account is open, its name and its limits decide in the same statement that acts on it',
    features: [
      'audit',
      'billing',
      'branding',
      'deals',
      'draws',
      'first-steps',
      'imports',
      'licensing',
      'emails',
      'partnerships',
      'payouts',
      'plans',
      'plugin-keys',
      'redemption',
      'reseller-sales',
      'search',
      'serials',
      'shops',
      'views',
      'webhooks',
      // the whole account is one archive
      'platform',
    ],
  },
  reseller_developers: {
    because: 'a digest is about all developers of a reseller; the owner itself sends emails',
    features: ['emails'],
  },
  products: {
    because: 'names, prices and limits are part of what is listed, exported or decided; one query each would be slow',
    features: [
      // an account is held on the machine of its products
      'accounts',
      'analytics',
      'customers',
      'deals',
      'draws',
      'files',
      'first-steps',
      'imports',
      'licensing',
      'emails',
      'partnerships',
      'payouts',
      'plans',
      'redemption',
      'reseller-sales',
      'search',
      'serials',
      'shops',
      // its picture is part of an archive
      'platform',
    ],
  },
  batches: {
    because: 'the batch has what a serial costs, allows and belongs to',
    features: [
      'analytics',
      'customers',
      'deals',
      'draws',
      'emails',
      'first-steps',
      'imports',
      'licensing',
      'partnerships',
      'payouts',
      'products',
      'redemption',
      'reseller-sales',
      'search',
    ],
  },
  serials: {
    because: 'redeeming, licensing and everything about a customer begins at the serial',
    features: [
      'analytics',
      'customers',
      'deals',
      'draws',
      'imports',
      'licensing',
      'emails',
      'payouts',
      'plans',
      'products',
      'redemption',
      'reseller-sales',
      'search',
    ],
  },
  imports: { because: 'the file of an import is in the storage until it is complete', features: ['platform'] },
  import_plans: { because: 'what is stored of an account is part of its archive', features: ['platform'] },
  file_versions: {
    because: 'a file that a version keeps cannot be deleted, and customers read which version they get',
    features: ['files', 'emails', 'redemption'],
  },
  product_unlocks: {
    because:
      'whether a product is unlocked for good is part of what its owner sees, and whether there are some of what its page shows',
    features: ['redemption', 'branding'],
  },
  access_tokens: { because: 'what a token was called when it acted is part of the audit log', features: ['audit'] },
  plugin_keys: {
    because: 'whether there is one is a step of a new account, and what it was called is part of the log of requests',
    features: ['audit', 'first-steps'],
  },
  partner_low_stock: { because: 'how many products are low is part of a reseller’s row', features: ['partnerships'] },
  draws: {
    because: 'under which reference a serial was handed out is part of its history, and finds it',
    features: ['search', 'serials'],
  },
  draw_items: {
    because: 'when a serial was handed out and returned is part of its history, and which ones an order got',
    features: ['search', 'serials'],
  },
  shop_connections: {
    because: 'what a shop is called is shown with its orders and sums',
    features: ['analytics', 'search'],
  },
  shop_orders: {
    because: 'an order is found by its number, shown with its serials, and counted by its shop',
    features: ['analytics', 'search', 'serials'],
  },
  shop_units: {
    because: 'which order a serial was sold in is shown with it, and what it earned is counted by its shop',
    features: ['analytics', 'serials'],
  },
  serial_events: {
    because: 'part of the history of a customer; and an import is taken back while nothing has happened since',
    features: ['customers', 'imports'],
  },
  customers: {
    because: 'who owns a serial is checked or shown with it',
    features: [
      'deals',
      'imports',
      'licensing',
      'emails',
      'payouts',
      'products',
      'redemption',
      'reseller-sales',
      'search',
      'serials',
    ],
  },
  partnerships: {
    because: 'the reseller and its commission are terms of a batch',
    features: [
      'analytics',
      'customers',
      'deals',
      'draws',
      'emails',
      'imports',
      'payouts',
      'redemption',
      'reseller-sales',
      'search',
      'serials',
      'shops',
    ],
  },
  redemptions: {
    because: 'lists and sums of sales are joined with what was sold',
    features: [
      'analytics',
      'billing',
      'customers',
      'deals',
      'draws',
      'emails',
      'first-steps',
      'imports',
      'partnerships',
      'payouts',
      'reseller-sales',
      'serials',
    ],
  },
  partner_totals: {
    because: 'what was redeemed is shown with a product and a partner, and sorts',
    features: ['deals', 'partnerships', 'payouts', 'reseller-sales'],
  },
  files: {
    because: 'how large a product’s downloads are is shown with it',
    features: ['platform', 'deals', 'emails', 'redemption'],
  },
  ledger_adjustments: {
    because: 'what was given back is shown with its serial and its batch',
    features: ['analytics', 'draws', 'imports', 'payouts', 'reseller-sales', 'serials'],
  },
  usage_months: { because: 'what is owed of months that are still open', features: ['payouts'] },
  refresh_charges: { because: 'what the refreshes of a month cost each', features: ['billing'] },
  ledger_days: {
    because: 'the daily sums exist for figures and totals',
    features: ['analytics', 'products', 'serials'],
  },
  payouts: {
    because: 'a statement is found by its number, and keeps an import with its sales from being taken back',
    features: ['imports', 'search'],
  },
  billing_statements: { because: 'an invoice is found by its number', features: ['search'] },
  ledger_countries: { because: 'the daily sums exist for figures', features: ['analytics', 'serials'] },
  webhook_endpoints: {
    because: 'whether one asks for a redemption is read in the statement that is on its way to the account anyhow',
    features: ['serials'],
  },
  ledger_places: { because: 'the daily sums exist for figures', features: ['analytics'] },
  ledger_place_counts: { because: 'from which day on those sums are complete', features: ['analytics'] },
  license_refusals: {
    because: 'why a plugin was refused is part of the history of a serial and of a customer',
    features: ['customers', 'serials'],
  },
  activations: {
    because: 'the machines of a serial are shown with it',
    features: ['customers', 'imports', 'redemption', 'serials'],
  },
  custom_domains: { because: 'the address in an email is the developer’s own', features: ['emails'] },
  partner_months: { because: 'the monthly sums exist for figures', features: ['payouts', 'reseller-sales'] },
  serial_downloads: { because: 'stock is counted once, with what of it is in files', features: ['reseller-sales'] },
  partner_days: { because: 'the daily sums exist for figures', features: ['reseller-sales'] },
  partner_calendars: {
    because: 'whether the days of a partnership are those of its reader',
    features: ['reseller-sales'],
  },
};

/** Features in whose statements an event is recorded, by the one that makes it true. */
const recording = ['customers', 'licensing', 'redemption'];

/** Tables that are used in statements of others by SQL that their owner lends: the borrowers’ own sources name none of them. */
export const lent: Record<string, readonly string[]> = {
  webhook_endpoints: recording,
  webhook_events: recording,
  webhook_deliveries: recording,
  // one condition finds what was built on an import that is taken back, in the statements of all features whose rows go
  customer_events: ['imports'],
  payouts: ['redemption', 'serials'],
  serial_events: ['redemption'],
};
