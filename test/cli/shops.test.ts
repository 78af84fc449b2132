import { writeFile } from 'node:fs/promises';
import { makeProduct, makeSerials, type Person, signUp, verifyEmail } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let own: Awaited<ReturnType<typeof openTerminal>>;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await verifyEmail(server, ada);
  await makeProduct(server, ada.token, { name: 'Glide', price: 60 });
  own = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
});
afterAll(() => own.close());

it('a shop is connected, mapped and sold in, and its orders are listed and shown', async () => {
  const { json, tonerow, file } = own;
  const made = await json('shops', 'connect', 'other', 'Fair of Berlin');
  expect(made).toMatchObject({ shop: { kind: 'other', state: 'active' }, secret: expect.stringMatching(/^whsec_/) });
  const { id } = made.shop;
  expect(await json('shops', 'list')).toMatchObject([{ id, name: 'Fair of Berlin' }]);

  await json('shops', 'map', id, 'GLIDE', '--product', 'Glide', '--prefix', 'GLDE');
  expect(await json('shops', 'items', id)).toMatchObject([{ key: 'GLIDE', products: [{ name: 'Glide' }] }]);

  const sale = ['fair-17', '--line', 'GLIDE:2:98.00', '--email', 'nina@example.com', '--shop', id];
  const sold = await json('shops', 'record', ...sale);
  expect(sold.serials).toHaveLength(2);
  // the same number is the same order again
  expect(await json('shops', 'record', ...sale)).toEqual(sold);
  expect(await json('shops', 'orders')).toMatchObject([{ id: sold.order_id, number: 'fair-17', state: 'issued' }]);
  expect((await tonerow('shops', 'order', sold.order_id)).out).toContain(sold.serials[0].code);

  // a secret is read from a file, and no option has it
  await writeFile(file('secret.txt'), 'a-secret-of-the-shop-that-is-long-enough\n');
  const woo = await json('shops', 'connect', 'woocommerce', 'My shop', '--secret-file', file('secret.txt'));
  expect(woo.shop).toMatchObject({ kind: 'woocommerce', has_secret: true });
  expect((await tonerow('shops', 'connect', 'stripe', 'Stripe', '--secret', 'x')).code).toBe(64);
});

it('a reseller maps what a shop sells by the name of a product that they sell', async () => {
  const { developer, reseller, partnershipId } = await makePartners(server);
  const { id, name } = await makeProduct(server, developer.token);
  await makeSerials(server, developer.token, id, { quantity: 1, reseller_id: partnershipId });
  const theirs = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: reseller.token }));
  try {
    const { shop } = await theirs.json('shops', 'connect', 'other', 'Store');
    const { code, err } = await theirs.tonerow('shops', 'map', shop.id, 'SKU', '--product', name);
    expect(code, err).toBe(0);
    expect(await theirs.json('shops', 'items', shop.id)).toMatchObject([{ key: 'SKU', product_ids: [id] }]);
  } finally {
    theirs.close();
  }
});

it('a shop is asked for its secret, where it has one', async () => {
  const { tonerow } = own;
  const asked = await tonerow('shops', 'connect', 'shopify', 'Of its own');
  expect(asked.err).toContain('then give its secret');
  const unsigned = await tonerow('shops', 'connect', 'gumroad', 'Gum');
  expect(unsigned.err).toContain('Paste the address into the shop. Its id is');
  const { out } = await tonerow('shops', 'list');
  expect(out).toMatch(/^Of its own +shopify +live +without a secret /m);
  expect(out).toMatch(/^Gum +gumroad +live +working /m);
});

it('FastSpring has a second address, where it asks for codes, and other shops have none', async () => {
  const { json, tonerow } = own;
  const { code, out, err } = await tonerow('shops', 'connect', 'fastspring', 'FastSpring');
  expect(code, err).toBe(0);
  const [address] = out.split('\n');
  expect(err).toContain(`${address}/license into each product`);
  const rows = await json('shops', 'list');
  const idOf = (kind: string) => rows.find((row: { kind: string }) => row.kind === kind).id;
  expect((await tonerow('shops', 'show', idOf('fastspring'))).out).toContain(`${address}/license`);
  expect((await tonerow('shops', 'show', idOf('other'))).out).not.toContain('/license');
});

it('a shop shows what its own list had that it did not report', async () => {
  const { json, tonerow } = own;
  const { shop } = await json('shops', 'connect', 'other', 'Of few words');
  const shown = async () => (await tonerow('shops', 'show', shop.id)).out;
  expect(await shown()).toMatch(/Not reported, 30 days +–/);
  await server.db.query('update shop_connections set last_reconciled_at = now() where id = $1', [shop.id]);
  expect(await shown()).toMatch(/Not reported, 30 days +nothing/);
  const sold = await json('shops', 'record', 'late-1', '--line', 'OTHER:1:9.00', '--shop', shop.id);
  await server.db.query('update shop_orders set found_at = now() where id = $1', [sold.order_id]);
  expect(await shown()).toMatch(/Not reported, 30 days +1 sale, last 20/);
  expect((await tonerow('shops', 'order', sold.order_id)).out).toMatch(/Found in its list +20/);
  await server.db.query("update shop_orders set found_at = now() - interval '31 days' where id = $1", [sold.order_id]);
  expect(await shown()).toMatch(/Not reported, 30 days +nothing/);
});
