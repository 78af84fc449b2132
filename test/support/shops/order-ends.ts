import type { ShopScene } from './scene.ts';

/** The orders that one transaction made, by their shop's ids, for each transaction. */
export async function transactions({ ada, server }: ShopScene): Promise<string[][]> {
  const rows = await server.db.query<{ keys: string[] }>(
    `select array_agg(external_id order by external_id) as keys from shop_orders where developer_id = $1 group by xmin::text`,
    [ada.id],
  );
  return rows.map(({ keys }) => keys).sort((a, b) => b.length - a.length || ((a[0] ?? '') < (b[0] ?? '') ? -1 : 1));
}

/** Everything about an account's orders, without ids, codes and the names that every test has of its own. */
export async function everything({ ada, glide, prism, server, shopId }: ShopScene): Promise<Record<string, string[]>> {
  const named = await server.db.query<{ id: string; name: string }>(
    'select id, name from products where developer_id = $1',
    [ada.id],
  );
  const plain = (row: object) =>
    named
      .reduce((text, { id, name }) => text.replaceAll(name, id), JSON.stringify(row))
      .replaceAll(glide.id, '<glide>')
      .replaceAll(prism.id, '<prism>')
      .replaceAll(shopId, '<shop>')
      .replaceAll(ada.email, '<seller>')
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<id>')
      .replaceAll(/[A-Z0-9]{4}(-[A-Z0-9]{4}){3}/g, '<code>')
      .replaceAll(/[A-Z0-9]{16}/g, '<code>');
  const tables: Record<string, string> = {
    orders: `select * from shop_orders where developer_id = $1`,
    lines: `select o.external_id as of, l.* from shop_lines l join shop_orders o on (o.developer_id, o.id) = (l.developer_id, l.order_id) where l.developer_id = $1`,
    units: `select o.external_id as of, l.external_id as line, (u.id = u.serial_id) as serial_is_unit, u.*
      from shop_units u join shop_orders o on (o.developer_id, o.id) = (u.developer_id, u.order_id)
        join shop_lines l on (l.developer_id, l.id) = (u.developer_id, u.line_id) where u.developer_id = $1`,
    firsts: `select o.external_id as of, u.mail_id = min(u.id::text) over (partition by u.order_id)::uuid as by_first
      from shop_units u join shop_orders o on (o.developer_id, o.id) = (u.developer_id, u.order_id) where u.developer_id = $1`,
    serials: `select o.external_id as of, s.*, b.id as batch from serials s
      join shop_units u on (u.developer_id, u.serial_id) = (s.developer_id, s.id)
      join shop_orders o on (o.developer_id, o.id) = (u.developer_id, u.order_id)
      join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1`,
    batches: `select b.*, (select count(*) from serials s where s.developer_id = $1 and s.batch_id = b.id) as serials from batches b where b.developer_id = $1`,
    ledger: `select * from redemptions where developer_id = $1`,
    deliveries: `select order_key, state, why, done_at from shop_deliveries where developer_id = $1`,
    emails: `select m.*, '' as created_at from mails m where m.developer_id = $1`,
    queued: `select j.data, j.priority from pgboss.job j join mails m on m.id = (j.data ->> 'id')::uuid
      where j.name = 'mail' and m.developer_id = $1`,
    events: `select type, occurred_at, data, personal, cardinality(object_ids) as objects from webhook_events where developer_id = $1
      and type like 'order.%'`,
    sent: `select d.type, d.state, d.next_attempt_at, d.created_at from webhook_deliveries d where d.developer_id = $1 and type like 'order.%'`,
    notices: `select kind, title, detail from notices where account_id = $1`,
    audit: `select action, detail from audit_events where account_id = $1`,
    draws: `with sales as materialized (select id, count(*) as n from mails where kind = 'sale' group by id)
      select d.reference, d.quantity, d.batch_tag, d.product_id, d.created_at, i.code, i.expires_at, i.returned_at, s.handed_out_at,
      coalesce(m.n, 0) as emails
      from draws d join draw_items i on i.draw_id = d.id join serials s on (s.developer_id, s.id) = (i.developer_id, i.serial_id)
      left join sales m on m.id = d.id where d.reseller_id = $1`,
    items: `select key, name, product_ids, mapped_at is null as waits from shop_items where developer_id = $1`,
  };
  const all: Record<string, string[]> = {};
  for (const [name, text] of Object.entries(tables))
    all[name] = (await server.db.query(text, [ada.id])).map(plain).sort();
  return all;
}
