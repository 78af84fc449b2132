import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});
const { create, get, change, post, imported, ended } = assistantCalls(() => ({ server, ada }));

const HEAD = 'Key,Product,Email,First Name,Price,Date\n';
const FIRST = `${HEAD}UPD-0001,Chorus,a@example.com,Nina,10.00,2025-01-10\nUPD-0002,Chorus,b@example.com,Dj,10.00,2025-01-11\nUPD-0003,Chorus,c@example.com,W,10.00,2025-01-12\n`;
const CORRECTED = `${HEAD}UPD-0001,Chorus,a@example.com,Nina,49.50,2025-01-10\nUPD-0002,Chorus,b@example.com,Django,10.00,2025-01-11\nUPD-0004,Chorus,d@example.com,V,10.00,2025-01-13\n`;

const sold = async () =>
  (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body.rows
    .map((row: { code: string; total: number }) => [row.code, row.total])
    .sort();

describe('a corrected file', () => {
  it('shows what it would change first, and then takes the place of the import that it corrects', async () => {
    const first = await imported(FIRST);
    const { id } = await create(CORRECTED);
    expect((await change(id, { replaces: first.id })).body.plan.replaces).toBe(first.id);
    const { changes, ...check } = (await post(id, '/check')).body.plan.check;
    expect(check).toMatchObject({ added: 3, rejected: 0, known: 0 });
    expect(changes).toMatchObject({ same: 0, changed: 2, new: 1, gone: 1 });
    expect(changes.rows).toEqual([
      { what: 'UPD-0001', change: 'changed', fields: [{ column: 'Total Price', before: 10, after: 49.5 }] },
      { what: 'UPD-0002', change: 'changed', fields: [{ column: 'First Name', before: 'Dj', after: 'Django' }] },
      { what: 'UPD-0003', change: 'gone', fields: [] },
      { what: 'UPD-0004', change: 'new', fields: [] },
    ]);
    // nothing of it has happened
    expect((await get(first.id)).body.state).toBe('complete');
    expect(await sold()).toEqual([
      ['UPD-0001', 10],
      ['UPD-0002', 10],
      ['UPD-0003', 10],
    ]);

    expect((await post(id, '/run')).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 3 });
    expect((await get(first.id)).body).toMatchObject({ state: 'undone', undone_at: expect.any(String) });
    expect(await sold()).toEqual([
      ['UPD-0001', 49.5],
      ['UPD-0002', 10],
      ['UPD-0004', 10],
    ]);
    expect((await get(id, '/proof')).body.whole).toBe(true);
  });

  it('shows another reseller and other machines', async () => {
    const head = 'Key,Product,Email,Price,Date,Reseller,Machine IDs\n';
    const first = await imported(`${head}UPD-0005,Chorus,a@example.com,10.00,2025-01-10,Plugin Shop,studio\n`);
    const { id } = await create(`${head}UPD-0005,Chorus,a@example.com,10.00,2025-01-10,Tone Store,"studio, laptop"\n`);
    await change(id, { replaces: first.id });
    const { changes } = (await post(id, '/check')).body.plan.check;
    expect(changes.rows).toEqual([
      {
        what: 'UPD-0005',
        change: 'changed',
        fields: [
          { column: 'Reseller', before: 'Plugin Shop', after: 'Tone Store' },
          { column: 'Machines', before: 'studio', after: 'laptop, studio' },
        ],
      },
    ]);
  });

  it('changes nothing when something was built on what it corrects', async () => {
    const first = await imported(FIRST);
    await server.db.query(`update serials set max_activations = 9 where developer_id = $1 and code = 'UPD-0003'`, [
      ada.id,
    ]);
    const { id } = await create(CORRECTED);
    await change(id, { replaces: first.id });
    const refused = await post(id, '/check');
    expect([refused.status, refused.body.code]).toEqual([409, 'import_in_use']);
    expect(refused.body.message).toContain('1 serial was changed since');
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'failed', count: 0 });
    expect((await get(first.id)).body.state).toBe('complete');
    expect(await sold()).toHaveLength(3);
  });

  it('corrects only what can be corrected', async () => {
    const stock = await imported('Serial,Product\nSTK-0001,Chorus\n');
    const { id } = await create(CORRECTED);
    const refusal = async (replaces: string) => (await change(id, { replaces })).body.message;
    expect(await refusal(stock.id)).toContain('another kind');
    expect(await refusal(id)).toContain('no such import');
    expect(await refusal(ada.id)).toContain('no such import');
    const open = await create(FIRST);
    expect(await refusal(open.id)).toContain('that is complete');
    const first = await imported(FIRST);
    const eve = await signUp(server);
    const foreign = await call(server, 'PATCH', `/api/imports/${id}`, {
      token: eve.token,
      body: { replaces: first.id },
    });
    expect(foreign.status).toBe(404);
    expect((await change(id, { replaces: first.id })).status).toBe(200);
    expect((await change(id, { replaces: null })).body.plan.replaces).toBeNull();
  });
});
