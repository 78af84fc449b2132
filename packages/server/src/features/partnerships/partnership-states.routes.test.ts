import { call, makeProduct, makeSerials, PASSWORD, signUpVerified } from '@tonerow/test-support/http.ts';
import { inviteCalls } from '@tonerow/test-support/invites.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { profile, change, step, message, seen, developersOf, kinds, emailsTo, stock, sell } = partnerCalls(() => server);

describe('a paused partnership', () => {
  it('shows no products, sells on what is out, and can be resumed', async () => {
    const partners = await makePartners(server);
    const [first] = await stock(partners);
    expect((await seen(partners)).body.products).toHaveLength(1);
    expect((await step(partners, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await step(partners, 'pause')).body).toMatchObject({ status: 'paused' });
    expect((await seen(partners)).body).toMatchObject({
      status: 'paused',
      products: [],
      email: partners.developer.email,
    });
    await sell(partners, first);
    expect((await profile(partners)).body).toMatchObject({ total_redemptions: 1, total_commission: 9.8 });
    expect((await step(partners, 'resume')).body).toMatchObject({ status: 'active' });
    expect((await step(partners, 'resume')).status).toBe(200);
    expect((await seen(partners)).body.products).toHaveLength(1);
    expect((await kinds(partners)).slice(0, 2)).toEqual(['resumed', 'paused']);
    expect(await emailsTo(partners.reseller.email, '%paused your partnership')).toBe(1);
    expect(await emailsTo(partners.reseller.email, '%resumed your partnership')).toBe(1);
  });

  it('is in one state after a pause and a resume at once, and the history agrees', async () => {
    const partners = await makePartners(server);
    const lock = await lockWith(server.db, 'select 1 from partnerships where id = $1 for update', [
      partners.partnershipId,
    ]);
    const calls = [step(partners, 'pause'), step(partners, 'resume'), step(partners, 'pause')];
    await lock.untilWaiting(3);
    await lock.release();
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const { body } = await profile(partners);
    const steps = body.history.map((each: { kind: string }) => each.kind).slice(0, -2);
    expect(['paused', 'resumed,paused', 'paused,resumed,paused']).toContain(steps.join());
    expect(body.status).toBe(steps[0] === 'resumed' ? 'active' : 'paused');
  });

  it('counts as working together: no new invitation', async () => {
    const partners = await makePartners(server);
    await step(partners, 'pause');
    const { invite } = inviteCalls(() => ({ server, ada: partners.developer, rae: partners.reseller }));
    expect((await invite({ email: partners.reseller.email })).body.message).toBe('You already work together.');
  });
});

describe('an ended partnership', () => {
  it('hides the developer at once; what is out earns the rate of the end', async () => {
    const partners = await makePartners(server, 15);
    const [first, second] = await stock(partners);
    await sell(partners, first);
    expect((await step(partners, 'end')).body).toMatchObject({ status: 'ended', ended_at: expect.any(String) });
    expect((await step(partners, 'end')).status).toBe(200);
    expect((await seen(partners)).status).toBe(404);
    expect((await developersOf(partners.reseller)).body).toEqual([]);
    await sell(partners, second);
    expect((await developersOf(partners.reseller, '?status=ended')).body).toEqual([
      {
        id: partners.developer.id,
        partnership_id: partners.partnershipId,
        name: 'Row Audio',
        company_name: 'Row Audio',
        logo_url: null,
        first_name: null,
        last_name: null,
        email: null,
        website: null,
        business_address: null,
        tax_id: null,
        commission_rate: 15,
        status: 'ended',
        since: expect.any(String),
        ended_at: expect.any(String),
        total_redemptions: 2,
        total_revenue: 98,
        total_commission: 14.7,
      },
    ]);
    const email = await server.email(
      (each) => each.to?.[0]?.address === partners.reseller.email && /has ended/.test(each.subject ?? ''),
    );
    expect(email.text).toContain('commission of 15%');
  });

  it('takes no new rate, pause, message or serials', async () => {
    const partners = await makePartners(server);
    await step(partners, 'end');
    for (const answer of [
      await change(partners, { commission_rate: 50 }),
      await step(partners, 'pause'),
      await step(partners, 'resume'),
      await message(partners, 'hi'),
    ]) {
      expect([answer.status, answer.body.message]).toEqual([409, expect.stringContaining('has ended')]);
    }
    const product = await makeProduct(server, partners.developer.token);
    const generate = (fields: object) =>
      call(server, 'POST', '/api/serials/generate', {
        token: partners.developer.token,
        body: { product_id: product.id, quantity: 1, ...fields },
      });
    expect((await generate({ new_reseller_name: 'Row Audio' })).body.message).toContain(
      'You no longer work with this reseller.',
    );
    expect((await generate({ reseller_id: partners.partnershipId })).status).toBe(400);
  });

  it('starts again with a new invitation, whose rate counts from then on', async () => {
    const partners = await makePartners(server, 15);
    const [first, second] = await stock(partners);
    await step(partners, 'end');
    await sell(partners, first);
    // an address gets one invitation a day
    await server.db.query(
      "update invites set sent_at = (sent_at at time zone 'UTC' - interval '2 days') at time zone 'UTC' where inviter_id = $1",
      [partners.developer.id],
    );
    const { invitedId, respond } = inviteCalls(() => ({ server, ada: partners.developer, rae: partners.reseller }));
    const answer = await respond(
      partners.reseller,
      await invitedId({ email: partners.reseller.email, commission_rate: 30 }),
    );
    expect(answer.body.partnership_id).toBe(partners.partnershipId);
    await sell(partners, second);
    const rows = await server.db.query(
      'select commission_bps from redemptions where developer_id = $1 order by redeemed_at',
      [partners.developer.id],
    );
    expect(rows).toEqual([{ commission_bps: 1500 }, { commission_bps: 3000 }]);
    const { body } = await profile(partners);
    expect(body).toMatchObject({ status: 'active', ended_at: null });
    expect(body.history[0]).toMatchObject({ kind: 'accepted', commission_rate_before: 15, commission_rate: 30 });
  });

  it.each(['developer', 'reseller'] as const)(
    'comes from deleting the %s’s account, and the other is told',
    async (role) => {
      const partners = await makePartners(server);
      const [leaver, stays] =
        role === 'developer' ? [partners.developer, partners.reseller] : [partners.reseller, partners.developer];
      await step(partners, 'pause');
      await call(server, 'DELETE', '/api/account/delete', { token: leaver.token, body: { password: PASSWORD } });
      expect(await emailsTo(stays.email, 'Your partnership with Row Audio has ended')).toBe(1);
      const events = await server.db.query(
        "select actor_id from partnership_events where developer_id = $1 and kind = 'ended'",
        [partners.developer.id],
      );
      expect(events).toEqual([{ actor_id: leaver.id }]);
      if (role === 'reseller') {
        expect((await profile(partners)).body).toMatchObject({ status: 'ended', name: 'Row Audio', email: null });
      } else expect((await developersOf(partners.reseller, '?status=ended')).body).toHaveLength(1);
    },
  );
});

it('an invitation accepted in the moment in which the inviter deletes the account leaves no partner', async () => {
  for (const order of ['deletion first', 'answer first']) {
    const [ada, rae] = [await signUpVerified(server), await signUpVerified(server, 'reseller')];
    const { invitedId, respond } = inviteCalls(() => ({ server, ada, rae }));
    const id = await invitedId({ email: rae.email });
    const lock = await lockWith(server.db, 'select 1 from users where id = $1 for update', [ada.id]);
    const acts = [
      () => call(server, 'DELETE', '/api/account/delete', { token: ada.token, body: { password: PASSWORD } }),
      () => respond(rae, id),
    ];
    if (order === 'answer first') acts.reverse();
    const answers: Promise<{ status: number }>[] = [];
    for (const [index, act] of acts.entries()) {
      answers.push(act());
      await lock.untilWaiting(index + 1);
    }
    await lock.release();
    expect(
      (await Promise.all(answers)).every(({ status }) => status < 500),
      order,
    ).toBe(true);
    expect((await developersOf(rae)).body, order).toEqual([]);
  }
});

describe('a reseller without an account', () => {
  it('has a rate, and nothing to pause, end or write to', async () => {
    const ada = await signUpVerified(server);
    const product = await makeProduct(server, ada.token);
    await makeSerials(server, ada.token, product.id, { new_reseller_name: 'Shop' });
    const [named] = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    const partners = { developer: ada, reseller: ada, partnershipId: named.id };
    expect((await change(partners, { commission_rate: 5 })).body).toMatchObject({
      status: 'named',
      commission_rate: 5,
      since: null,
    });
    for (const answer of [await step(partners, 'pause'), await step(partners, 'end'), await message(partners, 'hi')]) {
      expect([answer.status, answer.body.message]).toEqual([
        409,
        'This reseller has no account yet. Invite them first.',
      ]);
    }
  });
});
