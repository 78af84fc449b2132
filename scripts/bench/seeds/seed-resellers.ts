import { sql } from 'kysely';
import type pg from 'pg';
import { addRedemptions } from '../../../packages/server/src/features/redemption/ledger/ledger-sums.ts';
import { tables } from '../../../packages/server/src/features/redemption/tables.ts';
import { sqlOf } from '../../../packages/server/src/platform/db/database.ts';

export interface Trade {
  /** Whose partnerships they are; null: of resellers without an account. */
  resellerId: string | null;
  developers: number;
  /** The partnerships of each developer. */
  partnerships: number;
  /** The redemptions of all of them together. */
  redemptions: number;
  /** Open serials of each partnership. */
  open: number;
  /** SQL for the moment of redemption `i`. */
  when: string;
  /** 1 to 255, different for each trade, so that ids do not meet. */
  mark: number;
  /** The database's statistics do not know of it. */
  unanalyzed?: boolean;
}

const PER_CUSTOMER = 4;

/** Ids of a trade, as SQL: `kind` is one digit, `number` an expression. */
const idsOf = (mark: number) => (kind: number, number: string) =>
  `('0199${mark.toString(16).padStart(2, '0')}c${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/** The id of a developer of a trade, and that of their only product, by the developer's number. */
export const developerOf = ({ mark }: Trade, number: number) => idOf(mark, 1, number);
export const productOf = ({ mark }: Trade, number: number) => idOf(mark, 2, number);

const idOf = (mark: number, kind: number, number: number) =>
  `0199${mark.toString(16).padStart(2, '0')}c${kind}-0000-7000-8000-${number.toString(16).padStart(12, '0')}`;

/**
 * Developers with a product each, their partnerships with a batch each, and what was redeemed of it, evenly spread. Straight
 * into the tables, with the sums that the server would have kept.
 */
export async function seedTrade(db: pg.Client, trade: Trade): Promise<void> {
  const { resellerId, developers, redemptions, open, when, mark } = trade;
  const count = developers * trade.partnerships;
  const id = idsOf(mark);
  const run = (text: string) => db.query(text);
  const developer = (partnership: string) => id(1, `(${partnership}) / ${trade.partnerships}`);
  const product = (partnership: string) => id(2, `(${partnership}) / ${trade.partnerships}`);
  // four redemptions in a row of one partnership are a customer's
  const customer = `i / ${count * PER_CUSTOMER} * ${count} + i % ${count}`;
  const customers = Math.ceil(redemptions / (count * PER_CUSTOMER)) * count;
  const serials = redemptions + open * count;
  await run('set session_replication_role = replica');
  try {
    await run(`insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
      select ${id(1, 'i')}, 'developer', 'maker-${mark}-' || i || '@example.com', 'maker-${mark}-' || i || '@example.com', '', 'Maker', 'No ' || i, now()
      from generate_series(0, ${developers - 1}) i`);
    await run(`insert into products (id, developer_id, name, name_key, feature_list, file_urls, is_draft, price_cents, version, created_at, updated_at)
      select ${id(2, 'i')}, ${id(1, 'i')}, 'Plugin', 'plugin', '[]', '[]', false, 1000, 1, now(), now() from generate_series(0, ${developers - 1}) i`);
    if (resellerId)
      await run(`insert into reseller_developers (reseller_id, developer_id)
        select '${resellerId}', ${id(1, 'i')} from generate_series(0, ${developers - 1}) i`);
    await run(`insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
      select ${id(3, 'i')}, ${developer('i')}, ${resellerId ? `'${resellerId}'` : 'null'}, 'Shop ' || i, 'shop ' || i,
        '${resellerId ? 'active' : 'named'}', now() from generate_series(0, ${count - 1}) i`);
    await run(`insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
      select ${id(4, 'i')}, ${developer('i')}, ${product('i')}, ${id(3, 'i')}, 'generate', ${Math.ceil(serials / count)}, now()
      from generate_series(0, ${count - 1}) i`);
    await run(`insert into customers (id, developer_id, email, email_key, first_name, last_name, created_at)
      select ${id(5, 'i')}, ${developer(`i % ${count}`)}, 'fan' || i || '@example.com', 'fan' || i || '@example.com', 'First', 'Last' || i % 7777, now()
      from generate_series(0, ${customers - 1}) i`);
    await run(`insert into serials (id, developer_id, batch_id, code, code_key, customer_id, redeemed_at)
      select ${id(6, 'i')}, ${developer(`i % ${count}`)}, ${id(4, `i % ${count}`)}, 'SOLD-' || upper(lpad(to_hex(i), 8, '0')),
        'SOLD' || upper(lpad(to_hex(i), 8, '0')), case when i < ${redemptions} then ${id(5, customer)} end,
        case when i < ${redemptions} then ${when} end
      from generate_series(0, ${serials - 1}) i`);
    await run(`insert into redemptions (id, developer_id, serial_id, code, product_id, partnership_id, customer_id, redeemed_at, source,
        final_price_cents, commission_bps, commission_cents, country)
      select ${id(7, 'i')}, ${developer(`i % ${count}`)}, ${id(6, 'i')}, 'SOLD-' || upper(lpad(to_hex(i), 8, '0')), ${product(`i % ${count}`)},
        ${id(3, `i % ${count}`)}, ${id(5, customer)}, ${when}, 'redeem', 1000, 2000, 200, 'US'
      from generate_series(0, ${redemptions - 1}) i`);
    // or the sums below are planned for empty tables
    if (!trade.unanalyzed) await run('analyze users, partnerships, redemptions');
    for (let number = 0; number < developers; number += 1) {
      const developerId = developerOf(trade, number);
      const rows = sql`(select * from redemptions where developer_id = ${developerId})`;
      await sql`with ${addRedemptions({ developerId, rows })} select`.execute(tables.in(sqlOf(db)));
    }
  } finally {
    await run('set session_replication_role = default');
  }
  if (!trade.unanalyzed) await analyze(db);
}

/** Brings the database's statistics up to date. */
export async function analyze(db: pg.Client): Promise<void> {
  for (const table of TABLES) await db.query(`vacuum analyze ${table}`);
}

/** The tables that hold a trade. */
export const TABLES = [
  'users',
  'products',
  'partnerships',
  'reseller_developers',
  'batches',
  'customers',
  'serials',
  'redemptions',
  'partner_totals',
  'partner_months',
  'partner_days',
];
