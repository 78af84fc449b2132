import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { setLocal } from '#platform/db/statements/set-local.ts';
import type { SerialFilter } from './serial-list.queries.ts';
import { batchExport, serialsExport } from './serials-export.ts';

let server: SharedServer;
let ada: Person;
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  product = await makeProduct(server, ada.token, { name: 'Tape “Delay”, "2"' });
  const promo = { promo_price: 9.5, promo_expires: '2099-01-31', batch_tag: 'BF', notes: 'a\r\nb, "c" \\n' };
  await makeSerials(server, ada.token, product.id, { quantity: 4 });
  const [first, second] = await makeSerials(server, ada.token, product.id, { quantity: 3, ...promo });
  await redeem(server, first?.code as string, 'nina@example.com', ada.id);
  await call(server, 'PATCH', `/api/serials/revoke/${second?.id}`, { token: ada.token });
});

const get = (path: string, accept: string) => call(server, 'GET', path, { token: ada.token, headers: { accept } });
const rowsOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('an export of serials', () => {
  it.each(['', '?state=available', '?state=redeemed', '?state=revoked'])('has what the list has: %s', async (query) => {
    const listed = (await get(`/api/serials${query}`, 'application/json')).body.rows;
    const exported = rowsOf((await get(`/api/serials${query}`, 'application/x-ndjson')).text);
    expect(exported).toEqual(listed);
    expect(exported.length).toBeGreaterThan(0);
    const csv = (await get(`/api/serials${query}`, 'text/csv')).text;
    const codes = csv.match(/^[2-9A-Z]{4}-[2-9A-Z-]{14}(?=,)/gm);
    expect(codes).toEqual(listed.map(({ code }: { code: string }) => code));
  });

  it('of a search and of a group has it too', async () => {
    const [{ code }] = (await get('/api/serials', 'application/json')).body.rows;
    const found = rowsOf((await get(`/api/serials?search=${code.slice(0, 6)}`, 'application/x-ndjson')).text);
    expect(found.map((row) => row.code)).toEqual([code]);
    const group = `/api/serials/group/${encodeURIComponent(product.name)}`;
    const listed = (await get(group, 'application/json')).body.rows;
    expect(rowsOf((await get(group, 'application/x-ndjson')).text)).toEqual(listed);
    expect(listed).toHaveLength(4);
  });

  it('ends its lines as RFC 4180 has it, and leaves those inside a cell alone', async () => {
    const { text } = await get('/api/serials?state=redeemed', 'text/csv');
    expect(text).toMatch(
      /^Serial,[^\n]*\r\n[2-9A-Z-]{19},"Tape “Delay”, ""2""",9\.5,2099-01-31T23:59:59\.999Z,,,BF,"a\r\nb, ""c"" \\n"\r\n$/,
    );
    expect((await get('/api/serials?search=NOTHERE', 'text/csv')).text).toMatch(/^Serial,[^\n]*\r\n$/);
  });

  it('sorts nothing and scans no whole table, whatever the statistics are', async () => {
    const filter: SerialFilter = {
      developerId: ada.id,
      state: 'available',
      productId: undefined,
      batchIds: undefined,
      search: undefined,
      now: new Date(),
    };
    const [batch] = await server.db.query<{ id: string }>('select id from batches where developer_id = $1', [ada.id]);
    const client = new pg.Client({ connectionString: server.db.url });
    await client.connect();
    try {
      for (const order of [
        serialsExport(filter, 'csv', 'Asia/Tokyo'),
        serialsExport({ ...filter, state: undefined, batchIds: [batch?.id as string] }, 'ndjson', 'UTC'),
        batchExport(ada.id, batch?.id as string, 'csv', 'Asia/Tokyo'),
      ]) {
        await client.query('begin');
        await setLocal((text) => client.query(text), order.settings ?? {});
        const { rows } = await client.query(`explain ${order.query}`);
        await client.query('rollback');
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        // on a cluster, a part of the table that has a number
        expect(plan).toMatch(/ on serials(_\d+)? s/);
        expect(plan).not.toMatch(/Sort|Seq Scan on serials|Bitmap/);
      }
    } finally {
      await client.end();
    }
  });
});
