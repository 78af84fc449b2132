import { call, makeProduct, makeSerials, redeem } from '@tonerow/test-support/http.ts';
import { insist } from '@tonerow/test-support/insist.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { change, step, profile } = partnerCalls(() => server);
const ownStock = ({ developer, partnershipId }: Partners) =>
  call(server, 'GET', `/api/reseller/developer/resellers/${partnershipId}/stock`, { token: developer.token });
const theirStock = ({ developer, reseller }: Partners) =>
  call(server, 'GET', `/api/reseller/developers/${developer.id}/stock`, { token: reseller.token });

/** Serials of a new product in the reseller's stock, and how many emails said that they run low. */
async function stocked(quantity: number, partners?: Partners) {
  const both = partners ?? (await makePartners(server));
  const { developer, reseller, partnershipId } = both;
  const product = await makeProduct(server, developer.token, { name: `Prism ${Math.random()}` });
  const give = (more: number) =>
    makeSerials(server, developer.token, product.id, { quantity: more, reseller_id: partnershipId });
  const codes = (await give(quantity)).map(({ code }) => code);
  let sold = 0;
  const sell = async (count = 1) => {
    const batch = codes.slice(sold, sold + count);
    sold += count;
    const answers = await Promise.all(
      batch.map((code, n) => insist(() => redeem(server, code, `fan-${sold}-${n}@example.com`, developer.id))),
    );
    expect(answers.map(({ status }) => status)).toEqual(batch.map(() => 200));
  };
  const told = async () => {
    const rows = await server.db.query<{ recipient: string }>(
      "select recipient from mails where recipient = any($1) and subject like '%' || $2 || ' left' order by created_at",
      [[developer.email, reseller.email], product.name],
    );
    const to = ({ email }: { email: string }) => rows.filter(({ recipient }) => recipient === email).length;
    return [to(developer), to(reseller)];
  };
  return { ...both, both, product, give, sell, told, codes };
}

describe('the stock of a reseller', () => {
  it('counts by product what was given, is left and was redeemed, for both sides', async () => {
    const { both, product, sell, developer } = await stocked(5);
    await makeProduct(server, developer.token);
    await sell(2);
    const row = {
      product_id: product.id,
      product_name: product.name,
      image_url: null,
      given: 5,
      available: 3,
      not_for_sale: 0,
      handed_out: 0,
      redeemed: 2,
      low: false,
    };
    expect((await ownStock(both)).body).toEqual([row]);
    expect((await theirStock(both)).body).toEqual([row]);
    await change(both, { low_stock_threshold: 4 });
    expect((await theirStock(both)).body).toEqual([{ ...row, low: true }]);
  });

  it('is empty for the reseller while paused, and not there after the end or for a stranger', async () => {
    const { both } = await stocked(1);
    const stranger = await makePartners(server);
    expect((await ownStock({ ...both, developer: stranger.developer })).status).toBe(404);
    expect((await theirStock({ ...both, reseller: stranger.reseller })).status).toBe(404);
    await step(both, 'pause');
    expect((await theirStock(both)).body).toEqual([]);
    expect((await ownStock(both)).body).toHaveLength(1);
    await step(both, 'end');
    expect((await theirStock(both)).status).toBe(404);
    expect((await ownStock(both)).body).toHaveLength(1);
  });
});

describe('running low at a reseller', () => {
  it('is told to both sides once, and once more after a restock', async () => {
    const { both, sell, told, give, codes } = await stocked(6);
    await change(both, { low_stock_threshold: 4 });
    await sell(2);
    expect(await told()).toEqual([0, 0]);
    await sell();
    expect(await told()).toEqual([1, 1]);
    expect((await profile(both)).body.low_stock_products).toBe(1);
    await sell();
    expect(await told()).toEqual([1, 1]);
    codes.push(...(await give(2)).map(({ code }) => code));
    expect((await profile(both)).body.low_stock_products).toBe(0);
    await sell();
    expect(await told()).toEqual([2, 2]);
    const email = await server.email(
      (each) => each.to?.[0]?.address === both.reseller.email && / left$/.test(each.subject ?? ''),
    );
    expect(email.text).toContain('3 serials of Prism');
  });

  it('is told once under 20 redemptions at once', async () => {
    const { both, sell, told } = await stocked(25);
    await change(both, { low_stock_threshold: 10 });
    await sell(20);
    expect(await told()).toEqual([1, 1]);
    expect((await ownStock(both)).body).toMatchObject([{ available: 5, redeemed: 20, low: true }]);
  });

  it('is told for each product and each reseller by itself', async () => {
    const one = await stocked(3);
    const two = await stocked(3, one.both);
    await change(one.both, { low_stock_threshold: 3 });
    await one.sell();
    expect([await one.told(), await two.told()]).toEqual([
      [1, 1],
      [0, 0],
    ]);
    expect((await profile(one.both)).body.low_stock_products).toBe(1);
  });

  it('is news again below a lower threshold, and none without a threshold', async () => {
    const { both, sell, told } = await stocked(8);
    await sell();
    expect(await told()).toEqual([0, 0]);
    await change(both, { low_stock_threshold: 7 });
    await sell();
    expect(await told()).toEqual([1, 1]);
    await change(both, { low_stock_threshold: 5 });
    await sell();
    expect(await told()).toEqual([1, 1]);
    await sell();
    expect(await told()).toEqual([2, 2]);
    await change(both, { low_stock_threshold: null });
    expect((await profile(both)).body).toMatchObject({ low_stock_threshold: null, low_stock_products: 0 });
    await sell();
    expect(await told()).toEqual([2, 2]);
  });

  it('happens by handing out too', async () => {
    const { both, product, told } = await stocked(4);
    await change(both, { low_stock_threshold: 4 });
    const drawn = await call(server, 'POST', '/api/reseller/serials/draw', {
      token: both.reseller.token,
      body: { product_id: product.id, quantity: 1, reference: 'order-1' },
    });
    expect(drawn.status, drawn.text).toBe(201);
    expect(await told()).toEqual([1, 1]);
    expect((await theirStock(both)).body).toMatchObject([{ available: 3, handed_out: 1, redeemed: 0 }]);
  });

  it('is not told to a side that has turned these emails off, nor after the end', async () => {
    const { both, sell, told } = await stocked(4);
    const off = { token: both.reseller.token, body: { notify_low_serials: false } };
    expect((await call(server, 'PUT', '/api/account/settings', off)).status).toBe(200);
    await change(both, { low_stock_threshold: 4 });
    await sell();
    expect(await told()).toEqual([1, 0]);
    const ended = await stocked(4);
    await change(ended.both, { low_stock_threshold: 4 });
    await step(ended.both, 'end');
    await ended.sell();
    expect(await ended.told()).toEqual([0, 0]);
  });

  it('is told to the developer alone while the partnership is paused', async () => {
    const { both, sell, told } = await stocked(4);
    await change(both, { low_stock_threshold: 4 });
    await step(both, 'pause');
    await sell();
    expect(await told()).toEqual([1, 0]);
  });

  it.each([0, -1, 1.5, 1_000_001, '5'])('refuses the threshold %s', async (low_stock_threshold) => {
    const { both } = await stocked(1);
    expect((await change(both, { low_stock_threshold })).status).toBe(400);
  });
});
