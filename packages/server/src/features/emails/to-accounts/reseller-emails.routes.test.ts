import { runDigest } from '@tonerow/test-support/digest.ts';
import { call, makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { connectPartners, makePartners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HOUR, TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());

const settings = (person: Person, body: object) =>
  call(server, 'PUT', '/api/account/settings', { token: person.token, body });
const emails = async (person: Person) =>
  (
    await server.db.query<{ subject: string }>(
      "select subject from mails where recipient = $1 and kind = 'reseller_redemptions' order by id",
      [person.email],
    )
  ).map(({ subject }) => subject);
const emailTo = (person: Person, subject: string) =>
  server.email((email) => email.to?.[0]?.address === person.email && email.subject === subject);

/** Serials of one product that a reseller sells. */
async function resold(developer: Person, partnershipId: string, product: object, quantity = 3): Promise<string[]> {
  const { id } = await makeProduct(server, developer.token, product);
  const serials = await makeSerials(server, developer.token, id, { quantity, reseller_id: partnershipId });
  return serials.map(({ code }) => code);
}

describe('an email to the reseller for each redemption', () => {
  it('names the sale and the commission, and can be switched off with one click', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server, 25);
    await settings(developer, { notify_redemptions: false, send_customer_emails: false });
    await settings(reseller, { redemption_emails: 'each' });
    const [first = '', second = ''] = await resold(developer, partnershipId, { name: 'Echo', price: 100 });
    await redeem(server, first, 'nina@example.com');
    const { text, headers } = await emailTo(reseller, 'Echo was redeemed');
    for (const part of ['Your commission is $25.00', 'Row Audio', first, 'Nina Simone, nina@example.com', '$100.00'])
      expect(text).toContain(part);
    const link = headers.find(({ key }) => key === 'list-unsubscribe')?.value.replace(/[<>\s]/g, '') as string;
    const off = await call(server, 'POST', link.slice(server.url.length));
    expect(off.body.message).toContain('no longer receive emails about redemptions');
    await redeem(server, second, 'nina@example.com');
    expect(await emails(reseller)).toEqual(['Echo was redeemed']);
  });

  it('is about the serials of their own batches only', async () => {
    const { developer, reseller } = await makePartners(server);
    const other = await signUpVerified(server, 'reseller');
    const otherPartnership = await connectPartners(server, developer, other);
    for (const each of [reseller, other]) await settings(each, { redemption_emails: 'each' });
    const [theirs = ''] = await resold(developer, otherPartnership, { name: 'Comb' });
    const { id } = await makeProduct(server, developer.token, { name: 'Gate' });
    const [own] = await makeSerials(server, developer.token, id, { quantity: 1 });
    await redeem(server, theirs, 'nina@example.com');
    await redeem(server, own?.code ?? '', 'nina@example.com');
    expect([await emails(reseller), await emails(other)]).toEqual([[], ['Comb was redeemed']]);
  });

  it('comes after the partnership has ended too, and never to a deleted account', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server);
    await settings(reseller, { redemption_emails: 'each' });
    const [first = '', second = ''] = await resold(developer, partnershipId, { name: 'Fuzz' });
    await server.db.query("update partnerships set status = 'ended', ended_at = now() where id = $1", [partnershipId]);
    await redeem(server, first, 'nina@example.com');
    expect(await emails(reseller)).toEqual(['Fuzz was redeemed']);
    await server.db.query('update users set deleted_at = now() where id = $1', [reseller.id]);
    await redeem(server, second, 'nina@example.com');
    expect(await emails(reseller)).toEqual(['Fuzz was redeemed']);
  });
});

describe('the daily email to a reseller', () => {
  it('sums what was sold for all developers on the reseller’s own day, with what it earned', async () => {
    clock.set('2026-03-10T12:00:00Z');
    const { developer, reseller, partnershipId } = await makePartners(server, 20);
    const second = await signUpVerified(server);
    await settings(second, { company_name: 'Second Audio' });
    const secondPartnership = await connectPartners(server, second, reseller, 50);
    await settings(reseller, { time_zone: 'America/New_York' });
    const [echo = '', late = ''] = await resold(developer, partnershipId, { name: 'Echo', price: 10 });
    const [comb = ''] = await resold(second, secondPartnership, { name: 'Comb', price: 30 });
    await redeem(server, echo, 'nina@example.com');
    clock.set('2026-03-11T03:59:00Z'); // a minute before midnight there
    await redeem(server, comb, 'nina@example.com');
    clock.set('2026-03-11T04:00:00Z');
    await redeem(server, late, 'nina@example.com');
    clock.set('2026-03-11T12:03:00Z');
    await runDigest(server.db, 3);
    expect(await emails(reseller)).toEqual(['2 redemptions on 10 March 2026']);
    const { text } = await emailTo(reseller, '2 redemptions on 10 March 2026');
    expect(text).toContain('You earned $17.00.');
    expect(text).toContain('Comb · Second Audio · 1 redemption · $15.00\nEcho · Row Audio · 1 redemption · $2.00');
    clock.set('2026-03-12T12:03:00Z');
    await settings(reseller, { notify_redemptions: false });
    await runDigest(server.db);
    expect(await emails(reseller)).toHaveLength(1);
  });

  it('leaves out what was reported one by one,', async () => {
    clock.set('2026-05-01T12:00:00Z');
    const { developer, reseller, partnershipId } = await makePartners(server);
    await settings(reseller, { redemption_emails: 'each' });
    const [first = '', second = ''] = await resold(developer, partnershipId, { name: 'Gate' });
    await redeem(server, first, 'nina@example.com');
    clock.advance(HOUR);
    await settings(reseller, { redemption_emails: 'daily' });
    clock.advance(HOUR);
    await redeem(server, second, 'nina@example.com');
    clock.set('2026-05-02T08:00:00Z');
    await runDigest(server.db);
    expect(await emails(reseller)).toEqual(['Gate was redeemed', '1 redemption on 1 May 2026']);
  });
});
