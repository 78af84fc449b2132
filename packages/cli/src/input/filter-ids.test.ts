import { runCommand } from '@tonerow/test-support/cli.ts';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';

let fake: Awaited<ReturnType<typeof startFakeServer>>;
beforeAll(async () => {
  fake = await startFakeServer();
});
afterAll(() => fake.close());

const idOf = (last: number) => `01900000-0000-7000-8000-00000000000${last}`;
const [echo, both, shop, batch, developer, web, nina, deal, hook] = [1, 2, 3, 4, 5, 6, 7, 8, 9].map(idOf) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const page = (...rows: object[]) => ({ rows, total: rows.length, next_cursor: null });
const counted = { count: 2, skipped: 0, cost: 0, dry_run: true };
beforeEach(() => {
  fake.reset();
  fake.answers = {
    'GET /api/products': [
      200,
      [
        { id: echo, name: 'Needle EQ' },
        { id: both, name: 'Echo, Deluxe' },
      ],
    ],
    'GET /api/reseller/developer/resellers': [200, [{ id: shop, name: 'Plugin Shop', company_name: 'Plugin Shop' }]],
    'GET /api/batches': [200, page({ id: batch, batch_tag: 'Black Friday', product_name: 'Needle EQ' })],
    'POST /api/serials/change': [200, counted],
    'POST /api/serials/redeemed/change': [200, counted],
    'GET /api/serials': [200, page()],
    'GET /api/reseller/developers': [200, [{ id: developer, company_name: 'Maker' }]],
    'GET /api/shops': [200, { shops: [{ id: web, name: 'Web Shop' }] }],
    'GET /api/reseller/serials/draws': [200, page()],
    'GET /api/shop-orders': [200, page()],
    'GET /api/reseller/developer/stock-downloads': [200, page()],
    'GET /api/reseller/products': [200, []],
    'GET /api/reseller/deals': [200, []],
    'GET /api/customers/list': [
      200,
      { customers: [{ id: nina, email: 'nina@example.com' }], total: 1, next_cursor: null },
    ],
    'GET /api/serials/redeemed': [200, page()],
    'GET /api/webhooks': [200, { webhooks: [{ id: hook, url: 'https://example.com/hooks' }] }],
  };
});

const run = (...line: string[]) =>
  runCommand(line, {
    env: { HOME: '/nowhere', XDG_CONFIG_HOME: '/nowhere', TONEROW_URL: fake.url, TONEROW_TOKEN: 'x' },
  });
/** The filter that the last call carried. */
const sent = () => {
  const { url, body } = fake.seen.at(-1) ?? { url: '/', body: '' };
  return body === '' ? Object.fromEntries(new URL(url, 'http://x').searchParams) : JSON.parse(body).filter;
};
const CHANGES = [
  ['serials', 'change-matching', 'revoke', '--dry-run'],
  ['serials', 'change-redeemed', 'revoke', '--dry-run'],
  ['serials', 'list'],
  ['customers', 'list'],
];

it.each(CHANGES)('%s %s filters by ids and names, several, and without some', async (...line) => {
  for (const [given, product] of [
    [['--product', 'Needle EQ'], echo],
    [['--product', 'needle eq', '--product', both], `${echo},${both}`],
    [['--product', `${echo},-${both}`], `${echo},-${both}`],
    [['--product', '-Echo, Deluxe'], `-${both}`],
    [['--product', 'Echo, Deluxe'], both],
  ] as const) {
    expect(await run(...line, ...given)).toMatchObject({ code: 0, err: '' });
    expect(sent()).toMatchObject({ product });
  }
  await run(...line, '--reseller', 'Plugin Shop');
  expect(sent()).toMatchObject({ reseller: shop });
  await run(...line, '--reseller', 'none,-Plugin Shop');
  expect(sent()).toMatchObject({ reseller: `none,-${shop}` });
});

it('takes tags of batches, and the old name of the option', async () => {
  const line = ['serials', 'change-matching', 'revoke', '--dry-run'];
  expect((await run(...line, '--batch', 'Black Friday', '--products', 'Needle EQ')).code).toBe(0);
  expect(sent()).toEqual({ batch, product: echo });
});

it.each([
  ['deals list --developer maker', { developer_id: developer }],
  ['deals products --developer maker', { developer_id: developer }],
  ['draws list --developer Maker', { developer_id: developer }],
  ['shops orders --shop -web shop', { shop: `-${web}` }],
  ['resellers downloads --batch black friday', { batch_id: batch }],
  ['serials redeemed --customer Nina@Example.com', { customer: nina }],
])('%s asks for that by its id', async (line, filter) => {
  const [noun, verb, option, ...name] = line.split(' ') as [string, string, string];
  expect(await run(noun, verb, option, name.join(' '))).toMatchObject({ code: 0, err: '' });
  expect(sent()).toMatchObject(filter);
});

it.each([
  ['shops items', 'web shop', `/api/shops/${web}/items`],
  ['webhooks deliveries', 'https://example.com/hooks', `/api/webhooks/${hook}/deliveries`],
])('%s "%s" is of the one with that id', async (line, name, path) => {
  fake.answers = { ...fake.answers, [`GET ${path}`]: [200, page()] };
  expect(await run(...line.split(' '), name)).toMatchObject({ code: 0, err: '' });
  const missing = await run(...line.split(' '), 'nope');
  expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/^You have no \w+ (named|at) "nope"\./)]);
});

it('a deal is the one for that product with the tag, or one of several by its id', async () => {
  const deals = (...ids: string[]) => [
    ...ids.map((id) => ({ id, product_id: echo, batch_tag: 'Fall' })),
    { id: both, product_id: both, batch_tag: 'Fall' },
  ];
  fake.answers = {
    'GET /api/reseller/deals': [200, deals(deal)],
    [`GET /api/reseller/products/${echo}/available`]: [200, page()],
  };
  const serials = () => run('deals', 'serials', echo, '--deal', 'fall');
  expect(await serials()).toMatchObject({ code: 0, err: '' });
  expect(sent()).toMatchObject({ deal });
  fake.answers = { ...fake.answers, 'GET /api/reseller/deals': [200, deals(deal, shop)] };
  expect((await serials()).err).toContain(`Several deals are tagged "fall". Use an id instead: ${deal}, ${shop}.`);
});

it('names what is not there as it was typed, and changes nothing', async () => {
  const { code, err } = await run('serials', 'change-matching', 'revoke', '--yes', '--product', 'Nope');
  expect([code, err]).toEqual([1, expect.stringContaining('You have no product named "Nope".')]);
  expect(fake.seen.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('looks up no ids, which a token may not be allowed to read', async () => {
  await run('serials', 'list', '--product', `${echo},${both}`, '--reseller', `none,${shop}`, '--batch', batch);
  expect(fake.seen).toHaveLength(1);
});
