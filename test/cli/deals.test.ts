import { readFile } from 'node:fs/promises';
import { makeProduct, PASSWORD, type Person, redeem } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let pair: Partners;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  pair = await makePartners(server);
  product = await makeProduct(server, pair.developer.token, { name: 'Prism Delay' });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url }));
});
afterAll(async () => {
  await terminal.close();
});

const signIn = async ({ email }: Person) =>
  expect((await terminal.piped(PASSWORD, 'login', '--email', email, '--password-stdin')).code).toBe(0);

it('requests a deal, accepts it with a batch, and lists it with its serials', async () => {
  const { tonerow, json } = terminal;
  await signIn(pair.reseller);
  expect((await tonerow('deals', 'products', '--sort', 'popular')).out).toContain('Prism Delay');
  const missing = await tonerow('deals', 'request', '--product', product.id, '--quantity', '5');
  expect([missing.code, missing.err]).toEqual([64, expect.stringContaining('--price AMOUNT')]);
  const order = ['--product', product.id, '--price', '29', '--quantity', '5', '--sale-until', '2099-03-31'];
  const asked = await tonerow('deals', 'request', ...order);
  expect([asked.code, asked.err]).toEqual([0, expect.stringContaining('Sent to Row Audio.')]);
  const id = asked.out.trim();

  await signIn(pair.developer);
  expect(await json('deals', 'requests', '--status', 'pending')).toMatchObject([{ id, price: 29, quantity: 5 }]);
  const made = (await json('serials', 'generate', '--deal-request', id, '--promo-price', '35')) as { count: number };
  expect(made.count).toBe(5);
  const list = terminal.file('requests.csv');
  expect((await tonerow('deals', 'requests', '--out', list)).code).toBe(0);
  expect(await readFile(list, 'utf8')).toMatch(/^Requested,Reseller,[^\r]*\r\n[^,]+,Row Audio,Prism Delay,accepted,29/);
  const late = await tonerow('deals', 'decline', id, '--reason', 'Too late');
  expect([late.code === 0, late.err]).toEqual([false, expect.stringContaining('already accepted')]);

  await signIn(pair.reseller);
  expect(await json('deals', 'requests')).toMatchObject([{ id, status: 'accepted', accepted: { price: 35 } }]);
  expect((await tonerow('deals', 'seen')).out).toBe('Done.\n');
  const [deal] = (await json('deals', 'list', '--state', 'current')) as { id: string; promo_price: number }[];
  expect(deal?.promo_price).toBe(35);
  const shown = await tonerow('deals', 'product', product.name, '--deal', deal?.id as string);
  expect(shown.out).toMatch(/Promo expires\s+2099-0(3-31|4-01)[\s\S]*License\s+Never ends[\s\S]*Available\s+5/);
  const codes = (await tonerow('deals', 'serials', product.id)).out.trim().split('\n');
  expect(codes).toHaveLength(5);
  await redeem(server, codes[0] as string, 'nina@example.com');
  expect((await tonerow('deals', 'serials', product.id, '--state', 'redeemed')).out).toContain('nina@example.com');
  const file = terminal.file('redeemed.csv');
  expect((await tonerow('deals', 'export', product.id, '--out', file)).code).toBe(0);
  expect(await readFile(file, 'utf8')).toContain(`nina@example.com,${codes[0]}`);
});

it('declines and withdraws requests', async () => {
  const { tonerow, json } = terminal;
  await signIn(pair.reseller);
  const ask = async () =>
    (await tonerow('deals', 'request', '--product', product.name, '--price', '9', '--quantity', '2')).out.trim();
  const [declined, withdrawn] = [await ask(), await ask()];
  expect((await tonerow('deals', 'withdraw', withdrawn, '--yes')).out).toBe('Request withdrawn.\n');
  await signIn(pair.developer);
  expect((await tonerow('deals', 'decline', declined, '--reason', 'Too low')).out).toBe('Request declined.\n');
  expect(await json('deals', 'requests', '--status', 'declined')).toMatchObject([{ id: declined, answer: 'Too low' }]);
  const nothing = await tonerow('serials', 'generate', '--quantity', '2');
  expect([nothing.code, nothing.err]).toEqual([64, expect.stringContaining('Specify the product')]);
});
