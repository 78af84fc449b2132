import type pg from 'pg';
import { withoutIndexes } from '../seeds/seed.ts';

const PRODUCTS = 3;
/** So many of ten serials in a row belong to one customer; nobody has the others yet. */
const SOLD = 3;
const GROWN = ['customers', 'serials', 'redemptions', 'activations'];

const id = (kind: number, number: string) =>
  `('0199ac0${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** A sold serial of an account, by the account's place. */
export const soldCode = (accounts: number, account: number, index: number) => {
  const own = Math.floor(index / SOLD) * 10 + (index % SOLD);
  return `SEED-${(own * accounts + account).toString(16).toUpperCase().padStart(8, '0')}`;
};
export const soldOf = (quantity: number, accounts: number) => Math.floor(quantity / accounts / 10) * SOLD;

/**
 * Many accounts with serials of the same age side by side, as they come in real life; three of ten are sold, with a customer, a
 * redemption and a machine. Straight into the tables: this is ground to measure on, not data to trust.
 * @param known accounts that exist, the first ones; others are made.
 */
export async function seedAccounts(
  db: pg.Client,
  { known, accounts, quantity }: { known: readonly string[]; accounts: number; quantity: number },
): Promise<void> {
  const run = (text: string, values: unknown[] = []) => db.query(text, values);
  await run('create temp table account (n bigint primary key, id uuid not null)');
  await run(
    `insert into account select n, coalesce(($1::uuid[])[n + 1], ${id(1, 'n')}) from generate_series(0, $2::bigint - 1) n`,
    [known, accounts],
  );
  await run('set session_replication_role = replica');
  try {
    await run(
      `insert into users (id, role, email, email_key, first_name, last_name, password_hash, created_at)
       select id, 'developer', 'dev' || n || '@example.com', 'dev' || n || '@example.com', 'Dev', 'Eloper', '', now() from account where n >= $1`,
      [known.length],
    );
    await run(`insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
      select ${id(2, `p * ${accounts} + a.n`)}, a.id, 'Seeded ' || p, 'seeded ' || p, '[]', '[]', false, 1000, 1, now(), now()
      from account a, generate_series(0, ${PRODUCTS - 1}) p`);
    await run(`insert into batches (id, developer_id, product_id, origin, quantity, created_at)
      select ${id(3, `p * ${accounts} + a.n`)}, a.id, ${id(2, `p * ${accounts} + a.n`)}, 'generate', ${Math.ceil(quantity / accounts / PRODUCTS)}, now()
      from account a, generate_series(0, ${PRODUCTS - 1}) p`);
    await withoutIndexes(db, GROWN, async () => {
      const own = `i / ${accounts}`;
      const customer = id(4, `(${own} / 10) * ${accounts} + a.n`);
      const sold = `(${own}) % 10 < ${SOLD}`;
      const when = `now() - interval '365 days' * (1 - (i + 1)::float8 / ${quantity})`;
      const code = (dash: string) => `'SEED${dash}' || upper(lpad(to_hex(i), 8, '0'))`;
      const all = `from generate_series(0, ${quantity - 1}::bigint) i join account a on a.n = i % ${accounts}`;
      await run(`insert into customers (id, developer_id, email, email_key, first_name, last_name, created_at)
        select ${id(4, 'i')}, a.id, 'fan' || i || '@example.com', 'fan' || i || '@example.com', 'First' || i % 1000, 'Last' || i % 7777, now()
        from generate_series(0, ${Math.ceil(quantity / accounts / 10) * accounts - 1}::bigint) i join account a on a.n = i % ${accounts}`);
      await run(`insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at, seats_used, activated_at)
        select ${id(5, 'i')}, a.id, ${id(3, `(${own}) % ${PRODUCTS} * ${accounts} + a.n`)}, ${code('-')}, ${code('')},
          case when ${sold} then ${customer} end, case when ${sold} then ${when} end, case when ${sold} then 1 else 0 end,
          case when ${sold} then ${when} end ${all}`);
      await run(`insert into redemptions (id, developer_id, serial_id, code, product_id, customer_id, redeemed_at, source, final_price_cents, country)
        select ${id(6, 'i')}, a.id, ${id(5, 'i')}, ${code('-')}, ${id(2, `(${own}) % ${PRODUCTS} * ${accounts} + a.n`)}, ${customer}, ${when}, 'redeem', 1000,
          (array['US','DE','GB','FR','JP'])[1 + i % 5] ${all} where ${sold}`);
      await run(`insert into activations (id, developer_id, serial_id, machine_id, version, os, created_at, last_seen_at)
        select ${id(7, 'i')}, a.id, ${id(5, 'i')}, 'machine-1', '1.' || i % 7, 'macOS', ${when}, ${when} ${all} where ${sold}`);
    });
  } finally {
    await run('set session_replication_role = default');
    await run('drop table account');
  }
  await run('vacuum analyze');
}
