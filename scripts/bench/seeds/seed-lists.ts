import type pg from 'pg';

/** Ids of an account, as SQL: `kind` is one digit, `number` an expression. */
const idsOf = (mark: number) => (kind: string, number: string) =>
  `('${prefixOf(mark)}${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
const prefixOf = (mark: number) => `0199${mark.toString(16).padStart(2, '0')}d`;

/** The place of the id of the account's webhook in {@link grown}. */
export const WEBHOOK = 'WEBHOOK';

/** The lists that {@link seedGrown} fills, as they are asked for. */
export const grown: readonly string[] = [
  'products list',
  'serials batches',
  'customers emails',
  'files list',
  'license refusals',
  'webhooks events',
  `webhooks deliveries ${WEBHOOK}`,
  'account audit',
  'account notifications',
  'deals requests',
  'resellers list',
  'resellers downloads',
  'invites sent',
];

/** The webhook of a seeded account. */
export const webhookOf = (mark: number): string => `${prefixOf(mark)}a-0000-7000-8000-000000000000`;

/**
 * Fills every list of an account that grows with time and trade, but for serials, customers and sales. Straight into the tables: this is
 * ground to measure on, not data to trust.
 * @param mark 1 to 255, different for each account, so that ids do not meet.
 */
export async function seedGrown(db: pg.Client, developerId: string, rows: number, mark: number): Promise<void> {
  const id = idsOf(mark);
  const owner = `'${developerId}'`;
  const [product, batch] = [id('1', '0'), id('2', '0')];
  const webhook = `'${webhookOf(mark)}'::uuid`;
  /** One row for each `i`, within the last 20 days. */
  const each = (table: string, columns: Record<string, string>) =>
    db.query(
      `insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')} from generate_series(0, ${rows - 1}) i`,
    );
  const one = (table: string, columns: Record<string, string>) =>
    db.query(`insert into ${table} (${Object.keys(columns).join(', ')}) select ${Object.values(columns).join(', ')}`);
  const when = `now() - interval '20 days' * (1 - (i + 1)::float8 / ${rows})`;
  // the rows are sound by the way they are made; checking ten million keys would take longer than making them
  await db.query('set session_replication_role = replica');
  try {
    await each('products', {
      id: id('1', 'i'),
      developer_id: owner,
      name: "'Grown ' || i",
      name_key: "'grown ' || i",
      feature_list: "'[]'",
      file_urls: "'[]'",
      is_draft: 'false',
      price_cents: '1000',
      created_at: when,
      updated_at: when,
    });
    await each('batches', {
      id: id('2', 'i'),
      developer_id: owner,
      product_id: id('1', 'i'),
      origin: "'generate'",
      quantity: '1',
      created_at: when,
    });
    await each('mails', {
      id: id('8', 'i'),
      developer_id: owner,
      kind: "'redemption'",
      recipient: "'fan' || i || '@example.com'",
      recipient_key: "'fan' || i || '@example.com'",
      subject: "'Your serial'",
      created_at: when,
      sent_at: when,
    });
    await each('files', {
      id: id('9', 'i'),
      developer_id: owner,
      name: "'Grown-' || i || '.dmg'",
      parts: "'[]'",
      received: '3',
      size: '3',
      upload_id: "'grown-' || i",
      created_at: when,
      updated_at: when,
      completed_at: when,
    });
    await each('license_refusals', {
      id: id('b', 'i'),
      developer_id: owner,
      action: "'validate'",
      status: "'seat_limit'",
      product_id: product,
      machine: "'machine-' || i",
      at: when,
    });
    await one('webhook_endpoints', {
      id: webhook,
      developer_id: owner,
      description: "''",
      enabled: 'true',
      events: "array['*']",
      include_personal: 'false',
      secret: "'\\x00'::bytea",
      signature: "'v1'",
      url: "'https://hooks.example.com/'",
      created_at: 'now()',
    });
    await each('webhook_events', {
      id: id('c', 'i'),
      developer_id: owner,
      type: "'serial.redeemed'",
      data: `'{"product_id":"' || ${product} || '"}'`,
      object_ids: `array[${product}]`,
      occurred_at: when,
      xid: '3',
    });
    await each('webhook_deliveries', {
      id: id('d', 'i'),
      developer_id: owner,
      endpoint_id: webhook,
      event_id: id('c', 'i'),
      type: "'serial.redeemed'",
      state: "'delivered'",
      attempts: '1',
      created_at: when,
      delivered_at: when,
    });
    await each('audit_events', {
      id: id('e', 'i'),
      account_id: owner,
      action: "'serials_exported'",
      detail: "'all'",
      via: "'session'",
      at: when,
    });
    await each('notices', {
      id: id('f', 'i'),
      account_id: owner,
      kind: "'low_serials'",
      title: "'Low stock'",
      detail: "'10 left'",
      at: when,
    });
    await each('partnerships', {
      id: id('0', 'i'),
      developer_id: owner,
      name: "'Shop ' || i",
      name_key: "'shop ' || i",
      status: "'named'",
      created_at: when,
    });
    await each('deal_requests', {
      id: id('1', `i + ${rows}`),
      developer_id: owner,
      partnership_id: id('0', 'i'),
      product_id: product,
      product_name: "'Grown 0'",
      price_cents: '500',
      quantity: '10',
      status: "'pending'",
      created_at: when,
    });
    await each('serial_downloads', {
      id: id('2', `i + ${rows}`),
      developer_id: owner,
      partnership_id: id('0', 'i'),
      product_id: product,
      batch_id: batch,
      codes: '10',
      downloaded_at: when,
    });
    await each('invites', {
      id: id('3', `i + ${rows}`),
      inviter_id: owner,
      request_id: id('3', `i + ${rows}`),
      role: "'reseller'",
      email: "'shop' || i || '@example.com'",
      email_key: "'shop' || i || '@example.com'",
      state: "'pending'",
      created_at: when,
      sent_at: when,
      expires_at: "now() + interval '30 days'",
    });
  } finally {
    await db.query('set session_replication_role = default');
  }
  for (const table of TABLES) await db.query(`vacuum analyze ${table}`);
}

const TABLES = [
  'products',
  'batches',
  'mails',
  'files',
  'license_refusals',
  'webhook_events',
  'webhook_deliveries',
  'audit_events',
  'notices',
  'partnerships',
  'deal_requests',
  'serial_downloads',
  'invites',
];
