import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { customersCsv } from '../../packages/web/src/features/customers/customer-csv.ts';
import { productsCsv } from '../../packages/web/src/features/products/list/product-csv.ts';
import { redeemedCsv } from '../../packages/web/src/features/serials/redeemed/redeemed-csv.ts';
import { serialsCsv } from '../../packages/web/src/features/serials/serial-csv.ts';
import { setOwnZone } from '../../packages/web/src/lib/time/own-zone.ts';

const ZONE = 'Asia/Tokyo';
let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  vi.stubGlobal('navigator', { language: 'en-US' });
  server = await sharedServer();
  ada = await signUp(server);
  await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: { time_zone: ZONE } });
  setOwnZone(ZONE);
  const product = await makeProduct(server, ada.token, { name: 'Prism, "2"', price: 49, sale_price: 9.5 });
  const promo = { promo_price: 7.5, promo_expires: '2099-01-31', expires_at: '2099-02-28', batch_tag: '=BF' };
  const [serial] = await makeSerials(server, ada.token, product.id, promo);
  await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
});
afterAll(() => {
  setOwnZone(null);
  vi.unstubAllGlobals();
});

const get = (path: string, accept: string) => call(server, 'GET', path, { token: ada.token, headers: { accept } });
const linesOf = (csv: string) => csv.split(/\r?\n/);

// the dashboard writes the rows that were picked from what it shows, and the server writes all of them
describe('a file of what was picked is the server’s file of all, in', () => {
  it.each([
    ['products', '/api/products?figures=true', '/api/products/export', productsCsv],
    ['customers', '/api/customers/list', '/api/customers/export', customersCsv],
    ['redeemed serials', '/api/serials/redeemed', '/api/serials/redeemed', redeemedCsv],
    ['available serials', '/api/serials?state=available', '/api/serials?state=available', serialsCsv],
  ] as const)('%s', async (_, list, file, write) => {
    const { body } = await get(list, 'application/json');
    const rows = body.rows ?? body.customers ?? body;
    expect(rows.length).toBeGreaterThan(0);
    const { text } = await get(file, 'text/csv');
    expect(linesOf(write(rows))).toEqual(linesOf(text));
    expect(text).toContain('+09:00');
  });
});
