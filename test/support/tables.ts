/**
 * `tenant` tables carry `developer_id` in every key and are joined, locked and changed by it. `reference` tables find a
 * tenant, or are read by all of them. `local` ones belong to sign-in and to the server itself. See docs/scaling.md.
 */
type Spread = 'tenant' | 'reference' | 'local';

/** Every table: the feature that alone writes it, and how it would be spread over many machines. */
export const tables: Record<string, { owner: string; spread: Spread }> = {
  users: { owner: 'accounts', spread: 'reference' },
  sessions: { owner: 'accounts', spread: 'local' },
  known_places: { owner: 'accounts', spread: 'local' },
  access_tokens: { owner: 'accounts', spread: 'local' },
  password_resets: { owner: 'accounts', spread: 'local' },
  email_verifications: { owner: 'accounts', spread: 'local' },
  recovery_codes: { owner: 'accounts', spread: 'local' },
  partnerships: { owner: 'partnerships', spread: 'tenant' },
  products: { owner: 'products', spread: 'tenant' },
  files: { owner: 'files', spread: 'tenant' },
  usage_months: { owner: 'plans', spread: 'tenant' },
  refresh_charges: { owner: 'plans', spread: 'tenant' },
  customers: { owner: 'customers', spread: 'tenant' },
  batches: { owner: 'serials', spread: 'tenant' },
  serials: { owner: 'serials', spread: 'tenant' },
  serial_events: { owner: 'serials', spread: 'tenant' },
  redemptions: { owner: 'redemption', spread: 'tenant' },
  ledger_days: { owner: 'redemption', spread: 'tenant' },
  ledger_countries: { owner: 'redemption', spread: 'tenant' },
  redeem_tickets: { owner: 'redemption', spread: 'tenant' },
  custom_domains: { owner: 'branding', spread: 'reference' },
  mails: { owner: 'notifications', spread: 'local' },
  account_closings: { owner: 'notifications', spread: 'tenant' },
  announcements: { owner: 'notifications', spread: 'local' },
  imports: { owner: 'imports', spread: 'tenant' },
  plugin_keys: { owner: 'plugin-keys', spread: 'reference' },
  plugin_key_reveals: { owner: 'plugin-keys', spread: 'tenant' },
  signing_keys: { owner: 'licensing', spread: 'tenant' },
  product_keys: { owner: 'licensing', spread: 'tenant' },
  activations: { owner: 'licensing', spread: 'tenant' },
  trials: { owner: 'licensing', spread: 'tenant' },
  license_refusals: { owner: 'licensing', spread: 'tenant' },
  idempotency_records: { owner: 'platform', spread: 'local' },
  rate_limits: { owner: 'platform', spread: 'local' },
  rolling_migrations: { owner: 'platform', spread: 'local' },
  secret_probes: { owner: 'platform', spread: 'local' },
};

export const tenantTables: ReadonlySet<string> = new Set(
  Object.keys(tables).filter((name) => tables[name]?.spread === 'tenant'),
);
