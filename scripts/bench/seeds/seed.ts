import type pg from 'pg';
import { recountSeats } from '../../../packages/server/src/features/licensing/seats/sums.ts';
import { rebuildSums } from '../../../packages/server/src/features/redemption/ledger/recount.ts';
import { sqlOf } from '../../../packages/server/src/platform/db/database.ts';

const PRODUCTS = 5;
const DAYS = 365;
const OPEN_BATCHES = 3;
/** How many serials belong to one customer. */
const PER_CUSTOMER = 4;
/** Machines of each serial, where they are asked for: one less than a product has seats. */
export const SEEDED_MACHINES = 2;

/** The serial of a number. */
export const seededCode = (index: number) => `SEED-${index.toString(16).toUpperCase().padStart(8, '0')}`;

const idOf = (mark: number) => (kind: number, number: string) =>
  `('0199${mark.toString(16).padStart(2, '0')}0${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/**
 * Fills an account with a year of redemptions, evenly spread over its days, five products, a reseller, twenty countries
 * and a quarter as many customers. Straight into the tables: this is ground to measure on, not data to trust.
 * @param mark 1 to 255, different for each account, so that ids do not meet.
 * @param machines that each serial has been activated on.
 * @param analyzed false: the database's statistics do not know of it, as right after an import.
 */
export async function seedLedger(
  db: pg.Client,
  developerId: string,
  quantity: number,
  mark: number,
  machines = 0,
  analyzed = true,
): Promise<void> {
  if (quantity >= MANY && machines === 0 && analyzed)
    return withoutIndexes(db, GROWN, () => fill(db, developerId, quantity, mark, machines, true));
  return fill(db, developerId, quantity, mark, machines, analyzed);
}

/** From this size on, it is faster to make the indexes anew than to keep them. */
const MANY = 1_000_000;
const GROWN = ['customers', 'serials', 'redemptions'];

/** Drops the indexes of the tables that grow, but for those that constraints need, and makes them again afterwards. */
export async function withoutIndexes(
  db: pg.Client,
  tables: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const { rows } = await db.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::regclass[]) and not i.indisunique`,
    [tables],
  );
  await db.query("set maintenance_work_mem = '512MB'");
  await db.query('set synchronous_commit = off');
  for (const { name } of rows) await db.query(`drop index ${name}`);
  try {
    await work();
  } finally {
    for (const { definition } of rows) await db.query(definition);
    await db.query('reset maintenance_work_mem');
    await db.query('reset synchronous_commit');
    for (const table of tables) await db.query(`analyze ${table}`);
  }
}

async function fill(
  db: pg.Client,
  developerId: string,
  quantity: number,
  mark: number,
  machines: number,
  analyzed: boolean,
): Promise<void> {
  const id = idOf(mark);
  const run = (text: string) => db.query(text);
  // the rows are sound by the way they are made; checking ten million keys would take longer than making them
  await run('set session_replication_role = replica');
  try {
    await run(`insert into partnerships (id, developer_id, name, name_key, status, created_at)
      values (${id(1, '1')}, '${developerId}', 'Shop ${mark}', 'shop ${mark}', 'named', now())`);
    await run(`insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
      select ${id(2, 'i')}, '${developerId}', 'Seeded ' || i, 'seeded ' || i, '[]', '[]', false, 1000, 1, now(), now()
      from generate_series(0, ${PRODUCTS - 1}) i`);
    await run(`insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
      select ${id(3, 'i')}, '${developerId}', ${id(2, 'i')}, case when i = 0 then ${id(1, '1')} end, 'generate', ${Math.ceil(quantity / PRODUCTS)}, now()
      from generate_series(0, ${PRODUCTS - 1}) i`);
    const customers = Math.ceil(quantity / PER_CUSTOMER);
    await run(`insert into customers (id, developer_id, email, email_key, first_name, last_name, created_at)
      select ${id(4, 'i')}, '${developerId}', 'fan' || i || '@example.com', 'fan' || i || '@example.com', 'First' || i % 1000, 'Last' || i % 7777,
        now() - interval '${DAYS} days' * (1 - i::float8 / ${customers})
      from generate_series(0, ${customers - 1}) i`);
    const when = `now() - interval '${DAYS} days' * (1 - (i + 1)::float8 / ${quantity})`;
    await run(`insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at, seats_used, activated_at)
      select ${id(5, 'i')}, '${developerId}', ${id(3, `i % ${PRODUCTS}`)}, 'SEED-' || upper(lpad(to_hex(i), 8, '0')),
        'SEED' || upper(lpad(to_hex(i), 8, '0')), ${id(4, `i / ${PER_CUSTOMER}`)}, ${when}, ${machines}, ${machines > 0 ? when : 'null'}
      from generate_series(0, ${quantity - 1}) i`);
    await run(`insert into redemptions (id, developer_id, serial_id, code, product_id, partnership_id, customer_id, redeemed_at, source, final_price_cents, country)
      select ${id(6, 'i')}, '${developerId}', ${id(5, 'i')}, 'SEED-' || upper(lpad(to_hex(i), 8, '0')), ${id(2, `i % ${PRODUCTS}`)}, case when i % ${PRODUCTS} = 0 then ${id(1, '1')} end,
        ${id(4, `i / ${PER_CUSTOMER}`)}, ${when}, 'redeem', 1000,
        (array['US','DE','GB','FR','JP','CA','AU','NL','SE','IT','ES','BR','MX','KR','PL','NO','DK','FI','CH','AT'])[1 + i % 20]
      from generate_series(0, ${quantity - 1}) i`);
    if (machines > 0)
      await run(`insert into activations (id, developer_id, serial_id, machine_id, version, os, created_at, last_seen_at)
        select ${id(7, `i * ${machines} + m`)}, '${developerId}', ${id(5, 'i')}, 'machine-' || m, '1.' || i % 7, 'macOS', ${when}, ${when}
        from generate_series(0, ${quantity - 1}) i, generate_series(1, ${machines}) m`);
  } finally {
    await run('set session_replication_role = default');
  }
  await run('begin');
  await rebuildSums(sqlOf(db), developerId);
  if (machines > 0) {
    await run(`insert into seat_counts (developer_id) values ('${developerId}') on conflict do nothing`);
    await recountSeats(sqlOf(db), developerId, new Date());
  }
  await run('commit');
  if (!analyzed) return;
  for (const table of [
    'customers',
    'serials',
    'redemptions',
    'activations',
    'seat_sums',
    'seat_machines',
    'machine_sums',
    'ledger_days',
    'ledger_countries',
    'ledger_places',
  ])
    await run(`vacuum analyze ${table}`);
}

/** Fills an account with serials that nobody redeemed, a batch of each product, without analyzing the tables. */
export async function seedStock(
  db: pg.Client,
  developerId: string,
  { products, serials, mark }: { products: number; serials: number; mark: number },
): Promise<void> {
  const id = idOf(mark);
  await db.query(`insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
    select ${id(2, 'i')}, '${developerId}', 'Stocked ' || i, 'stocked ' || i, '[]', '[]', false, 1000, 1, now(), now()
    from generate_series(0, ${products - 1}) i`);
  await db.query(`insert into batches (id, developer_id, product_id, origin, quantity, created_at)
    select ${id(3, 'i')}, '${developerId}', ${id(2, 'i')}, 'import', ${Math.ceil(serials / products)}, now()
    from generate_series(0, ${products - 1}) i`);
  await db.query(`insert into serials (id, developer_id, batch_id, code, code_key)
    select ${id(5, 'i')}, '${developerId}', ${id(3, `i * ${products}::bigint / ${serials}`)}, 'STOCK-' || upper(lpad(to_hex(i), 8, '0')),
      'STOCK' || upper(lpad(to_hex(i), 8, '0'))
    from generate_series(0, ${serials - 1}) i`);
}

/** Fills an account with serials that nobody redeemed, in three batches of one product, without analyzing the tables. */
export async function seedOpen(db: pg.Client, developerId: string, quantity: number, mark: number): Promise<void> {
  const prefix = `0199${mark.toString(16).padStart(2, '0')}`;
  const product = `${prefix}0a-0000-7000-8000-000000000000`;
  await db.query(
    `insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
     values ($1, $2, 'Open', 'open', '[]', '[]', false, 1000, 1, now(), now())`,
    [product, developerId],
  );
  for (let batch = 0; batch < OPEN_BATCHES; batch += 1) {
    const id = `${prefix}0b-0000-7000-8000-00000000000${batch}`;
    const size = Math.floor(quantity / OPEN_BATCHES) + (batch === 0 ? quantity % OPEN_BATCHES : 0);
    await db.query(
      `insert into batches (id, developer_id, product_id, origin, quantity, created_at) values ($1, $2, $3, 'generate', $4, now())`,
      [id, developerId, product, size],
    );
    await db.query(
      `insert into serials (id, developer_id, batch_id, code, code_key)
       select ('${prefix}1${batch}-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, '${developerId}', '${id}',
         'OPEN-${batch}-' || upper(lpad(to_hex(i), 8, '0')), 'OPEN${batch}' || upper(lpad(to_hex(i), 8, '0'))
       from generate_series(1, ${size}) i`,
    );
  }
}
