import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

// Two batches of one product that were made at the same time, so that the newest serials are in both by turns, and a third one.

let server: SharedServer;
let ada: Person;
let delay: { id: string };
let draft: { id: string };

interface Found {
  id: string;
  code: string;
}
interface Choice {
  value: string;
  label: string | null;
  count: number;
  exact: boolean;
}

beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  delay = await makeProduct(server, ada.token, { name: 'Delay', price: 30 });
  draft = await makeProduct(server, ada.token, { name: 'Secret', price: 9, is_draft: true });
  const first = await makeSerials(server, ada.token, delay.id, { quantity: 160, batch_tag: 'first' });
  const second = await makeSerials(server, ada.token, delay.id, { quantity: 160, batch_tag: 'second' });
  // every other serial changes its batch
  const ids = [...first, ...second].map(({ id }) => id).filter((_, at) => at % 2 === 0);
  await server.db.query(
    `update serials s set batch_id = o.batch_id from (
       select id, case batch_id when (array_agg(batch_id) over (order by id rows between unbounded preceding and unbounded following))[1]
         then (array_agg(batch_id) over (order by id rows between unbounded preceding and unbounded following))[320]
         else (array_agg(batch_id) over (order by id rows between unbounded preceding and unbounded following))[1] end as batch_id
       from serials where developer_id = $1) o where s.id = o.id and s.id = any($2)`,
    [ada.id, ids],
  );
  await makeSerials(server, ada.token, delay.id, { quantity: 120, promo_price: 5, batch_tag: 'Fair' });
  await makeSerials(server, ada.token, draft.id, { quantity: 3 });
  await makeSerials(server, ada.token, delay.id, { quantity: 2, expires_at: '2999-01-01', batch_tag: 'old' });
  await server.db.query("update batches set expires_at = '2001-01-01' where developer_id = $1 and batch_tag = 'old'", [
    ada.id,
  ]);
  for (const at of [10, 200]) await redeem(server, [...first, ...second][at]?.code as string, 'n@example.com', ada.id);
  for (const at of [20, 210, 211])
    await call(server, 'PATCH', `/api/serials/revoke/${[...first, ...second][at]?.id}`, { token: ada.token });
});

const get = async (path: string) => (await call(server, 'GET', `/api/serials${path}`, { token: ada.token })).body;
/** Ids by the plainest statement that there is, newest first. */
const plainly = async (condition: string) =>
  (
    await server.db.query<{ id: string }>(
      `select s.id from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
         join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       where s.developer_id = $1 and ${condition} order by s.id desc`,
      [ada.id],
    )
  ).map(({ id }) => id);
const OPEN =
  's.redeemed_at is null and s.revoked_at is null and s.handed_out_at is null and (b.expires_at is null or b.expires_at > now())';
const idsOf = (rows: Found[]) => rows.map(({ id }) => id);

describe('the groups of what is available', () => {
  it('have the newest hundred of each, of all of its batches, with promotions and drafts apart', async () => {
    const body = await get('/available');
    expect(body.counts).toEqual({ regular: { Delay: 315, Secret: 3 }, promos: { 'Delay · Fair': 120 } });
    expect(body.total).toBe(438);
    const plain = await plainly(`${OPEN} and p.name = 'Delay' and b.promo_price_cents is null`);
    expect(idsOf(body.regular.Delay)).toEqual(plain.slice(0, 100));
    expect(idsOf(body.promos['Delay · Fair'].serials)).toEqual(
      (await plainly(`${OPEN} and b.promo_price_cents = 500`)).slice(0, 100),
    );
    expect(body.regular.Secret).toHaveLength(3);
    expect(body.groups.map(({ name, kind, count }: Record<string, unknown>) => [name, kind, count])).toEqual([
      ['Delay', 'regular', 315],
      ['Secret', 'regular', 3],
      ['Delay · Fair', 'promo', 120],
    ]);
  });

  it('are searched by name, tag and the beginning of a code', async () => {
    const counts = async (search: string) => {
      const { counts } = await get(`/available?search=${encodeURIComponent(search)}`);
      return { ...counts.regular, ...counts.promos };
    };
    expect(await counts('secret')).toEqual({ Secret: 3 });
    const first = (await plainly(`${OPEN} and b.batch_tag = 'first'`)).length;
    expect(await counts('first')).toEqual({ Delay: first });
    const [{ code } = { code: '' }] = await server.db.query<Found>(
      `select code from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1 and b.batch_tag = 'Fair' limit 1`,
      [ada.id],
    );
    expect(await counts(code.toLowerCase())).toEqual({ 'Delay · Fair': 1 });
    expect(await counts('nothing')).toEqual({});
  });
});

describe('the list', () => {
  const pages = async (query: string) => {
    const ids: string[] = [];
    let cursor: string | null = '';
    let totals: unknown;
    while (cursor !== null) {
      const page: { rows: Found[]; next_cursor: string | null; total: number; total_exact: boolean } = await get(
        `?limit=30&${query}${cursor && `&cursor=${cursor}`}`,
      );
      ids.push(...idsOf(page.rows));
      cursor = page.next_cursor;
      totals = [page.total, page.total_exact];
    }
    return { ids, totals };
  };

  it.each([
    ['', 'true'],
    ['state=available', OPEN],
    ['status=available', OPEN],
    ['status=redeemed', 's.redeemed_at is not null and s.revoked_at is null'],
    ['state=redeemed', 's.redeemed_at is not null'],
    ['status=-available,-expired', 's.redeemed_at is not null or s.revoked_at is not null'],
    ['status=revoked,expired', 's.revoked_at is not null or b.expires_at < now()'],
    ['status=available&state=revoked', 'false'],
  ])('leads through all that fit %s, newest first, each once', async (query, condition) => {
    const plain = await plainly(`(${condition})`);
    expect(await pages(query)).toEqual({ ids: plain, totals: [plain.length, true] });
  });

  it('of a group leads through both of its batches', async () => {
    const plain = await plainly(`${OPEN} and p.name = 'Delay' and b.promo_price_cents is null`);
    const first = await get('/group/Delay?limit=100');
    const second = await get(`/group/Delay?limit=100&cursor=${first.next_cursor}`);
    expect([...idsOf(first.rows), ...idsOf(second.rows)]).toEqual(plain.slice(0, 200));
    expect([first.total, first.total_exact]).toEqual([315, true]);
  });

  it('finds the same serials by their codes', async () => {
    const [{ code } = { code: '' }] = await server.db.query<Found>(
      'select code from serials where developer_id = $1 order by id limit 1',
      [ada.id],
    );
    const prefix = code.slice(0, 1);
    const plain = await plainly(`s.code_key like '${prefix}%'`);
    expect((await pages(`search=${prefix}`)).ids).toEqual(plain);
    const open = await plainly(`s.code_key like '${prefix}%' and ${OPEN}`);
    expect((await pages(`search=${prefix}&status=available`)).ids).toEqual(open);
    const { batch } = await get(`/choices?search=${prefix}&status=available`);
    expect(batch.reduce((sum: number, { count }: Choice) => sum + count, 0)).toBe(open.length);
  });
});

it('counts the choices of each filter as the list does', async () => {
  const choices = await get('/choices');
  const total = async (query: string) => (await get(`?limit=1&${query}`)).total;
  for (const kind of ['product', 'reseller', 'batch', 'status'] as const) {
    expect(choices[kind].length).toBeGreaterThan(0);
    for (const { value, count, exact } of choices[kind] as Choice[])
      expect([kind, value, count, exact]).toEqual([kind, value, await total(`${kind}=${value}`), true]);
  }
  const narrow = await get(`/choices?status=available,expired&product=${delay.id}`);
  for (const { value, count } of narrow.batch as Choice[])
    expect(count).toBe(await total(`status=available,expired&batch=${value}`));
  expect(narrow.product.map(({ label }: Choice) => label)).toEqual(['Delay', 'Secret']);
  expect(narrow.status.map(({ value }: Choice) => value)).toEqual(['available', 'revoked', 'expired', 'redeemed']);
});
