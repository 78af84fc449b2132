import { call } from '@tonerow/test-support/http.ts';
import { partnerCalls } from '@tonerow/test-support/partner-calls.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { type SharedServer, sharedServer, startServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

const { message } = partnerCalls(() => server);

describe('a message', () => {
  it('arrives as plain text, and the answer goes to the developer', async () => {
    const partners = await makePartners(server);
    expect((await message(partners, '<b>Hello</b>\r\nfriend')).body).toEqual({ message: 'Message sent.' });
    const email = await server.email(
      (each) => each.to?.[0]?.address === partners.reseller.email && /^Message from/.test(each.subject ?? ''),
    );
    expect(email.text).toContain('<b>Hello</b>\nfriend');
    expect(email.html).toContain('&lt;b&gt;Hello');
    expect(email.replyTo?.[0]?.address).toBe(partners.developer.email);
    expect(email.text).toContain('Unsubscribe:');
  });

  it('is refused when the reseller wants none, when it is empty, and beyond five a day', async () => {
    const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
    try {
      const partners = await makePartners(limited);
      const calls = partnerCalls(() => limited);
      expect((await calls.message(partners, ' ')).status).toBe(400);
      const statuses: number[] = [];
      for (let n = 0; n < 6; n += 1) statuses.push((await calls.message(partners, `Message ${n}`)).status);
      expect(statuses).toEqual([200, 200, 200, 200, 200, 429]);
      const others = await makePartners(limited);
      await call(limited, 'PUT', '/api/account/settings', {
        token: others.reseller.token,
        body: { notify_inquiries: false },
      });
      const refused = await calls.message(others, 'hi');
      expect([refused.status, refused.body.message]).toEqual([
        409,
        'This reseller has switched off emails about inquiries.',
      ]);
    } finally {
      await limited.stop();
    }
  });
});

it('a reseller gets ten emails a day of a developer; past that, pauses and new rates happen without one', async () => {
  const limited = await startServer({ env: { TONEROW_RATE_LIMITS: 'on' } });
  try {
    const partners = await makePartners(limited);
    const calls = partnerCalls(() => limited);
    for (let n = 0; n < 5; n += 1) {
      expect((await calls.step(partners, 'pause')).status).toBe(200);
      expect((await calls.step(partners, 'resume')).status).toBe(200);
    }
    expect((await calls.step(partners, 'pause')).body.status).toBe('paused');
    expect((await calls.change(partners, { commission_rate: 30 })).body.commission_rate).toBe(30);
    const about = async (subject: string) =>
      (
        await limited.db.query('select 1 from mails where recipient = $1 and subject like $2', [
          partners.reseller.email,
          subject,
        ])
      ).length;
    // the invitation was the first
    expect([await about('%paused your partnership'), await about('%resumed your partnership')]).toEqual([5, 4]);
    expect(await about('%commission%')).toBe(0);
    expect((await calls.step(partners, 'end')).status).toBe(200);
    expect(await about('%has ended%')).toBe(1);
  } finally {
    await limited.stop();
  }
});

it('a mail server that is down keeps nobody from changing, pausing or writing', async () => {
  const broken = { send: () => Promise.reject(new Error('the mail server is down')), close: () => undefined };
  const down = await startServer({ overrides: { mailer: broken } });
  try {
    const partners = await makePartners(down);
    const calls = partnerCalls(() => down);
    for (const answer of [
      await calls.change(partners, { commission_rate: 1 }),
      await calls.step(partners, 'pause'),
      await calls.message(partners, 'hi'),
      await calls.step(partners, 'end'),
    ])
      expect(answer.status).toBe(200);
  } finally {
    await down.stop();
  }
});
