import { call, makeProduct, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { makePartners } from '@tonerow/test-support/partners.ts';
import { plantSeller } from '@tonerow/test-support/sellers.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedServer();
});

interface Row {
  id: string;
  name: string;
  company_name: string;
  product_id: string;
  product_name: string;
}

/** All pages of a list, and how many rows each had. */
async function pages(path: string, { token }: Person) {
  const rows: Row[] = [];
  const sizes: number[] = [];
  const totals = new Set<string | null>();
  for (let cursor: string | null = ''; cursor !== null; ) {
    const at: string = cursor ? `${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}` : '';
    const answer = await call(server, 'GET', path + at, { token });
    expect(answer.status, answer.text).toBe(200);
    rows.push(...answer.body);
    sizes.push(answer.body.length);
    totals.add(answer.headers.get('x-total-count'));
    cursor = answer.headers.get('x-next-cursor');
  }
  return { rows, sizes, totals: [...totals] };
}

const csv = async (path: string, { token }: Person) =>
  (await call(server, 'GET', path, { token, headers: { accept: 'text/csv' } })).text.trimEnd().split('\r\n');

const refusal = async (path: string, { token }: Person) => (await call(server, 'GET', path, { token })).status;
const badCursors = [
  'nonsense',
  Buffer.from('["a"]').toString('base64url'),
  Buffer.from('["a","b"]').toString('base64url'),
];

/** Ids in time order, unlike the names that they come with. */
const id = (mark: string, n: string) => `('0199${mark}-0000-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`;
/** As long as a name can be, of letters that need three bytes each. */
const LONG = '音'.repeat(190);

async function plantResellers(developer: Person, count: number) {
  await server.db.query(
    `insert into partnerships (id, developer_id, name, name_key, status, created_at)
     select ${id('a001', 'i')}, $1, 'Shop ' || (i * 7919 % ${count}) || $2, 'shop ' || lpad((i * 7919 % ${count})::text, 6, '0') || $2, 'named', now()
     from generate_series(0, ${count - 1}) i`,
    [developer.id, LONG],
  );
}

/** Developers that a reseller sells for: names in an order of their own, two of each. */
async function plantDevelopers(reseller: Person, count: number) {
  await server.db.query(
    `insert into users (id, role, email, email_key, password_hash, first_name, last_name, company_name, created_at)
     select ${id('a002', 'i')}, 'developer', 'maker-' || i || '@example.com', 'maker-' || i || '@example.com', '', 'Ada', 'Row',
       'Maker ' || lpad((i * 7919 % ${count} / 2)::text, 6, '0') || $1, now() from generate_series(0, ${count - 1}) i`,
    [LONG],
  );
  await server.db.query(
    `insert into reseller_developers select $1, ${id('a002', 'i')} from generate_series(0, ${count - 1}) i`,
    [reseller.id],
  );
  await server.db.query(
    `insert into partnerships (id, developer_id, reseller_id, name, name_key, status, created_at)
     select ${id('a003', 'i')}, ${id('a002', 'i')}, $1, 'Rae', 'rae', 'active', now() from generate_series(0, ${count - 1}) i`,
    [reseller.id],
  );
}

describe('a developer with more resellers than fit on a page', () => {
  const COUNT = 1203;
  const PATH = '/api/reseller/developer/resellers';
  let ada: Person;
  beforeAll(async () => {
    ada = await signUpVerified(server);
    await plantResellers(ada, COUNT);
  });

  it('gets each of them once, by name, page by page', async () => {
    const { rows, sizes, totals } = await pages(PATH, ada);
    expect(sizes).toEqual([...Array(12).fill(100), 3]);
    expect(totals).toEqual([String(COUNT)]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(COUNT);
    const numbers = rows.map((row) => Number.parseInt(row.name.slice(5), 10));
    expect(numbers).toEqual(Array.from({ length: COUNT }, (_, n) => n));
    expect((await pages(`${PATH}?limit=1000`, ada)).rows).toEqual(rows);
  });

  it('has the pages of a search too', async () => {
    const { rows, sizes, totals } = await pages(`${PATH}?search=shop%200000&limit=40`, ada);
    expect(sizes).toEqual([40, 40, 20]);
    expect(totals).toEqual(['100']);
    expect(rows.at(-1)?.name.slice(0, 7)).toBe('Shop 99');
  });

  it('has all of them in the file', async () => {
    expect(await csv(PATH, ada)).toHaveLength(COUNT + 1);
    expect(await csv(`${PATH}?limit=5`, ada)).toHaveLength(COUNT + 1);
  });

  it('has the connected ones in pages as well', async () => {
    await plantSeller(server.db, ada.id, ada.id);
    await server.db.query(
      'update partnerships set status = $2, reseller_id = developer_id where developer_id = $1 and name_key < $3',
      [ada.id, 'ended', 'shop 000005'],
    );
    const ended = await pages(`${PATH}?status=ended&limit=2`, ada);
    expect(ended.sizes).toEqual([2, 2, 1]);
    expect((await pages('/api/reseller?limit=2', ada)).totals).toEqual(['0']);
  });

  it('is refused a cursor that is not ours, and a page of more than 1,000', async () => {
    for (const cursor of badCursors) expect(await refusal(`${PATH}?cursor=${cursor}`, ada)).toBe(400);
    expect(await refusal(`${PATH}?limit=1001`, ada)).toBe(400);
  });
});

describe('a reseller with more developers than fit on a page', () => {
  const COUNT = 640;
  const PATH = '/api/reseller/developers';
  let rae: Person;
  beforeAll(async () => {
    rae = await signUpVerified(server, 'reseller');
    await plantDevelopers(rae, COUNT);
  });

  it('gets each of them once, by name, page by page, also when two have the same name', async () => {
    const { rows, sizes, totals } = await pages(`${PATH}?limit=99`, rae);
    expect(sizes).toEqual([...Array(6).fill(99), 46]);
    expect(totals).toEqual([String(COUNT)]);
    expect(new Set(rows.map((row) => row.id)).size).toBe(COUNT);
    expect(rows.map((row) => row.company_name.slice(0, 12))).toEqual(
      Array.from({ length: COUNT }, (_, n) => `Maker ${String(Math.floor(n / 2)).padStart(6, '0')}`),
    );
  });

  it('has all of them in the file, and those of a search', async () => {
    expect(await csv(PATH, rae)).toHaveLength(COUNT + 1);
    expect(await csv(`${PATH}?search=maker%2000000`, rae)).toHaveLength(21);
    expect((await pages(`${PATH}?search=maker%2000000`, rae)).totals).toEqual(['20']);
  });

  it('is refused a cursor that is not ours', async () => {
    for (const cursor of badCursors) expect(await refusal(`${PATH}?cursor=${cursor}`, rae)).toBe(400);
  });
});

describe('a reseller that was given more products than fit on a page', () => {
  it('has the stock of each of them once, by name, on either side', async () => {
    const { developer, reseller, partnershipId } = await makePartners(server);
    const { id: productId } = await makeProduct(server, developer.token);
    const COUNT = 230;
    await server.db.query(
      `insert into products select (p).* from (
         select jsonb_populate_record(p, jsonb_build_object('id', ${id('a004', 'i')}, 'name', 'Plugin ' || (i * 7919 % ${COUNT}),
           'name_key', 'plugin ' || lpad((i * 7919 % ${COUNT})::text, 4, '0'))) as p
         from products p, generate_series(1, ${COUNT - 1}) i where p.id = $1) planted`,
      [productId],
    );
    await server.db.query(
      `insert into batches (id, developer_id, product_id, partnership_id, origin, quantity, created_at)
       select gen_random_uuid(), $1, p.id, $2, 'generate', 1, now() from products p, generate_series(1, 2) where p.developer_id = $1`,
      [developer.id, partnershipId],
    );
    const given = await pages(`/api/reseller/developer/resellers/${partnershipId}/stock`, developer);
    expect(given.sizes).toEqual([100, 100, 30]);
    expect(given.totals).toEqual([String(COUNT)]);
    const names = given.rows.map((row) => row.product_name);
    expect(new Set(names).size).toBe(COUNT);
    const planted = names.filter((name) => /^Plugin \d+$/.test(name)).map((name) => Number(name.slice(7)));
    expect(planted).toEqual(planted.toSorted((a, b) => a - b));
    expect(new Set(given.rows.map((row) => (row as unknown as { given: number }).given))).toEqual(new Set([2]));
    const own = await pages(`/api/reseller/developers/${developer.id}/stock?limit=50`, reseller);
    expect(own.sizes).toEqual([50, 50, 50, 50, 30]);
    expect(own.rows).toEqual(given.rows);
    for (const cursor of badCursors)
      expect(await refusal(`/api/reseller/developers/${developer.id}/stock?cursor=${cursor}`, reseller)).toBe(400);
  });
});

describe('an account with more invitations than fit on a page', () => {
  it('gets each of them once, the newest first, and hears how many there are', async () => {
    const rae = await signUpVerified(server, 'reseller');
    const ada = await signUpVerified(server);
    const COUNT = 130;
    await server.db.query(
      `insert into users (id, role, email, email_key, password_hash, first_name, last_name, created_at)
       select ${id('a005', 'i')}, 'developer', 'asker-' || i || '@example.com', 'asker-' || i || '@example.com', '', 'Ada', 'No ' || i, now()
       from generate_series(1, ${COUNT - 1}) i`,
    );
    const invited = await call(server, 'POST', '/api/reseller/developer/invite-reseller', {
      token: ada.token,
      body: { email: rae.email },
    });
    expect(invited.status, invited.text).toBe(201);
    await server.db.query(
      `insert into invites select (i).* from (
         select jsonb_populate_record(i, jsonb_build_object('id', ${id('a006', 'n')}, 'inviter_id', ${id('a005', 'n')})) as i
         from invites i, generate_series(1, ${COUNT - 1}) n where i.id = $1) planted`,
      [invited.body.invites[0].id],
    );
    const { rows, sizes, totals } = await pages('/api/reseller/invites/reseller', rae);
    expect(sizes).toEqual([100, 30]);
    expect(totals).toEqual([String(COUNT)]);
    expect(rows.map((row) => row.id)).toEqual(
      rows
        .map((row) => row.id)
        .toSorted()
        .reverse(),
    );
    const last = rows.at(-1) as Row;
    const answered = await call(server, 'POST', '/api/reseller/invites/respond', {
      token: rae.token,
      body: { invite_id: last.id, response: 'reject' },
    });
    expect(answered.status, answered.text).toBe(200);
    expect((await pages('/api/reseller/invites/reseller', rae)).totals).toEqual([String(COUNT - 1)]);
    expect(await refusal('/api/reseller/invites/reseller?cursor=nonsense', rae)).toBe(400);
  });
});

it('shows a product without a price, and the price of a sale, on the developer’s profile', async () => {
  const { developer, reseller } = await makePartners(server);
  await makeProduct(server, developer.token, { name: 'Free', price: null, sale_price: null });
  await makeProduct(server, developer.token, { name: 'Prism', price: 80, sale_price: 60 });
  const profile = await call(server, 'GET', `/api/reseller/developers/${developer.id}`, { token: reseller.token });
  expect(profile.status, profile.text).toBe(200);
  expect(profile.body.products).toMatchObject([
    { name: 'Free', price: null, sale_price: null },
    { name: 'Prism', price: 80, sale_price: 60 },
  ]);
});
