import { expect } from 'vitest';
import type { SharedServer } from '../server.ts';

/** Counts an account's order book anew, against the serials, the emails and the ledger. Nothing of it trusts what the server sums up. */
export async function expectOrderBook({ db }: Pick<SharedServer, 'db'>, accountId: string): Promise<void> {
  const wrong = async (what: string, sql: string) =>
    expect([what, await db.query(sql, [accountId])]).toEqual([what, []]);
  await wrong(
    'a unit that has a serial has its code, and the serial knows the unit',
    `select u.id from shop_units u left join serials s on (s.developer_id, s.id) = (u.developer_id, u.serial_id)
     where u.developer_id = $1 and u.serial_id is not null and (s.code is distinct from u.code or s.draw_id is distinct from u.id)`,
  );
  await wrong(
    'a code is in one order',
    `select code from shop_units where developer_id = $1 and serial_id is not null group by code having count(*) > 1`,
  );
  await wrong(
    'a serial that a shop sold is of a unit',
    `select s.id from serials s where s.developer_id = $1 and s.handed_out_at is not null
       and not exists (select 1 from shop_units u where u.developer_id = $1 and u.serial_id = s.id)
       and not exists (select 1 from draw_items i where i.developer_id = $1 and i.serial_id = s.id)`,
  );
  await wrong(
    'a serial works if its unit has it, and does not if it was taken back',
    `select u.id, u.state from shop_units u join serials s on (s.developer_id, s.id) = (u.developer_id, u.serial_id)
     where u.developer_id = $1 and (s.revoked_at is not null) <> (u.state in ('revoked', 'suspended'))`,
  );
  await wrong(
    'each line has as many units as were paid for',
    `select l.id from shop_lines l join shop_orders o on (o.developer_id, o.id) = (l.developer_id, l.order_id)
     where l.developer_id = $1 and l.product_ids is not null and o.paid_at is not null
       and (select count(*) from shop_units u where u.developer_id = $1 and u.line_id = l.id)
         <> l.paid_quantity * l.units * cardinality(l.product_ids)`,
  );
  await wrong(
    'what is delivered was emailed, once, or written by the shop',
    `select u.id from shop_units u
       join shop_orders o on (o.developer_id, o.id) = (u.developer_id, u.order_id)
       join shop_connections c on (c.developer_id, c.id) = (o.developer_id, o.connection_id)
     where u.developer_id = $1 and u.state = 'delivered' and u.mail_id is null and (c.kind, c.delivering) <> ('woocommerce', 'shop')
     union all
     select u.mail_id from shop_units u left join mails m on m.id = u.mail_id
     where u.developer_id = $1 and u.mail_id is not null and m.id is null`,
  );
  await wrong(
    'no order is emailed about more than once for the same codes',
    `select o.id from shop_orders o where o.developer_id = $1 and (
       select count(*) from mails m join shop_units u on u.id = m.id where u.developer_id = $1 and u.order_id = o.id
     ) > (select count(distinct u.mail_id) from shop_units u where u.developer_id = $1 and u.order_id = o.id)`,
  );
  await wrong(
    'the ledger has the price that was paid, less what was cut before',
    `select u.id, r.final_price_cents, u.usd_cents, u.cut_cents from shop_units u
       join redemptions r on (r.developer_id, r.serial_id) = (u.developer_id, u.serial_id)
     where u.developer_id = $1 and u.usd_cents is not null and r.final_price_cents <> u.usd_cents - u.cut_cents`,
  );
  await wrong(
    'the ledger has given back what the order book has',
    `select u.id from shop_units u join redemptions r on (r.developer_id, r.serial_id) = (u.developer_id, u.serial_id)
     where u.developer_id = $1 and u.refunded_cents <> - coalesce((
       select sum(a.revenue_cents) from ledger_adjustments a where a.developer_id = $1 and a.redemption_id = r.id), 0)`,
  );
}
