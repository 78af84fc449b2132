/**
 * `tenant` tables carry `developer_id` in every key and are joined, locked and changed by it. `reference` tables find a
 * tenant, or are read by all of them. `local` ones belong to sign-in and to the server itself. See docs/scaling.md.
 */
type Spread = 'tenant' | 'reference' | 'local';

interface Table {
  /** The feature that alone writes it. `platform`: packages/server/src/platform and the commands beside it. */
  owner: string;
  spread: Spread;
  /** Columns that belong to another feature, which may update them. */
  columns?: Record<string, string>;
  /** Why a local table has a developer, and no tenant. */
  because?: string;
}

/** Every table: the feature that owns it, and how it would be spread over many machines. */
export const tables: Record<string, Table> = {
  users: {
    owner: 'accounts',
    spread: 'reference',
    columns: {
      // a link in an email turns one of them off; the sources name it so
      '${setting}': 'emails',
      notify_redemptions: 'emails',
      notify_low_serials: 'emails',
      notify_announcements: 'emails',
      notify_inquiries: 'emails',
      notify_deals: 'emails',
      notify_webhook_fail: 'emails',
      // the digest keeps its own place
      digested_until: 'emails',
      first_steps_hidden_at: 'first-steps',
    },
  },
  sessions: { owner: 'accounts', spread: 'local' },
  known_places: { owner: 'accounts', spread: 'local' },
  access_tokens: { owner: 'accounts', spread: 'local' },
  saved_views: { owner: 'views', spread: 'local' },
  audit_events: { owner: 'audit', spread: 'local' },
  api_requests: { owner: 'audit', spread: 'local' },
  notices: { owner: 'notifications', spread: 'local' },
  notice_marks: { owner: 'notifications', spread: 'local' },
  password_resets: { owner: 'accounts', spread: 'local' },
  email_verifications: { owner: 'accounts', spread: 'local' },
  recovery_codes: { owner: 'accounts', spread: 'local' },
  partnerships: { owner: 'partnerships', spread: 'tenant' },
  // a reseller's pages find the developers here
  reseller_developers: { owner: 'partnerships', spread: 'reference' },
  partnership_events: { owner: 'partnerships', spread: 'tenant' },
  // an address without an account has no tenant
  invites: { owner: 'partnerships', spread: 'reference' },
  // set in the statement that counts what is left
  products: { owner: 'products', spread: 'tenant', columns: { low_serials_since: 'serials' } },
  deal_requests: { owner: 'deals', spread: 'tenant' },
  files: { owner: 'files', spread: 'tenant' },
  file_versions: { owner: 'products', spread: 'tenant' },
  version_emails: { owner: 'products', spread: 'tenant' },
  billing_statements: { owner: 'billing', spread: 'tenant' },
  billing_lines: { owner: 'billing', spread: 'tenant' },
  // we are who bills: one row of numbers for all developers
  billing_numbers: { owner: 'billing', spread: 'reference' },
  usage_months: { owner: 'plans', spread: 'tenant' },
  usage_days: { owner: 'plans', spread: 'tenant' },
  refresh_charges: { owner: 'plans', spread: 'tenant' },
  plan_changes: { owner: 'plans', spread: 'tenant' },
  // a link in an email stops those about new versions
  customers: { owner: 'customers', spread: 'tenant', columns: { no_updates_at: 'emails' } },
  customer_events: { owner: 'customers', spread: 'tenant' },
  batches: { owner: 'serials', spread: 'tenant' },
  // the counter of seats lives on the row whose lock decides who gets the last one; a draw hands serials out in its own statement
  serials: {
    owner: 'serials',
    spread: 'tenant',
    columns: {
      seats_used: 'licensing',
      max_activations: 'licensing',
      activated_at: 'licensing',
      // set in the statement that hands codes out, or takes them back, with the record of it
      handed_out_at: 'draws',
      draw_id: 'draws',
    },
  },
  serial_events: { owner: 'serials', spread: 'tenant' },
  // a reference is unique in a shop, which sells for many developers: it finds the developer
  draws: { owner: 'draws', spread: 'reference' },
  draw_items: { owner: 'draws', spread: 'tenant' },
  serial_downloads: { owner: 'draws', spread: 'tenant' },
  partner_low_stock: { owner: 'serials', spread: 'tenant' },
  redemptions: { owner: 'redemption', spread: 'tenant' },
  ledger_days: { owner: 'redemption', spread: 'tenant' },
  ledger_countries: { owner: 'redemption', spread: 'tenant' },
  plugin_key_days: { owner: 'plugin-keys', spread: 'tenant' },
  ledger_places: { owner: 'redemption', spread: 'tenant' },
  ledger_place_counts: { owner: 'redemption', spread: 'tenant' },
  ledger_adjustments: { owner: 'redemption', spread: 'tenant' },
  partner_totals: { owner: 'redemption', spread: 'tenant' },
  partner_months: { owner: 'redemption', spread: 'tenant' },
  partner_days: { owner: 'redemption', spread: 'tenant' },
  partner_calendars: { owner: 'redemption', spread: 'tenant' },
  payouts: { owner: 'payouts', spread: 'tenant' },
  payout_numbers: { owner: 'payouts', spread: 'tenant' },
  payout_payments: { owner: 'payouts', spread: 'tenant' },
  payout_messages: { owner: 'payouts', spread: 'tenant' },
  billing_customers: { owner: 'billing', spread: 'tenant' },
  setup_intents: { owner: 'billing', spread: 'tenant' },
  billing_logs: { owner: 'billing', spread: 'tenant' },
  billing_differences: { owner: 'billing', spread: 'tenant' },
  billing_reconciliations: { owner: 'billing', spread: 'reference' },
  stripe_events: { owner: 'billing', spread: 'reference' },
  redeem_tickets: { owner: 'redemption', spread: 'tenant' },
  custom_domains: { owner: 'branding', spread: 'reference' },
  webhook_endpoints: { owner: 'webhooks', spread: 'tenant' },
  webhook_events: { owner: 'webhooks', spread: 'tenant' },
  webhook_deliveries: { owner: 'webhooks', spread: 'tenant' },
  webhook_attempts: { owner: 'webhooks', spread: 'tenant' },
  webhook_days: { owner: 'webhooks', spread: 'tenant' },
  webhook_keys: { owner: 'webhooks', spread: 'tenant' },
  mails: {
    owner: 'emails',
    spread: 'local',
    because: 'our own emails have no developer, and each is written with its job, which is on the coordinator',
  },
  account_closings: { owner: 'emails', spread: 'tenant' },
  announcements: { owner: 'emails', spread: 'local' },
  imports: { owner: 'imports', spread: 'tenant' },
  plugin_keys: { owner: 'plugin-keys', spread: 'reference' },
  plugin_key_reveals: { owner: 'plugin-keys', spread: 'tenant' },
  signing_keys: { owner: 'licensing', spread: 'tenant' },
  product_keys: { owner: 'licensing', spread: 'tenant' },
  activations: { owner: 'licensing', spread: 'tenant' },
  seat_changes: { owner: 'licensing', spread: 'tenant' },
  seat_sums: { owner: 'licensing', spread: 'tenant' },
  seat_machines: { owner: 'licensing', spread: 'tenant' },
  machine_sums: { owner: 'licensing', spread: 'tenant' },
  seat_counts: { owner: 'licensing', spread: 'tenant' },
  trials: { owner: 'licensing', spread: 'tenant' },
  license_refusals: { owner: 'licensing', spread: 'tenant' },
  license_refusal_days: { owner: 'licensing', spread: 'tenant' },
  idempotency_records: { owner: 'platform', spread: 'local' },
  rate_limits: { owner: 'platform', spread: 'local' },
  rolling_migrations: { owner: 'platform', spread: 'local' },
  restores: { owner: 'platform', spread: 'reference' },
  secret_probes: { owner: 'platform', spread: 'local' },
};

/** Tables of all machines to which those of tenants refer by foreign keys: each machine locks its own row of them. */
export const referredTables: ReadonlySet<string> = new Set(['plugin_keys', 'reseller_developers', 'users']);

export const tenantTables: ReadonlySet<string> = new Set(
  Object.keys(tables).filter((name) => tables[name]?.spread === 'tenant'),
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
      'views',
      'webhooks',
    ],
  },
  reseller_developers: {
    because: 'a digest is about all developers of a reseller; the owner itself sends emails',
    features: ['emails'],
  },
  products: {
    because: 'names, prices and limits are part of what is listed, exported or decided; one query each would be slow',
    features: [
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
      'redemption',
      'reseller-sales',
      'search',
      'serials',
    ],
  },
  batches: {
    because: 'what a serial costs, allows and belongs to is said by its batch',
    features: [
      'analytics',
      'customers',
      'deals',
      'draws',
      'first-steps',
      'imports',
      'licensing',
      'emails',
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
      'products',
      'redemption',
      'reseller-sales',
      'search',
    ],
  },
  file_versions: {
    because: 'a file that a version keeps cannot be deleted, and customers read which version they get',
    features: ['files', 'emails', 'redemption'],
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
  serial_events: { because: 'part of the history of a customer', features: ['customers'] },
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
      'payouts',
      'redemption',
      'reseller-sales',
      'search',
      'serials',
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
      'first-steps',
      'emails',
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
    features: ['deals', 'emails', 'redemption'],
  },
  ledger_adjustments: {
    because: 'what was given back is shown with its serial and its batch',
    features: ['analytics', 'draws', 'payouts', 'reseller-sales', 'serials'],
  },
  usage_months: { because: 'what is owed of months that are still open', features: ['payouts'] },
  refresh_charges: { because: 'what the refreshes of a month cost each', features: ['billing'] },
  ledger_days: {
    because: 'the daily sums exist for figures and totals',
    features: ['analytics', 'products', 'serials'],
  },
  payouts: { because: 'a statement is found by its number', features: ['search'] },
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
    features: ['customers', 'redemption', 'serials'],
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
};
