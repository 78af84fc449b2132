import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  signUpVerified,
} from '@tonerow/test-support/http.ts';
import { connectPartners } from '@tonerow/test-support/partners.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestClock } from '#platform/clock.ts';

let server: TestServer;
let ada: Person;
let bea: Person;
let shop: Person;
let rival: Person;
let delay: { id: string };
let chorus: { id: string };
let codes: { code: string; id: string }[];
const clock = new TestClock('2026-03-10T12:00:00Z');

const get = (path: string, headers: Record<string, string> = {}, token = shop.token) =>
  call(server, 'GET', `/api/reseller/${path}`, { token, headers });

beforeAll(async () => {
  server = await startServer({ overrides: { clock } });
  ada = await signUpVerified(server);
  bea = await signUpVerified(server);
  shop = await signUpVerified(server, 'reseller');
  rival = await signUpVerified(server, 'reseller');
  const withAda = await connectPartners(server, ada, shop, 20);
  const withBea = await connectPartners(server, bea, shop, 12.5);
  const rivalAda = await connectPartners(server, ada, rival, 50);
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  chorus = await makeProduct(server, bea.token, { name: '=Chorus', price: 0.04 });
  codes = await makeSerials(server, ada.token, delay.id, { quantity: 5, reseller_id: withAda });
  const given = await makeSerials(server, bea.token, chorus.id, { quantity: 3, reseller_id: withBea });
  const own = await makeSerials(server, ada.token, delay.id, { quantity: 1 });
  const others = await makeSerials(server, ada.token, delay.id, { quantity: 1, reseller_id: rivalAda });
  clock.set('2026-02-28T23:00:00Z');
  await redeem(server, codes[0]?.code as string, 'nina@example.com', ada.id);
  clock.set('2026-03-08T12:00:00Z');
  await redeem(server, given[0]?.code as string, 'nina@example.com', bea.id);
  await redeem(server, own[0]?.code as string, 'secret@example.com', ada.id);
  await redeem(server, others[0]?.code as string, 'hidden@example.com', ada.id);
  clock.set('2026-03-09T12:00:00Z');
  await redeem(server, codes[1]?.code as string, 'otis@example.com', ada.id);
  clock.set('2026-03-10T12:00:00Z');
  const body = { amount: 10, reason: '=cmd()' };
  await call(server, 'POST', `/api/serials/${codes[0]?.id}/refund`, { token: ada.token, body });
});
afterAll(() => server.stop());

describe('a reseller', () => {
  it('sees the same figures on every screen, net of refunds', async () => {
    const dashboard = (await get('dashboard')).body;
    expect(dashboard.stats).toEqual({
      totalRedemptions: 3,
      totalCommission: 10.01,
      connectedProducts: 2,
      availableSerials: 5,
      notForSaleSerials: 0,
      handedOutSerials: 0,
      serialsInFiles: 0,
    });
    expect(dashboard.serialGroups).toMatchObject([
      { product_name: 'Delay', commission_rate: 20, total: 5, redeemed: 2, remaining: 3, handed_out: 0 },
      { product_name: '=Chorus', commission_rate: 12.5, total: 3, redeemed: 1, remaining: 2 },
    ]);
    const period = '?startDate=2026-02-01&endDate=2026-03-31';
    expect((await get(`summary${period}`)).body).toMatchObject({
      total_commission: 10.01,
      total_redemptions: 3,
      refunded_commission: 2,
      top_product: 'Delay',
      top_product_redemptions: 2,
      top_developer_redemptions: 2,
      time_zone: 'UTC',
    });
    // half of March 10 has passed, so half of February 28 is compared, on which something was redeemed at 23:00
    expect((await get('summary?startDate=2026-03-01&endDate=2026-03-10')).body.previous).toMatchObject({
      startDate: '2026-02-19',
      until: '2026-02-28T12:00:00.000Z',
      total_redemptions: 0,
    });
    const day = '?startDate=2026-03-10&endDate=2026-03-10';
    expect((await get(`summary${day}`)).body.previous).toEqual({
      startDate: '2026-03-09',
      endDate: '2026-03-09',
      until: '2026-03-09T12:00:00.000Z',
      total_commission: 6,
      total_redemptions: 1,
      top_product_redemptions: 0,
      top_developer_redemptions: 0,
    });
    expect((await get('summary?startDate=2026-03-09&endDate=2026-03-09')).body.previous).toMatchObject({
      until: null,
      total_redemptions: 1,
      total_commission: 0.01,
      top_developer_redemptions: 0,
    });
    const graph = (await get(`graph${period}`)).body;
    expect(graph).toHaveLength(59);
    expect(graph.filter((day: { commission_earned: number }) => day.commission_earned !== 0)).toEqual([
      { date: '2026-02-28', redemptions: 1, commission_earned: 6 },
      { date: '2026-03-08', redemptions: 1, commission_earned: 0.01 },
      { date: '2026-03-09', redemptions: 1, commission_earned: 6 },
      { date: '2026-03-10', redemptions: 0, commission_earned: -2 },
    ]);
    expect((await get(`graph-by-developer${period}`)).body).toMatchObject([
      { developer_id: ada.id, redemptions: 2, commission_earned: 10 },
      { developer_id: bea.id, redemptions: 1, commission_earned: 0.01 },
    ]);
    const history = await get('history');
    expect(history.headers.get('x-total-count')).toBe('3');
    expect(history.body).toHaveLength(3);
    expect(history.body).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          month: '2026-03',
          product: 'Delay',
          redemptions: 1,
          refunds: 1,
          commission_percent: 20,
          commission_total: 4,
        }),
        expect.objectContaining({
          month: '2026-03',
          product: '=Chorus',
          commission_percent: 25,
          commission_total: 0.01,
        }),
        expect.objectContaining({ month: '2026-02', product: 'Delay', redemptions: 1, commission_total: 6 }),
      ]),
    );
  });

  it('reads the history page by page', async () => {
    const first = await get('history?limit=2');
    const next = await get(`history?limit=2&cursor=${first.headers.get('x-next-cursor')}`);
    expect([...first.body, ...next.body]).toEqual((await get('history')).body);
    expect(next.headers.get('x-next-cursor')).toBeNull();
    expect((await get('history?cursor=nonsense')).status).toBe(400);
  });

  it('lists redemptions and refunds of serials that were given to them, and of nobody else', async () => {
    const { body } = await get('transactions');
    expect(body).toMatchObject({ total: 4, total_exact: true, page: 1, page_size: 20, next_cursor: null });
    expect(
      body.rows.map((row: Record<string, unknown>) => [row.kind, row.email, row.final_price, row.commission_earned]),
    ).toEqual([
      ['refund', 'nina@example.com', -10, -2],
      ['redemption', 'otis@example.com', 30, 6],
      ['redemption', 'nina@example.com', 0.04, 0.01],
      ['redemption', 'nina@example.com', 30, 6],
    ]);
    expect(body.rows[0]).toMatchObject({ reason: '=cmd()', refers_to: body.rows[3].id, code: codes[0]?.code });
    expect(body.rows[3]).toMatchObject({ refunded: 10, price: 30, commission_rate: 20, imported: false });
    for (const email of ['secret', 'hidden']) {
      expect((await get(`transactions?search=${email}`)).body).toMatchObject({ rows: [], total: 0 });
      expect((await get(`customers?search=${email}`)).body).toMatchObject({ rows: [], total: 0 });
    }
    expect((await get('transactions', {}, rival.token)).body.rows).toMatchObject([{ email: 'hidden@example.com' }]);
  });

  it.each([
    ['an address', 'otis@', 1],
    ['a name', 'Simone', 4],
    ['a product', 'delay', 3],
    ['something else', 'zither', 0],
    ['what would be a pattern', '%', 0],
  ])('finds transactions by %s', async (_what, search, count) => {
    const { body } = await get(`transactions?search=${encodeURIComponent(search)}`);
    expect([body.total, body.rows.length]).toEqual([count, count]);
  });

  it('finds transactions by code, developer and day', async () => {
    expect((await get(`transactions?search=${codes[0]?.code.slice(0, 9).toLowerCase()}`)).body.total).toBe(2);
    const [named] = (await get('graph-by-developer?startDate=2026-02-01&endDate=2026-03-31')).body;
    expect((await get(`transactions?search=${encodeURIComponent(named.developer)}`)).body.total).toBeGreaterThan(0);
    const { body } = await get('transactions?dateRange=2026-03-09_to_2026-03-10');
    expect([body.total, body.rows.length]).toEqual([2, 2]);
    expect((await get('transactions?dateRange=1w')).body.total).toBe(3);
  });

  it('filters transactions by product, developer and kind, which combine and exclude, in the list and its CSV', async () => {
    const prices = async (query: string) =>
      (await get(`transactions?${query}`)).body.rows.map((row: { final_price: number }) => row.final_price);
    expect(await prices(`product=${delay.id}`)).toEqual([-10, 30, 30]);
    expect(await prices(`product=-${delay.id}`)).toEqual([0.04]);
    expect(await prices(`developer=${bea.id},${ada.id}`)).toEqual([-10, 30, 0.04, 30]);
    expect(await prices(`developer=-${ada.id}`)).toEqual([0.04]);
    expect(await prices('kind=refund')).toEqual([-10]);
    expect(await prices(`kind=-refund&product=${delay.id}&dateRange=1w`)).toEqual([30]);
    expect(await prices(`kind=redemption&search=otis@&developer=${ada.id}`)).toEqual([30]);
    // somebody else's product and developer leave nothing
    expect(await prices(`developer=${rival.id}`)).toEqual([]);
    expect((await get(`transactions?product=${chorus.id}`)).body).toMatchObject({ total: 1, total_exact: true });
    const file = await get(`transactions?product=${chorus.id}&kind=redemption`, { accept: 'text/csv' });
    expect(file.text.trim().split('\n')).toHaveLength(2);
    for (const query of ['product=nonsense', 'kind=gift', 'developer=none']) {
      const { status, body } = await get(`transactions?${query}`);
      expect([status, body.code]).toEqual([400, 'invalid_request']);
    }
  });

  it('counts what each choice leaves together with the other filters', async () => {
    const { body } = await get('transactions/choices');
    expect(body.product).toEqual([
      { value: delay.id, label: 'Delay', count: 3, exact: true },
      { value: chorus.id, label: '=Chorus', count: 1, exact: true },
    ]);
    expect(body.developer.map(({ count }: { count: number }) => count)).toEqual([3, 1]);
    expect(body.kind).toEqual([
      { value: 'redemption', label: null, count: 3, exact: true },
      { value: 'refund', label: null, count: 1, exact: true },
    ]);
    const narrow = (await get(`transactions/choices?product=${chorus.id}&kind=refund`)).body;
    expect(narrow.kind).toEqual([{ value: 'redemption', label: null, count: 1, exact: true }]);
    expect(narrow.product).toEqual([{ value: delay.id, label: 'Delay', count: 1, exact: true }]);
    expect((await get('transactions/choices', {}, rival.token)).body.product).toMatchObject([{ count: 1 }]);
  });

  it.each(['', 'dateRange=2026-03-01_to_2026-03-31', 'kind=redemption', 'kind=-redemption', 'search=delay'])(
    'counts for each choice, whether from sums or not, what the list then has: %s',
    async (query) => {
      const { body } = await get(`transactions/choices?${query}`);
      for (const kind of ['product', 'developer', 'kind']) {
        const others = query.startsWith(`${kind}=`) ? '' : query;
        expect([kind, body[kind].length]).not.toEqual([kind, 0]);
        for (const { value, count } of body[kind])
          expect([kind, value, (await get(`transactions?${others}&${kind}=${value}`)).body.total]).toEqual([
            kind,
            value,
            count,
          ]);
      }
    },
  );

  it('lists customers by their newest redemption', async () => {
    const { body } = await get('customers');
    expect(body.rows).toMatchObject([
      { email: 'otis@example.com', redemptions: 1, product_name: 'Delay' },
      { email: 'nina@example.com', product_name: '=Chorus', last_redeemed_at: '2026-03-08T12:00:00.000Z' },
      { email: 'nina@example.com', product_name: 'Delay', redemptions: 1 },
    ]);
    expect(body).toMatchObject({ total: 3, total_exact: true });
    expect((await get('customers?dateRange=2026-02-28_to_2026-02-28')).body.rows).toMatchObject([
      { product_name: 'Delay' },
    ]);
  });

  it('exports transactions and history that a spreadsheet opens safely', async () => {
    const file = await get('transactions?dateRange=2026-03-08_to_2026-03-10', { accept: 'text/csv' });
    const [head, refund, , sale] = file.text.split('\n');
    expect(head).toContain('Date (UTC),Kind,Developer,Product');
    expect(refund).toMatch(/^2026-03-10T12:00:00Z,refund,.*,-10\.00,20\.00,-2\.00,,'=cmd\(\),/);
    expect(sale).toContain(",'=Chorus,");
    const history = await get('history', { accept: 'text/csv' });
    expect(history.text.split('\r\n')).toEqual(
      expect.arrayContaining([expect.stringMatching(/^2026-03,.*,'=Chorus,1,0,25,0\.01$/)]),
    );
  });

  it('exports customers as they are listed, also of a search', async () => {
    for (const query of ['', '?search=otis', '?dateRange=2026-03-08_to_2026-03-10', '?search=nobody-at-all']) {
      const listed = (await get(`customers${query}`)).body;
      const file = await get(`customers${query}`, { accept: 'text/csv' });
      expect(file.headers.get('content-type')).toContain('text/csv');
      const [head, ...lines] = file.text.trimEnd().split('\r\n');
      expect(head).toBe('First Name,Last Name,Email,Developer,Last Product,Redemptions,Last Redeemed (UTC),Id');
      expect(lines.map((line) => line.split(',').at(-1))).toEqual(listed.rows.map(({ id }: { id: string }) => id));
      expect(lines.map((line) => Number(line.split(',').at(-3)))).toEqual(
        listed.rows.map(({ redemptions }: { redemptions: number }) => redemptions),
      );
    }
    expect((await get('customers', { accept: 'text/csv' })).text).toContain(",'=Chorus,");
    expect((await get('customers', { accept: 'application/x-ndjson' })).status).toBe(406);
  });

  it('keeps what was earned, and nothing to sell, when the partnership ended', async () => {
    await server.db.query(
      "update partnerships set status = 'ended', ended_at = now() where developer_id = $1 and reseller_id = $2",
      [bea.id, shop.id],
    );
    const { body } = await get('dashboard');
    expect(body.stats).toEqual({
      totalRedemptions: 3,
      totalCommission: 10.01,
      connectedProducts: 1,
      availableSerials: 3,
      notForSaleSerials: 0,
      handedOutSerials: 0,
      serialsInFiles: 0,
    });
    expect(body.serialGroups).toMatchObject([{ product_name: 'Delay' }]);
    expect((await get('transactions')).body.total).toBe(4);
  });

  it('has no figures of others, and none yet at the beginning', async () => {
    const fresh = await signUp(server, 'reseller');
    expect((await get('dashboard', {}, fresh.token)).body).toMatchObject({
      stats: { totalRedemptions: 0, totalCommission: 0, connectedProducts: 0, handedOutSerials: 0 },
      serialGroups: [],
    });
    expect((await get('summary', {}, fresh.token)).body).toMatchObject({ total_commission: 0, top_product: null });
    expect((await get('graph', {}, fresh.token)).body).toHaveLength(30);
    expect((await get('transactions', {}, fresh.token)).body).toMatchObject({ rows: [], total: 0 });
    expect((await get('history', {}, fresh.token)).body).toEqual([]);
  });

  it('refuses periods that are none', async () => {
    expect((await get('graph?startDate=2026-03-02&endDate=2026-03-01')).status).toBe(400);
    expect((await get('graph?startDate=2026-02-30&endDate=2026-03-01')).status).toBe(400);
    expect((await get('graph?startDate=2020-01-01&endDate=2026-03-01')).status).toBe(400);
    expect((await get('summary?startDate=2026-03-01')).body).toMatchObject({ endDate: '2026-03-10' });
  });
});
