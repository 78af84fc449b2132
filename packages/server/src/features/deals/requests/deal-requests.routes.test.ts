import { randomUUID } from 'node:crypto';
import { dealCalls } from '@tonerow/test-support/deal-calls.ts';
import { call, makeProduct, signUp, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners, type Partners } from '@tonerow/test-support/partners.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

const clock = new TestClock('2026-03-10T12:00:00Z');
let server: TestServer;
let pair: Partners;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
});
afterAll(() => server.stop());
beforeEach(async () => {
  pair = await makePartners(server);
  product = await makeProduct(server, pair.developer.token, { name: 'Prism' });
});

const { post, get, ask, asked, own, received, withdraw, decline, accept, batches, setStatus, emailTo } = dealCalls(
  () => ({ server, pair, product }),
);

describe('a request for a deal', () => {
  it('reaches the developer by list and email, with its terms', async () => {
    const answer = await ask({
      promo_start: '2026-03-15',
      promo_expires: '2026-03-31',
      expires_at: '2026-12-31',
      note: 'For our\r\nspring sale',
    });
    expect(answer.body).toEqual({
      id: expect.any(String),
      status: 'pending',
      is_open: true,
      product_id: product.id,
      product_name: 'Prism',
      image_url: null,
      developer_id: pair.developer.id,
      developer_name: 'Row Audio',
      developer_time_zone: 'UTC',
      reseller_id: pair.partnershipId,
      reseller_name: 'Row Audio',
      reseller_time_zone: 'UTC',
      price: 29,
      quantity: 5,
      promo_start: '2026-03-15T00:00:00.000Z',
      promo_expires: '2026-03-31T23:59:59.999Z',
      expires_at: '2026-12-31T23:59:59.999Z',
      note: 'For our\nspring sale',
      answer: null,
      accepted: null,
      created_at: '2026-03-10T12:00:00.000Z',
      answered_at: null,
      seen: false,
    });
    expect(await received('?status=pending')).toEqual({ rows: [answer.body], total: 1, next_cursor: null });
    expect((await get(`/api/reseller/developer/deal-requests/${answer.body.id}`, pair.developer)).body).toEqual(
      answer.body,
    );
    const email = await emailTo(pair.developer, 'requests a deal for Prism');
    expect(email.text).toContain('For our\nspring sale');
    expect(email.text).toContain('/dashboard/resellers');
    expect(email.text).toContain('March 31, 2026');
  });

  it.each([
    ['a draft', { is_draft: true }, 404],
    ['a price with three decimals', { price: 1.234 }, 400],
    ['no price', { price: null }, 400],
    ['a quantity of 0', { quantity: 0 }, 400],
    ['a sale that ends before it starts', { promo_start: '2026-04-02', promo_expires: '2026-04-01' }, 422],
    ['a sale that is over', { promo_expires: '2026-03-01' }, 422],
    ['an unknown field', { discount: 1 }, 400],
  ])('is refused for %s', async (_what, fields, status) => {
    if ('is_draft' in fields) {
      product = await makeProduct(server, pair.developer.token, fields);
      expect((await ask()).status).toBe(status);
    } else expect((await ask(fields)).status).toBe(status);
    expect((await own()).total).toBe(0);
  });

  it('is refused to strangers, partners who are paused or have ended, and unverified accounts', async () => {
    const stranger = await signUpVerified(server, 'reseller');
    expect((await ask({}, stranger)).status).toBe(404);
    for (const status of ['paused', 'ended']) {
      await setStatus(status);
      expect((await ask()).status, status).toBe(404);
    }
    expect((await ask({}, await signUp(server, 'reseller'))).status).toBe(403);
  });

  it('is made once under one idempotency key', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const [one, other] = [await ask({}, pair.reseller, headers), await ask({}, pair.reseller, headers)];
    expect([other.status, other.body]).toEqual([201, one.body]);
    expect((await own()).total).toBe(1);
  });

  it('is limited to 20 pending ones per developer, also of two at once', async () => {
    for (let at = 0; at < 19; at += 1) await asked();
    const statuses = (await Promise.all([ask(), ask()])).map((each) => each.status);
    expect(statuses.sort()).toEqual([201, 422]);
    expect((await own()).total).toBe(20);
    await withdraw((await own()).rows[0].id);
    expect((await ask()).status).toBe(201);
  });

  it('is read page by page, by its reseller and its developer', async () => {
    const ids = [await asked(), await asked(), await asked()].reverse();
    for (const read of [own, received]) {
      const first = await read('?limit=2');
      const rest = await read(`?limit=2&cursor=${first.next_cursor}`);
      expect([...first.rows, ...rest.rows].map((row) => row.id)).toEqual(ids);
      expect([first.total, rest.next_cursor]).toEqual([3, null]);
    }
  });

  it('can be withdrawn while nobody has answered it, and by nobody else', async () => {
    const id = await asked();
    const other = (await makePartners(server)).reseller;
    expect((await withdraw(id, other)).status).toBe(404);
    const answer = await withdraw(id);
    expect([answer.status, answer.body.status, answer.body.is_open]).toEqual([200, 'withdrawn', false]);
    expect((await withdraw(id)).body).toEqual(answer.body);
    expect((await received('?status=pending')).total).toBe(0);
    expect((await accept(id)).status).toBe(409);
    expect((await decline(id)).status).toBe(409);
    expect(await batches()).toBe(0);
  });
});

describe('declining', () => {
  it('gives the reseller the reason, once', async () => {
    const id = await asked();
    expect((await decline(id, ' ')).status).toBe(400);
    const answer = await decline(id, 'Too low\r\nfor us');
    expect([answer.status, answer.body.status, answer.body.answer]).toEqual([200, 'declined', 'Too low\nfor us']);
    expect((await decline(id, 'Too low\nfor us')).status).toBe(200);
    expect((await decline(id, 'Other')).status).toBe(409);
    expect((await withdraw(id)).body.message).toBe('This request is already declined.');
    expect((await own()).rows[0]).toMatchObject({ status: 'declined', answer: 'Too low\nfor us', seen: false });
    expect((await emailTo(pair.reseller, 'declined your deal for Prism')).text).toContain('Too low\nfor us');
    expect((await post('/api/reseller/deal-requests/seen', pair.reseller)).body).toEqual({ ok: true });
    expect((await own()).rows[0].seen).toBe(true);
  });

  it('is the developer’s alone', async () => {
    const id = await asked();
    const other = await signUpVerified(server);
    expect((await decline(id, 'No', other)).status).toBe(404);
    expect((await get(`/api/reseller/developer/deal-requests/${id}`, other)).status).toBe(404);
    expect((await get('/api/reseller/developer/deal-requests', other)).body.total).toBe(0);
    expect((await received('?status=pending')).total).toBe(1);
  });
});

describe('an email about a request', () => {
  const noticesDone = () =>
    expect
      .poll(
        () =>
          server.db.query(
            "select 1 from pgboss.job where name = 'deal-notice' and state in ('created', 'retry', 'active')",
          ),
        { timeout: 10_000 },
      )
      .toEqual([]);
  const emails = () =>
    server.db.query("select 1 from mails where recipient = $1 and subject like '%Prism%'", [pair.reseller.email]);
  const late = (about: 'request' | 'answer', requestId: string) =>
    queueJob(server.db, 'deal-notice', { developerId: pair.developer.id, requestId, about });

  it('is not sent after the end of the partnership', async () => {
    const requestId = await asked();
    await decline(requestId);
    await noticesDone();
    expect(await emails()).toHaveLength(1);
    await setStatus('ended');
    await late('answer', requestId);
    await noticesDone();
    expect(await emails()).toHaveLength(1);
  });

  it('that is late reports no answer, which has an email of its own', async () => {
    const requestId = await asked();
    await decline(requestId);
    await late('request', requestId);
    await noticesDone();
    expect(await emails()).toHaveLength(1);
  });
});

describe('a deal that nobody asked for', () => {
  it('is emailed to the reseller, unless they turned that off', async () => {
    const give = () =>
      post('/api/serials/generate', pair.developer, {
        product_id: product.id,
        reseller_id: pair.partnershipId,
        promo_price: 19,
        promo_expires: '2026-04-30',
      });
    await give();
    const email = await emailTo(pair.reseller, 'A new deal for Prism');
    expect(email.text).toContain('April 30, 2026');
    expect(email.headers.map((header) => header.key)).toContain('list-unsubscribe');
    await server.db.query('update users set notify_deals = false where id = $1', [pair.reseller.id]);
    await server.db.query('delete from mails where recipient = $1', [pair.reseller.email]);
    await give();
    const id = await asked();
    await decline(id);
    await expect
      .poll(
        async () =>
          (
            await server.db.query(
              "select 1 from pgboss.job where name = 'deal-notice' and state in ('created', 'retry', 'active')",
            )
          ).length,
        { timeout: 10_000 },
      )
      .toBe(0);
    expect(await server.db.query('select subject from mails where recipient = $1', [pair.reseller.email])).toEqual([]);
  });

  it('are a CSV of the reseller’s own, by state, with texts that no spreadsheet runs', async () => {
    const csv = async (query = '', person = pair.reseller) => {
      const answer = await call(server, 'GET', `/api/reseller/deal-requests${query}`, {
        token: person.token,
        headers: { accept: 'text/csv' },
      });
      expect(answer.status, answer.text).toBe(200);
      expect(answer.headers.get('content-disposition')).toBe('attachment; filename="deal_requests.csv"');
      return answer.text.trimEnd().split('\r\n');
    };
    const wanted = await asked({ note: '=cmd()', promo_expires: '2026-03-31' });
    await accept(wanted, { quantity: 4, batch_tag: 'spring' });
    await decline(await asked({ price: 0.5 }), 'Too low, sorry');
    const at = clock.now().toISOString();
    const [head, declined, accepted, ...more] = await csv();
    expect(head).toMatch(/^Requested,Developer,Product,Status,Price,Quantity,/);
    expect(declined).toBe(`${at},Row Audio,Prism,declined,0.50,5,,,,,"Too low, sorry",${at},,,`);
    expect(accepted).toMatch(
      /^[^,]+,Row Audio,Prism,accepted,29\.00,5,,2026-03-31T23:59:59\.999Z,,'=cmd\(\),,[^,]+,29\.00,4,spring$/,
    );
    expect(more).toEqual([]);
    expect(await csv('?status=declined')).toEqual([head, declined]);
    expect(await csv('', await signUp(server, 'reseller'))).toEqual([head]);
    await setStatus('ended');
    expect(await csv()).toEqual([head]);
  });

  it('are a CSV of those that a developer received, too', async () => {
    const csv = async (query = '', person = pair.developer) => {
      const answer = await call(server, 'GET', `/api/reseller/developer/deal-requests${query}`, {
        token: person.token,
        headers: { accept: 'text/csv' },
      });
      expect(answer.status, answer.text).toBe(200);
      return answer.text.trimEnd().split('\r\n');
    };
    await accept(await asked({ price: 19 }), { promo_price: 20, quantity: 7, batch_tag: 'spring' });
    await asked({ note: '=HYPERLINK("x")' });
    const [head, open, accepted, ...more] = await csv();
    expect(head).toMatch(/^Requested,Reseller,Product,Status,Price,Quantity,/);
    expect(open).toContain(',Row Audio,Prism,pending,29.00,5,,,,"\'=HYPERLINK(""x"")",');
    expect(accepted).toMatch(/,Row Audio,Prism,accepted,19\.00,5,,,,,,[^,]+,20\.00,7,spring$/);
    expect(more).toEqual([]);
    expect(await csv('?status=pending')).toEqual([head, open]);
    expect(await csv('', await signUpVerified(server))).toEqual([head]);
  });
});
