import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import {
  call,
  makeProduct,
  makeSerials,
  type Person,
  redeem,
  signUp,
  verifyEmail,
} from '@tonerow/test-support/http.ts';
import { partnerRecount } from '@tonerow/test-support/partner-recount.ts';
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
const { post, imported, ended } = assistantCalls(() => ({ server, ada }));

const SALES =
  'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Reseller,Country,Downloads,Revoked\n' +
  'UNDO-1,Chorus,Nina,Simone,nina@example.com,10.00,2024-05-01,Shop,DE,2,\n' +
  'UNDO-2,Chorus,Nina,Simone,nina@example.com,20.00,2024-05-02,,,,yes\n' +
  'STOCK-1,Chorus,Dj,R,dj@example.com,30.00,2024-06-01,,US,1,yes\n';

/** All that an import leaves behind, but for its protocol. */
async function everything() {
  const rows = (text: string) => server.db.query(text, [ada.id]);
  return {
    serials: await rows(
      'select code, customer_id, redeemed_at, revoked_at, download_count from serials where developer_id = $1 order by code',
    ),
    batches: await rows('select origin, quantity, product_id from batches where developer_id = $1 order by id'),
    ledger: await rows('select code from redemptions where developer_id = $1 order by code'),
    customers: await rows(
      'select email, first_name, last_name, first_name_from, last_name_from from customers where developer_id = $1 order by email',
    ),
    resellers: await rows('select name, status from partnerships where developer_id = $1 order by name'),
    days: await rows(
      'select day, redemptions, revenue_cents from ledger_days where developer_id = $1 order by day, product_id, partnership_id',
    ),
    countries: await rows(
      'select day, country, redemptions from ledger_countries where developer_id = $1 order by 1, 2',
    ),
    places: await rows(
      'select day, country, redemptions, revenue_cents from ledger_places where developer_id = $1 order by 1, 2',
    ),
  };
}

describe('an import that is taken back', () => {
  it('leaves everything as it was before it', async () => {
    const { id: product } = (await call(server, 'GET', '/api/products', { token: ada.token })).body[0];
    const [own] = await makeSerials(server, ada.token, product, { quantity: 1 });
    await redeem(server, own?.code as string, 'here@example.com', ada.id);
    await imported('Serial,Product\nSTOCK-1,Chorus\nSTOCK-2,Chorus\n');
    const before = await everything();
    const { id } = await imported(SALES);
    expect((await everything()).ledger).toHaveLength(4);
    const undone = await post(id, '/undo');
    expect([undone.status, undone.body.import.state, undone.body.kept]).toEqual([202, 'undoing', []]);
    expect(await ended(id)).toMatchObject({ state: 'undone', error: null, undone_at: expect.any(String) });
    expect(await everything()).toEqual(before);
    const { sums, ledger } = await partnerRecount(server);
    expect(sums).toEqual(ledger);
    // again, in the same way
    expect(await imported(SALES)).toMatchObject({ state: 'complete', count: 3, known: 0 });
    expect((await post(id, '/undo')).body.message).toContain('was taken back already');
    const audit = (await call(server, 'GET', '/api/audit-log', { token: ada.token })).body;
    expect(JSON.stringify(audit)).toContain('import_undone');
    await expect
      .poll(async () => JSON.stringify((await call(server, 'GET', '/api/notifications', { token: ada.token })).body))
      .toContain('Import taken back');
  });

  it('takes the names along that it filled in for others, unless they were changed since', async () => {
    const head = 'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date\n';
    await imported(
      `${head}OWN-1,Chorus,Zoë,,zoe@example.com,1,2024-01-01\nOWN-2,Chorus,,,dj@example.com,1,2024-01-01\n`,
    );
    await imported('Email\nann@example.com\n');
    const before = await everything();
    const sales = await imported(
      `${head}NAM-1,Chorus,Other,Kravitz,zoe@example.com,1,2024-01-02\nNAM-2,Chorus,Dj,R,dj@example.com,1,2024-01-02\n`,
    );
    const people = await imported('Email,Name\nann@example.com,Ann Lee\n');
    expect((await everything()).customers).toMatchObject([
      { email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee' },
      { email: 'dj@example.com', first_name: 'Dj', last_name: 'R' },
      { email: 'zoe@example.com', first_name: 'Zoë', last_name: 'Kravitz' },
    ]);
    for (const { id } of [sales, people]) {
      await post(id, '/undo');
      await ended(id);
    }
    expect(await everything()).toEqual(before);

    await verifyEmail(server, ada);
    const again = await imported('Email,Name\nann@example.com,Ann Lee\n');
    const [ann] = await server.db.query<{ id: string }>(
      "select id from customers where developer_id = $1 and email = 'ann@example.com'",
      [ada.id],
    );
    const name = { token: ada.token, body: { last_name: 'Leigh' } };
    expect(await call(server, 'PATCH', `/api/customers/${ann?.id}`, name)).toMatchObject({ status: 200 });
    await post(again.id, '/undo');
    await ended(again.id);
    expect((await everything()).customers[0]).toMatchObject({ first_name: 'Ann', last_name: 'Leigh' });
  });

  it('leaves a reseller whose commission was agreed on since', async () => {
    const { id } = await imported(SALES.replace('2024-05-02,,', '2024-05-02,Passing,'));
    const [shop] = await server.db.query<{ id: string }>(
      "select id from partnerships where developer_id = $1 and name = 'Shop'",
      [ada.id],
    );
    const agreed = { token: ada.token, body: { commission_rate: 30 } };
    const changed = await call(server, 'PATCH', `/api/reseller/developer/resellers/${shop?.id}`, agreed);
    expect(changed.status).toBe(200);
    await post(id, '/undo');
    await ended(id);
    expect((await everything()).resellers).toEqual([{ name: 'Shop', status: 'named' }]);
  });

  it('stays while something was built on it: that is named, and the rest can go', async () => {
    const { id } = await imported(SALES);
    const [serial] = await server.db.query<{ id: string }>(
      "select id from serials where developer_id = $1 and code = 'UNDO-1'",
      [ada.id],
    );
    await server.db.query(
      `insert into activations (id, developer_id, serial_id, machine_id, token_hash, created_at, last_seen_at)
       values (gen_random_uuid(), $1, $2, 'M1', '\\x00', now(), now())`,
      [ada.id, serial?.id],
    );
    const revoked = await call(server, 'PATCH', `/api/serials/revoke/${await serialId('STOCK-1')}`, {
      token: ada.token,
    });
    expect(revoked.status).toBe(200);
    const look = await post(id, '/undo?dry_run=true');
    expect(look.body.kept).toEqual([{ reason: 'seats', count: 1, examples: ['UNDO-1'] }]);
    expect(look.body.import.state).toBe('complete');
    const refused = await post(id, '/undo');
    expect([refused.status, refused.body.code]).toEqual([409, 'import_in_use']);
    expect(refused.body.message).toContain('1 serial has a seat or had one');
    await post(id, '/undo?rest=true');
    expect(await ended(id)).toMatchObject({ state: 'undone' });
    const left = await everything();
    expect(left.ledger).toEqual([{ code: 'UNDO-1' }]);
    expect(left.customers).toMatchObject([{ email: 'nina@example.com' }]);
    expect(left.batches).toMatchObject([{ quantity: 1 }]);
    expect(left.days).toMatchObject([{ redemptions: 1, revenue_cents: 1000 }]);
    const { sums, ledger } = await partnerRecount(server);
    expect(sums).toEqual(ledger);
  });

  it('keeps a serial that was redeemed since, and deletes the others of its stock', async () => {
    const { id } = await imported('Serial,Product,Batch Tag\nAVA-1,Chorus,BF\nAVA-2,Chorus,BF\nAVA-3,Chorus,\n');
    await redeem(server, 'AVA-2', 'fan@example.com', ada.id);
    expect((await post(id, '/undo')).body.message).toContain('1 serial was redeemed since');
    await post(id, '/undo?rest=true');
    expect(await ended(id)).toMatchObject({ state: 'undone' });
    const left = await everything();
    expect(left.serials).toMatchObject([{ code: 'AVA-2' }]);
    expect(left.batches).toMatchObject([{ quantity: 1 }]);
  });

  it('goes whole, or stays whole with the row that was redeemed at the same moment', async () => {
    const outcomes = [];
    for (const code of ['RACE-1', 'RACE-2', 'RACE-3', 'RACE-4']) {
      const { id } = await imported(`Serial,Product\n${code},Chorus\nBESIDE-${code},Chorus\n`);
      const [undo, redeemed] = await Promise.all([post(id, '/undo'), redeem(server, code, 'fan@example.com', ada.id)]);
      const found = await ended(id);
      const codes = (await everything()).serials.map((serial) => serial.code);
      const here = [code, `BESIDE-${code}`].filter((each) => codes.includes(each));
      if (redeemed.status === 200) {
        const words = undo.status === 409 ? undo.body.message : found.error;
        expect([found.state, words, here.length]).toEqual([
          'complete',
          expect.stringContaining('1 serial was redeemed since'),
          2,
        ]);
      } else {
        expect([redeemed.status >= 400 && redeemed.status < 500, undo.status, found.state, here]).toEqual([
          true,
          202,
          'undone',
          [],
        ]);
      }
      outcomes.push(redeemed.status);
    }
    const sold = await server.db.query('select 1 from redemptions where developer_id = $1', [ada.id]);
    expect(sold).toHaveLength(outcomes.filter((status) => status === 200).length);
  });

  it('of customers leaves those who came since', async () => {
    const { id } = await imported('Email,Name\na@example.com,Ann Lee\nb@example.com,Bea Ray\n');
    expect((await everything()).customers).toHaveLength(2);
    const { id: product } = (await call(server, 'GET', '/api/products', { token: ada.token })).body[0];
    const [own] = await makeSerials(server, ada.token, product, { quantity: 1 });
    await redeem(server, own?.code as string, 'b@example.com', ada.id);
    const kept = (await post(id, '/undo?dry_run=true')).body.kept;
    expect(kept).toEqual([{ reason: 'serials', count: 1, examples: ['b@example.com'] }]);
    await post(id, '/undo?rest=true');
    expect(await ended(id)).toMatchObject({ state: 'undone' });
    expect((await everything()).customers).toMatchObject([{ email: 'b@example.com' }]);
  });

  it('is one that came by a single call, too', async () => {
    const form = new FormData();
    form.append('file', new Blob([SALES]), 'sales.csv');
    const sent = await call(server, 'POST', '/api/serials/import-redeemed', { token: ada.token, body: form });
    expect(sent.body).toMatchObject({ count: 3 });
    await post(sent.body.import_id, '/undo');
    expect(await ended(sent.body.import_id)).toMatchObject({ state: 'undone', plan: null });
    expect(await everything()).toMatchObject({
      serials: [],
      batches: [],
      ledger: [],
      customers: [],
      days: [],
      countries: [],
    });
  });

  it('of somebody else is not there', async () => {
    const { id } = await imported('Serial,Product\nMINE-1,Chorus\n');
    const eve = await signUp(server);
    expect((await call(server, 'POST', `/api/imports/${id}/undo`, { token: eve.token })).status).toBe(404);
    expect((await everything()).serials).toHaveLength(1);
  });

  it('is the only way out of the ledger', async () => {
    await imported(SALES);
    const remove = server.db.query('delete from redemptions where developer_id = $1', [ada.id]);
    await expect(remove).rejects.toThrow('the ledger is append-only');
    const other = server.db.query(
      `with named as (select set_config('tonerow.undone_import', gen_random_uuid()::text, true))
       delete from redemptions using named where developer_id = $1`,
      [ada.id],
    );
    await expect(other).rejects.toThrow('the ledger is append-only');
  });
});

async function serialId(code: string): Promise<string> {
  const [found] = await server.db.query<{ id: string }>(
    'select id from serials where developer_id = $1 and code = $2',
    [ada.id, code],
  );
  return found?.id as string;
}
