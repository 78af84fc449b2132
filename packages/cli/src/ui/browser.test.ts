import { PassThrough } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import { createOperationClient } from '@tonerow/sdk/operations';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { browse } from './browser.tsx';
import { developerTabs } from './developer-tabs.ts';
import { resellerTabs } from './reseller-tabs.ts';
import type { Tab } from './tabs.ts';

const [COLUMNS, ROWS] = [60, 20];
const ID = '01900000-0000-7000-8000-000000000001';
const LONG = 'Prism Delay with a name that is far longer than any terminal is wide, and then some';

let fake: Awaited<ReturnType<typeof startFakeServer>>;
let leave: (() => Promise<void>) | undefined;
beforeAll(async () => {
  fake = await startFakeServer();
});
afterAll(() => fake.close());
afterEach(async () => {
  await leave?.();
  leave = undefined;
  fake.reset();
});

/** The client on a small terminal; each frame is checked to fit it. */
function open(tabsOf: (api: ReturnType<typeof createOperationClient>) => Tab[]) {
  const api = createOperationClient({ baseUrl: fake.url, token: 'x', retries: 0 });
  const frames: string[] = [];
  const stdout = Object.assign(new PassThrough(), { isTTY: true, columns: COLUMNS, rows: ROWS });
  stdout.on('data', (chunk) => frames.push(stripVTControlCharacters(String(chunk))));
  const nothing = () => undefined;
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: nothing, ref: nothing, unref: nothing });
  const stop = new AbortController();
  const ended = browse(api, tabsOf(api), {
    signal: stop.signal,
    title: 'A company whose name alone needs more than the line of a small terminal',
    server: 'https://licenses.a-long-name-of-a-host.example.com',
    color: false,
    on: { stdout, stdin, debug: true } as never,
  });
  leave = async () => {
    stop.abort();
    await ended;
  };
  const screen = () => frames.at(-1) ?? '';
  return {
    press: (keys: string) => stdin.write(keys),
    async see(text: string) {
      await expect.poll(screen, { timeout: 15_000 }).toContain(text);
      return screen();
    },
    tooLarge: () =>
      frames.filter((frame) => {
        const lines = frame.trimEnd().split('\n');
        return lines.length >= ROWS || lines.some((line) => line.length > COLUMNS);
      }),
  };
}

const sold = {
  product_id: ID,
  name: LONG,
  developer_name: 'Row Audio',
  available_serials: 4,
  price: null,
  sale_price: null,
  commission_rate: 25,
};

describe('on a terminal of 60 columns and 20 rows', () => {
  it('a reseller sees each tab whole, a product without a price as such, and its details', async () => {
    fake.answers = {
      'GET /api/reseller/products': [200, { rows: [sold], total: 1, next_cursor: null }],
      [`GET /api/reseller/products/${ID}`]: [
        200,
        {
          product: { ...sold, short_desc: 'An echo.', developer_time_zone: 'UTC' },
          deal: null,
          serials: { counts: { available: 4, redeemed: 1 } },
        },
      ],
    };
    const { press, see, tooLarge } = open(resellerTabs);
    await see('1 Dashboard');
    press('2');
    const list = await see('No price, 25%');
    expect(list).toContain('q quit');
    expect(list).not.toContain('null');
    press('\r');
    expect(await see('Developer   Row Audio')).toContain('esc back');
    press('\t');
    await see('3 Transactions');
    expect(tooLarge()).toEqual([]);
  });

  it('a developer opens a product, from it a batch, and from that a serial', async () => {
    const sums = { redemptions: 1, revenue: 40, previous: { redemptions: 0, revenue: 0 } };
    const batch = {
      id: ID,
      product_id: ID,
      product_name: LONG,
      batch_tag: 'Black Friday',
      quantity: 9,
      open: 8,
      handed_out: 0,
      redeemed: 1,
      revoked: 0,
      at_least: [],
      reseller_name: null,
      promo_price: null,
      promo_start: null,
      promo_expires: null,
      expires_at: null,
      notes: null,
      created_at: '2026-10-01T00:00:00.000Z',
    };
    fake.answers = {
      'GET /api/products': [200, [{ id: ID, name: LONG, is_draft: false, serials_available: 8 }]],
      [`GET /api/products/${ID}/overview`]: [
        200,
        {
          id: ID,
          name: LONG,
          is_draft: false,
          sales: { today: sums, last_30_days: sums, all: sums },
          stock: { available: 8, days_left: 20, per_day: 0.4 },
          machines: { active: 1, total: 2, versions: [] },
          files: [],
          plugin_keys: [],
          refusals: [],
        },
      ],
      'GET /api/batches': [200, { rows: [batch], total: 1, next_cursor: null }],
      [`GET /api/batches/${ID}`]: [200, batch],
      'GET /api/serials': [
        200,
        {
          rows: [{ id: ID, code: 'ABCD-EFGH-2345-6789', revoked: false, redeemed_at: null, handed_out_at: null }],
          total: 1,
          next_cursor: null,
        },
      ],
    };
    const { press, see, tooLarge } = open(developerTabs);
    await see('8 available');
    press('\r');
    await see('1  Black Friday  1 of 9 redeemed');
    press('1');
    const opened = await see('2  ABCD-EFGH-2345-6789  available');
    expect(opened).toContain('Handed out  0');
    press('\u001b');
    await see('1  Black Friday');
    expect(tooLarge()).toEqual([]);
  });

  it('/ searches on every screen, and Esc ends the search', async () => {
    fake.answers = { 'GET /api/products': [200, []] };
    const { press, see } = open(developerTabs);
    await see('Nothing here yet.');
    press('/');
    await see('Search: ▏');
    press('delay\r');
    await see('Nothing matches "delay".');
    await see('Search: delay (esc clears it)');
    press('\u001b');
    await see('Nothing here yet.');
    expect(fake.seen.some(({ url }) => url.includes('search=delay'))).toBe(true);
  });
});
