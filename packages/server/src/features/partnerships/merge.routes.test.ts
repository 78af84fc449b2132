import { randomUUID } from 'node:crypto';
import { call, makeProduct, makeSerials, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { connectPartners, makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { profile, step, merge, developersOf } = partnerCalls(() => server);
const get = (path: string, token: string) => call(server, 'GET', path, { token });

/** Partners at 20%, and a named reseller of the same developer at 25% who has sold one of three serials of 100 dollars. */
async function scene() {
  const partners = await makePartners(server, 20);
  const { developer } = partners;
  const product = await makeProduct(server, developer.token, { price: 100 });
  const codes = (
    await makeSerials(server, developer.token, product.id, { quantity: 3, new_reseller_name: 'Plugin Shop' })
  ).map(({ code }) => code);
  const named = (await get('/api/reseller/developer/resellers?status=named', developer.token)).body[0].id as string;
  const shop: Partners = { ...partners, partnershipId: named };
  await partnerCalls(() => server).change(shop, { commission_rate: 25 });
  await sell(partners, codes[0]);
  return { partners, shop, product, codes };
}
const sell = async ({ developer }: Partners, code = '', email = `${randomUUID()}@example.com`) =>
  expect((await redeem(server, code, email, developer.id)).status).toBe(200);
const batchesOf = async (id: string) =>
  (await server.db.query('select 1 from batches where partnership_id = $1', [id])).length;

describe('a named reseller that is merged into a partnership', () => {
  it('moves its batches, keeps its ledger, and is read as one with the other', async () => {
    const { partners, shop, product, codes } = await scene();
    const own = await makeSerials(server, partners.developer.token, product.id, {
      quantity: 1,
      reseller_id: partners.partnershipId,
    });
    await sell(partners, own[0]?.code);
    const merged = await merge(shop, partners.partnershipId);
    expect([merged.status, merged.body]).toMatchObject([
      200,
      { dry_run: false, batches: 1, serials: 2, redemptions: 1, commission_rate_before: 25 },
    ]);
    await sell(partners, codes[1]);
    const ledger = await server.db.query(
      'select partnership_id, commission_cents from redemptions where developer_id = $1 order by redeemed_at',
      [partners.developer.id],
    );
    expect(ledger).toEqual([
      { partnership_id: shop.partnershipId, commission_cents: 2500 },
      { partnership_id: partners.partnershipId, commission_cents: 2000 },
      { partnership_id: partners.partnershipId, commission_cents: 2000 },
    ]);
    const sums = { total_redemptions: 3, total_revenue: 300, total_commission: 65 };
    const list = await get('/api/reseller/developer/resellers', partners.developer.token);
    expect(list.body).toMatchObject([{ id: partners.partnershipId, merged_into: null, ...sums }]);
    expect((await developersOf(partners.reseller)).body).toMatchObject([{ id: partners.developer.id, ...sums }]);
    const { token } = partners.reseller;
    expect((await get('/api/reseller/dashboard', token)).body.serialGroups).toMatchObject([
      { product_id: product.id, redeemed: 3, remaining: 1 },
    ]);
    expect((await get('/api/reseller/products', token)).body.rows).toMatchObject([
      { product_id: product.id, total_redemptions: 3, available_serials: 1 },
    ]);
    expect((await get(`/api/reseller/products/${product.id}/redeemed`, token)).body.rows).toHaveLength(3);
    expect((await get('/api/reseller/transactions', token)).body.rows).toHaveLength(3);
    const path = `/api/reseller/developer/resellers/${partners.partnershipId}`;
    expect((await get(`${path}/circulation`, partners.developer.token)).body.totals).toMatchObject({
      given: 4,
      open: 1,
      redeemed: 3,
    });
    expect((await get(`${path}/stock`, partners.developer.token)).body).toMatchObject([
      { given: 4, available: 1, redeemed: 3 },
    ]);
    const balances = await get('/api/reseller/developer/balances', partners.developer.token);
    expect(balances.body.rows).toMatchObject([
      { reseller_id: partners.partnershipId, open_redemptions: 3, open_owed: 235, revenue: 300, effective_rate: 21.67 },
    ]);
    const whatIf = await get(
      `/api/reseller/developer/resellers/${partners.partnershipId}/what-if?months=1&commission_rate=0`,
      partners.developer.token,
    );
    expect(whatIf.body).toMatchObject({ redemptions: 3, actual: { revenue: 300, commission: 65 } });
    const analytics = await get('/api/analytics', partners.developer.token);
    expect(JSON.stringify(analytics.body)).not.toContain('Plugin Shop');
  });

  it('points to it, and is in the history of both', async () => {
    const { partners, shop } = await scene();
    await merge(shop, partners.partnershipId);
    const { body } = await profile(shop);
    expect(body).toMatchObject({
      name: 'Plugin Shop',
      company_name: 'Plugin Shop',
      status: 'merged',
      merged_into: partners.partnershipId,
      total_redemptions: 1,
    });
    expect(body.history[0]).toMatchObject({ kind: 'merged', by: 'developer', reseller_name: null });
    const { history } = (await profile(partners)).body;
    expect(history.slice(0, 2)).toMatchObject([
      { kind: 'merged', by: 'developer', reseller_name: 'Plugin Shop' },
      { kind: 'rate_changed', reseller_name: 'Plugin Shop', commission_rate: 25 },
    ]);
    expect(history.at(-1)).toMatchObject({ kind: 'invited', reseller_name: null });
    const found = await get('/api/reseller/developer/resellers?search=plugin', partners.developer.token);
    expect(found.body).toMatchObject([{ id: partners.partnershipId }]);
    const past = await get('/api/reseller/developer/resellers?status=merged', partners.developer.token);
    expect(past.body).toMatchObject([{ id: shop.partnershipId }]);
    const email = await server.email(
      (each) => each.to?.[0]?.address === partners.reseller.email && /merged Plugin Shop/.test(each.subject ?? ''),
    );
    expect(email.text).toContain('commission of 20%');
  });

  it('is reported by a dry run that changes nothing', async () => {
    const { partners, shop } = await scene();
    const dry = await merge(shop, partners.partnershipId, true);
    expect(dry.body).toMatchObject({
      dry_run: true,
      batches: 1,
      serials: 2,
      redemptions: 1,
      commission_rate_before: 25,
      reseller: { id: partners.partnershipId, commission_rate: 20, total_redemptions: 1 },
    });
    expect((await profile(shop)).body).toMatchObject({ status: 'named', merged_into: null });
    expect([await batchesOf(shop.partnershipId), await batchesOf(partners.partnershipId)]).toEqual([1, 0]);
    expect((await profile(partners)).body.history.map((each: { kind: string }) => each.kind)).not.toContain('merged');
  });

  it('lists a customer of both once', async () => {
    const { partners, shop, codes } = await scene();
    await sell(partners, codes[1], 'nina@example.com');
    await merge(shop, partners.partnershipId);
    await sell(partners, codes[2], 'nina@example.com');
    const { rows, total } = (await get('/api/reseller/customers', partners.reseller.token)).body;
    expect(total).toBe(2);
    expect(rows.map((each: { email: string; redemptions: number }) => each.redemptions)).toEqual([2, 1]);
  });

  it('gives later serials of its name or id to the other', async () => {
    const { partners, shop, product } = await scene();
    await merge(shop, partners.partnershipId);
    const { token } = partners.developer;
    await makeSerials(server, token, product.id, { quantity: 1, new_reseller_name: 'plugin shop' });
    await makeSerials(server, token, product.id, { quantity: 1, reseller_id: shop.partnershipId });
    expect([await batchesOf(shop.partnershipId), await batchesOf(partners.partnershipId)]).toEqual([0, 3]);
    await step(partners, 'end');
    const refused = await call(server, 'POST', '/api/serials/generate', {
      token,
      body: { product_id: product.id, quantity: 1, reseller_id: shop.partnershipId },
    });
    expect(refused.status).toBe(400);
  });

  it('has the stock alert of the other, which a move can end', async () => {
    const { partners, shop, product } = await scene();
    const { change } = partnerCalls(() => server);
    const [own] = await makeSerials(server, partners.developer.token, product.id, {
      quantity: 1,
      reseller_id: partners.partnershipId,
    });
    await change(partners, { low_stock_threshold: 2 });
    await sell(partners, own?.code);
    expect((await profile(partners)).body.low_stock_products).toBe(1);
    await merge(shop, partners.partnershipId);
    expect((await profile(partners)).body.low_stock_products).toBe(0);
  });

  it('is refunded where it is settled now', async () => {
    const { partners, shop } = await scene();
    await merge(shop, partners.partnershipId);
    const [sale] = await server.db.query<{ serial_id: string }>(
      'select serial_id from redemptions where partnership_id = $1',
      [shop.partnershipId],
    );
    const refunded = await call(server, 'POST', `/api/serials/${sale?.serial_id}/refund`, {
      token: partners.developer.token,
      body: { reason: 'Broken' },
    });
    expect(refunded.body).toMatchObject({ amount: -100, commission: -25 });
    expect(
      await server.db.query('select partnership_id from ledger_adjustments where id = $1', [refunded.body.id]),
    ).toEqual([{ partnership_id: partners.partnershipId }]);
    expect((await profile(partners)).body).toMatchObject({ total_revenue: 0, total_commission: 0 });
    expect((await get('/api/reseller/transactions', partners.reseller.token)).body.rows).toHaveLength(2);
  });
});

describe('a merge', () => {
  it('repeated, or made twice at once, happens once', async () => {
    const { partners, shop } = await scene();
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [shop.partnershipId]);
    const both = [merge(shop, partners.partnershipId), merge(shop, partners.partnershipId)];
    await lock.untilWaiting(2);
    await lock.release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers.map(({ body }) => body.batches).sort()).toEqual([0, 1]);
    expect((await merge(shop, partners.partnershipId)).body).toMatchObject({ batches: 0, redemptions: 1 });
    const { history } = (await profile(shop)).body;
    expect(history.filter((each: { kind: string }) => each.kind === 'merged')).toHaveLength(1);
  });

  it('into two others at once happens into one of them', async () => {
    const { partners, shop } = await scene();
    const second = await connectPartners(server, partners.developer, await signUpVerified(server, 'reseller'));
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [shop.partnershipId]);
    const both = [merge(shop, partners.partnershipId), merge(shop, second)];
    await lock.untilWaiting(2);
    await lock.release();
    const answers = await Promise.all(both);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    const winner = answers[0]?.status === 200 ? partners.partnershipId : second;
    expect((await profile(shop)).body.merged_into).toBe(winner);
    expect(await batchesOf(winner)).toBe(1);
  });

  it('beside a batch that is being made leaves nothing behind', async () => {
    const { partners, shop, product } = await scene();
    const lock = await lockWith(server.db, 'lock table batches in share mode', []);
    const made = call(server, 'POST', '/api/serials/generate', {
      token: partners.developer.token,
      body: { product_id: product.id, quantity: 2, reseller_id: shop.partnershipId },
    });
    await lock.untilWaiting(1);
    const merged = merge(shop, partners.partnershipId);
    await lock.untilWaiting(2);
    await lock.release();
    expect([(await made).status, (await merged).status]).toEqual([201, 200]);
    expect([await batchesOf(shop.partnershipId), await batchesOf(partners.partnershipId)]).toEqual([0, 2]);
  });

  it('into what has become part of another follows it', async () => {
    const { partners, shop, product } = await scene();
    await makeSerials(server, partners.developer.token, product.id, { quantity: 1, new_reseller_name: 'Corner Shop' });
    const corner = (await get('/api/reseller/developer/resellers?search=corner', partners.developer.token)).body[0].id;
    await merge(shop, partners.partnershipId);
    const followed = await merge({ ...partners, partnershipId: corner }, shop.partnershipId);
    expect(followed.body).toMatchObject({ batches: 1, reseller: { id: partners.partnershipId } });
    expect((await profile({ ...partners, partnershipId: corner })).body.merged_into).toBe(partners.partnershipId);
  });

  it('is refused for another developer’s, an ended one, one without an account and itself', async () => {
    const { partners, shop, product } = await scene();
    const stranger = await makePartners(server);
    const answer = async (from: Partners, into: string) => {
      const { status, body } = await merge(from, into);
      return [status, body.message];
    };
    expect(await answer(shop, stranger.partnershipId)).toEqual([400, 'Reseller not found.']);
    expect(await answer(shop, randomUUID())).toEqual([400, 'Reseller not found.']);
    expect(await answer({ ...shop, developer: stranger.developer }, stranger.partnershipId)).toEqual([
      404,
      'Reseller not found.',
    ]);
    expect(await answer(shop, shop.partnershipId)).toEqual([400, 'Choose another reseller.']);
    await makeSerials(server, partners.developer.token, product.id, { quantity: 1, new_reseller_name: 'Corner Shop' });
    const corner = (await get('/api/reseller/developer/resellers?search=corner', partners.developer.token)).body[0].id;
    expect(await answer(shop, corner)).toEqual([409, 'The other reseller has no account yet. Invite them first.']);
    expect(await answer(partners, corner)).toEqual([409, 'Only a reseller without an account can be merged.']);
    await step(partners, 'end');
    expect(await answer(shop, partners.partnershipId)).toEqual([
      409,
      'The partnership with the other reseller has ended.',
    ]);
    expect((await profile(shop)).body).toMatchObject({ status: 'named', total_redemptions: 1 });
  });

  it('can’t be undone by changes of what was merged', async () => {
    const { partners, shop } = await scene();
    await merge(shop, partners.partnershipId);
    const { change, message } = partnerCalls(() => server);
    for (const refused of [
      await change(shop, { commission_rate: 50 }),
      await change(shop, { low_stock_threshold: 3 }),
      await step(shop, 'pause'),
      await step(shop, 'end'),
      await message(shop, 'Hello'),
    ])
      expect([refused.status, refused.body.message]).toEqual([409, 'This reseller has become part of another one.']);
  });
});

describe('an invitation to take over a named reseller', () => {
  it('that is accepted by a reseller who works with the developer already merges it, on the terms they have', async () => {
    const developer = await signUpVerified(server);
    const reseller = await signUpVerified(server, 'reseller');
    const calls = inviteCalls(() => ({ server, ada: developer, rae: reseller }));
    const product = await makeProduct(server, developer.token, { price: 100 });
    const [first] = await makeSerials(server, developer.token, product.id, {
      quantity: 2,
      new_reseller_name: 'Plugin Shop',
    });
    await redeem(server, first?.code as string, 'nina@example.com', developer.id);
    const [named] = await calls.resellersOf(developer);
    const claim = await calls.invitedId({ email: reseller.email, partnership_id: named?.id, commission_rate: 35 });
    // meanwhile the two have found each other in another way
    const partnershipId = await plantPartnership(developer.id, reseller.id);
    const accepted = await calls.respond(reseller, claim);
    expect([accepted.status, accepted.body.partnership_id]).toEqual([200, partnershipId]);
    expect((await calls.respond(reseller, claim)).body.partnership_id).toBe(partnershipId);
    const partners = { developer, reseller, partnershipId };
    expect((await profile(partners)).body).toMatchObject({
      status: 'active',
      commission_rate: 20,
      total_redemptions: 1,
      history: [{ kind: 'merged', by: 'reseller', reseller_name: 'Plugin Shop' }],
    });
    expect((await profile({ ...partners, partnershipId: named?.id as string })).body.merged_into).toBe(partnershipId);
    expect(await batchesOf(partnershipId)).toBe(1);
  });

  it('is not sent to a reseller who works with the developer, who is told to merge it', async () => {
    const { partners, shop } = await scene();
    const { invite: send } = inviteCalls(() => ({ server, ada: partners.developer, rae: partners.reseller }));
    const refused = await send({ email: partners.reseller.email, partnership_id: shop.partnershipId });
    expect([refused.status, refused.body.message]).toEqual([
      409,
      'You already work together. Merge the named reseller into theirs instead.',
    ]);
  });
});

/** Partners at 20%, as an invitation that was accepted at the same moment makes them. */
async function plantPartnership(developerId: string, resellerId: string): Promise<string> {
  const id = randomUUID();
  await plantSeller(server.db, resellerId, developerId);
  await server.db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     values ($1::uuid, $2, $3, 'Row Audio', 'row audio', 'active', now())`,
    [id, developerId, resellerId],
  );
  return id;
}
