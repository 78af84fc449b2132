import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, type Person } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import type { Kind, Role, Scope } from '../../../packages/server/src/platform/access/access.ts';
import { type Contract, contractOf } from './contract-calls.ts';

/** Nobody else is called so, and no other code begins so. */
export const OWNER = { first_name: 'Zephyrine', last_name: 'Quillfeather', email: 'zephyrine@quillfeather.example' };
const FORMER = { first_name: 'Ottoline', last_name: 'Marchbanks', email: 'ottoline@marchbanks.example' };
export const PREFIX = 'ZQXJ';
export const planted: Record<Kind, RegExp> = {
  people: /zephyrine|quillfeather|ottoline|marchbanks/i,
  codes: /ZQXJ(?:-[2-9A-Z]{4}){3}/,
};

type Serial = { id: string; code: string };
type Product = { id: string; name: string };

/** Two partners with somebody's data for every call. */
export interface World {
  server: SharedServer;
  contract: Contract;
  partners: Partners;
  product: Product;
  sold: Serial;
  spare: Serial[];
  ids: Record<'customer' | 'batch' | 'import' | 'webhook' | 'delivery' | 'order' | 'payout', string>;
  /** A token of a partner with just these scopes. */
  tokenOf(role: Role, scopes: readonly Scope[]): Promise<string>;
}

export const must = async (answer: ReturnType<typeof call>) => {
  const { status, text, body } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
  return body;
};

/** Somebody redeems a serial, and it is handed over, refunded, noted about, activated and refused; another one is drawn. */
export async function plant(): Promise<World> {
  const server = await sharedServer();
  const partners = await makePartners(server, 10);
  const { developer, reseller, partnershipId } = partners;
  const { token } = developer;
  const as = (person: Person, method: string, path: string, body?: object) =>
    must(call(server, method, path, { token: person.token, ...(body ? { body } : {}) }));
  await as(developer, 'POST', '/api/webhooks', { url: 'https://hooks.example.com/in', events: ['*'] });
  const product: Product = await makeProduct(server, token, { max_activations: 5 });
  const given = { quantity: 6, prefix: PREFIX, reseller_id: partnershipId };
  const [sold, ...spare] = (await makeSerials(server, token, product.id, given)) as [Serial, ...Serial[]];
  await makeSerials(server, token, product.id, { quantity: 2, prefix: PREFIX });
  const begun = await must(
    call(server, 'POST', '/api/redeem/initiate', {
      body: { serial: sold.code, email: FORMER.email, dev: developer.id },
    }),
  );
  const { email: _, ...name } = FORMER;
  await must(call(server, 'POST', '/api/redeem/complete', { body: { temp_token: begun.temp_token, ...name } }));
  await as(developer, 'POST', `/api/serials/${sold.id}/transfer`, OWNER);
  await as(developer, 'POST', `/api/serials/${sold.id}/refund`, { reason: 'Bought twice', amount: 1 });
  await as(reseller, 'POST', '/api/reseller/serials/draw', { product_id: product.id, reference: 'order-1' });
  const key = (await as(developer, 'POST', '/api/developer/plugin-keys', {})).plaintext;
  const plugin = (path: string, body: object) => call(server, 'POST', `/api/license/v1/${path}`, { token: key, body });
  await must(plugin('activate', { license_key: sold.code, machine_id: 'studio' }));
  await plugin('validate', { license_key: sold.code, machine_id: 'other' });
  const { rows } = await as(developer, 'GET', '/api/serials/redeemed');
  const customer: string = rows[0].customer.id;
  const batch: string = rows[0].batch_id;
  await as(developer, 'POST', `/api/customers/${customer}/notes`, { text: 'Asked about the manual' });
  const csv = new FormData();
  csv.append(
    'file',
    new Blob([`Serial,Product,Email\nX,${product.name},zephyrine\nLATE-1,${product.name},a b@quillfeather.example\n`]),
    'redeemed.csv',
  );
  const imported: string = (await must(call(server, 'POST', '/api/serials/import-redeemed', { token, body: csv })))
    .import_id;
  const hooks = await as(developer, 'GET', '/api/webhooks');
  const webhook: string = hooks.webhooks[0].id;
  const sent = await as(developer, 'GET', `/api/webhooks/${webhook}/deliveries?type=serial.redeemed`);
  const delivery: string = sent.rows[0].id;
  const bought = { id: '1', product_ids: [product.id], paid: '1.00' };
  const sale = { order: 'sale-1', currency: 'USD', email: OWNER.email, lines: [bought] };
  const order: string = (await must(call(server, 'POST', '/api/sales', { token, body: sale }))).order_id;
  const payout = randomUUID();
  // the statement of whichever month that was
  await server.db.query(
    `insert into payouts (id, developer_id, partnership_id, month, number, position, total_redemptions, total_revenue_cents, avg_price_cents,
       reseller_earned_cents, developer_owed_cents, adjustments, adjustment_revenue_cents, adjustment_commission_cents, brought_forward_cents,
       due_cents, rates, products, parties, rows_digest, digest, closed_at, status)
     select $1, r.developer_id, r.partnership_id, date_trunc('month', r.redeemed_at at time zone 'UTC')::date, '2026-0001', 1, 1, 4900, 4900,
       490, 4410, 0, 0, 0, 0, 4410, '[]', '{}', $3, '', '', now(), 'pending'
     from redemptions r where r.developer_id = $2 and r.serial_id = $4`,
    [
      payout,
      developer.id,
      JSON.stringify({
        developer: { name: 'Row Audio', email: 'a@example.com', address: null, tax_id: null },
        reseller: { name: 'Shop', email: '', address: null, tax_id: null },
        commission_bps: 1000,
      }),
      sold.id,
    ],
  );
  return {
    server,
    contract: await contractOf(server),
    partners,
    product,
    sold,
    spare,
    ids: { customer, batch, import: imported, webhook, delivery, order, payout },
    tokenOf: tokensOf(server, partners),
  };
}

function tokensOf(server: SharedServer, partners: Partners): World['tokenOf'] {
  const tokens = new Map<string, Promise<string>>();
  return (role, scopes) => {
    const key = `${role} ${[...scopes].sort().join(' ')}`;
    const made =
      tokens.get(key) ??
      must(
        call(server, 'POST', '/api/account/tokens', {
          token: partners[role].token,
          body: { name: key.slice(0, 50), scopes },
        }),
      ).then(({ token }) => token);
    tokens.set(key, made);
    return made;
  };
}
