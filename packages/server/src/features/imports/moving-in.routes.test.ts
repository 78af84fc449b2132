import { call, makeProduct, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { lockWith } from '@tonerow/test-support/lock-with.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Tape; "Delay"', price: 30 });
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20, sale_price: 10 });
});

const { send } = importCalls(() => ({ server, ada }));

describe('redeemed serials', () => {
  const HEAD =
    'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Downloads,Revoked,Reseller,Country\n';

  it('enter the ledger with their own dates and owners, and are never billed', async () => {
    const csv = `${HEAD}OLD-1,Chorus,Nina,Simone,Nina@Example.com,$12.50,2024-02-29,2/5,No,Plugin Shop,United States
OLD-2,Chorus,Nina,Simone,nina@example.com,,2024-03-01,9,yes,,de
OLD-3,Chorus,Django,R.,dj@example.com,7,2023-01-01,,,plugin shop,Unknown\n`;
    const { body } = await send('redeemed', csv);
    expect(body).toMatchObject({ count: 3, rejected: 0 });
    const page = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
    expect(page.total).toBe(3);
    expect(page.rows[0]).toMatchObject({ code: 'OLD-2', total: 10, download_count: 5, revoked: true, country: 'DE' });
    expect(page.rows[1]).toMatchObject({
      code: 'OLD-1',
      redeemed_at: '2024-02-29T00:00:00.000Z',
      first_name: 'Nina',
      total: 12.5,
      download_count: 2,
      country: 'US',
    });
    const usage = (await call(server, 'GET', '/api/me/usage', { token: ada.token })).body;
    expect(usage.redemptions).toBe(0);
    const resellers = (await call(server, 'GET', '/api/reseller/developer/resellers', { token: ada.token })).body;
    expect(resellers).toHaveLength(1);
    const analytics = (
      await call(server, 'GET', '/api/analytics?startDate=2023-01-01&endDate=2024-12-31', { token: ada.token })
    ).body;
    expect(analytics.totals).toEqual({ redemptions: 3, revenue: 29.5, refunded: 0 });
    expect(analytics.resellerStats).toEqual({ 'Plugin Shop': { redemptions: 2, revenue: 19.5, refunded: 0 } });
    expect(analytics.customerGeo).toEqual([
      { country: 'DE', count: 1 },
      { country: 'US', count: 1 },
      { country: null, count: 1 },
    ]);
    expect((await send('redeemed', csv)).body).toMatchObject({ count: 0, known: 3, rejected: 0 });
    // the owner opens the downloads as if the serial had been redeemed here
    expect((await redeem(server, 'old1', 'nina@example.com', ada.id)).body.products).toHaveLength(1);
  });

  it('leave with the columns of an import, and come to another account as they were', async () => {
    const berlin = { time_zone: 'Europe/Berlin' };
    await makeProduct(server, ada.token, { name: '=Chorus', price: 20 });
    await send(
      'redeemed',
      `${HEAD}RT-1,'=Chorus,"'=Nina, ""N""",Simone,nina@example.com,12.5,2024-02-29T10:11:12.345Z,2,No,'-Plugin Shop,US
RT-2,'=Chorus,,,dj@example.com,0,2024-03-01T00:00:00Z,5,Yes,,DE
RT-3,"Tape; ""Delay""",Zoë,,zoe@example.com,,2023-07-01T23:59:59+09:00,0,No,,\n`,
    );
    await call(server, 'PUT', '/api/account/settings', { token: ada.token, body: berlin });
    const file = async ({ token }: Person) =>
      (await call(server, 'GET', '/api/serials/redeemed?columns=import', { token, headers: { accept: 'text/csv' } }))
        .text;
    const sent = await file(ada);
    const bea = await signUp(server);
    for (const name of ['=Chorus', 'Tape; "Delay"']) await makeProduct(server, bea.token, { name, price: 1 });
    await call(server, 'PUT', '/api/account/settings', { token: bea.token, body: berlin });
    const taken = await send('redeemed', sent, '', bea.token);
    expect(taken.body).toMatchObject({ count: 3, rejected: 0, unused_columns: [] });
    expect(await file(bea)).toBe(sent);
    expect(sent).toContain(HEAD);
    expect(sent).toContain('2024-02-29T11:11:12.345+01:00,2,No,');
    expect(sent).toMatch(/RT-2.*,0.00,.*,5,Yes,,DE\n/);
  });

  it('that clash with what is there are reported', async () => {
    await send('available', 'Serial,Product\nFREE-1,"Tape; ""Delay"""\n');
    await send('redeemed', `${HEAD}OLD-1,Chorus,A,B,a@example.com,1,2024-01-01,,,,\n`);
    const { body } = await send(
      'redeemed',
      `${HEAD}FREE-1,Chorus,A,B,a@example.com,1,2024-01-01,,,,
OLD-1,Chorus,A,B,other@example.com,1,2024-01-01,,,,
NEW-1,Chorus,A,B,not an address,1,2024-01-01,,,,
NEW-2,Chorus,A,B,a@example.com,1,2999-01-01,,,,
NEW-3,Chorus,A,B,a@example.com,1,2024-01-01,,perhaps,,
NEW-4,Chorus,A,B,a@example.com,1,2024-01-01,,,,Atlantis
NEW-5,Chorus,A,B,a@example.com,1,2024-01-01,,,,
NEW-5,Chorus,A,B,a@example.com,1,2024-01-01,,,,\n`,
    );
    expect(body).toMatchObject({ count: 1, rejected: 7 });
    const reasons = Object.fromEntries(
      body.warnings.map((each: { line: number; reason: string }) => [each.line, each.reason]),
    );
    expect(reasons[2]).toBe('This serial already exists, for the product "Tape; "Delay"".');
    expect(reasons[3]).toBe('This serial already exists and belongs to another customer or product.');
    expect(reasons[4]).toContain('not an email address');
    expect(reasons[7]).toContain('Atlantis');
    expect(reasons[9]).toContain('more than once');
  });
});

describe('moving in with two files', () => {
  const SOLD = 'Serial,Product,Email,Total Price,Purchase Date,Downloads,Revoked,Reseller';

  it('redeems what the first file brought as available, on its own terms', async () => {
    await send(
      'available',
      'Serial,Product,Promo Price,Batch Tag\nTWO-1,Chorus,4.99,BF\nTWO-2,Chorus,,\nTWO-3,Chorus,,\nTWO-4,Chorus,,\n',
    );
    const revoked = (await call(server, 'GET', '/api/serials?search=TWO3', { token: ada.token })).body.rows[0];
    await call(server, 'PATCH', `/api/serials/revoke/${revoked.id}`, { token: ada.token });
    const csv = `${SOLD}
two 1,Chorus,nina@example.com,,2024-05-01,2,,Shop
TWO-2,Chorus,Nina@Example.com,7.5,2024-05-02,,yes,
TWO-3,Chorus,dj@example.com,,2024-05-03,,,
TWO-2,Chorus,other@example.com,,2024-05-04,,,
NEW-1,Chorus,dj@example.com,,2024-05-05,,,\n`;
    const dry = await send('redeemed', csv, '?dry_run=true');
    expect(dry.body).toMatchObject({ count: 4, known: 0, rejected: 1 });
    const { body } = await send('redeemed', csv);
    expect(body).toMatchObject({ count: 4, known: 0, rejected: 1, lines: 5 });
    expect(body.warnings).toEqual([{ line: 5, reason: 'This serial is in the file more than once.' }]);
    const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
    const seen = rows.map((row: Record<string, unknown>) => [
      row.code,
      row.email,
      row.total,
      row.revoked,
      row.batch_tag,
    ]);
    expect(seen).toEqual([
      ['NEW-1', 'dj@example.com', 10, false, null],
      ['TWO-3', 'dj@example.com', 10, true, null],
      ['TWO-2', 'nina@example.com', 7.5, true, null],
      ['TWO-1', 'nina@example.com', 4.99, false, 'BF'],
    ]);
    expect(rows[3]).toMatchObject({ redeemed_at: '2024-05-01T00:00:00.000Z', download_count: 2 });
    expect((await call(server, 'GET', '/api/serials/available', { token: ada.token })).body.total).toBe(1);
    const year = await call(server, 'GET', '/api/analytics?startDate=2024-01-01&endDate=2024-12-31', {
      token: ada.token,
    });
    expect(year.body.totals).toEqual({ redemptions: 4, revenue: 32.49, refunded: 0 });
    expect(year.body.resellerStats).toEqual({ Shop: { redemptions: 1, revenue: 4.99, refunded: 0 } });
    expect((await call(server, 'GET', '/api/me/usage', { token: ada.token })).body.redemptions).toBe(0);

    // in any order and as often as one likes
    expect((await send('redeemed', csv)).body).toMatchObject({ count: 0, known: 4, rejected: 1 });
    const first = await send('available', 'Serial,Product\nTWO-1,Chorus\nTWO-4,Chorus\nNEW-1,Chorus\n');
    expect(first.body).toMatchObject({ count: 0, known: 3, rejected: 0 });
    expect((await redeem(server, 'TWO-1', 'nina@example.com', ada.id)).body.products).toHaveLength(1);
    expect((await redeem(server, 'TWO-4', 'new@example.com', ada.id)).status).toBe(200);
  });

  it('shows the code of an available serial as it was, however the second file writes it', async () => {
    await send('available', 'Serial,Product\nSpelled-As-1,Chorus\n');
    expect((await send('redeemed', `${SOLD}\nSPELLED AS 1,Chorus,spell@example.com,,,,,\n`)).body).toMatchObject({
      count: 1,
    });
    const list = '/api/serials/redeemed?search=spell@example.com';
    expect((await call(server, 'GET', list, { token: ada.token })).body.rows[0].code).toBe('Spelled-As-1');
    const { text } = await call(server, 'GET', list, { token: ada.token, headers: { accept: 'text/csv' } });
    expect(text).toContain(',spell@example.com,Spelled-As-1,Chorus,');
  });

  it('does not take a serial that is redeemed at the same moment', async () => {
    await send('available', 'Serial,Product\nRACE-1,Chorus\nRACE-2,Chorus\n');
    // a redemption under way: it has the serial, and will be done soon
    const redeeming = await lockWith(
      server.db,
      `with c as (insert into customers (id, developer_id, email, email_key, created_at)
         values (gen_random_uuid(), $1, 'fast@example.com', 'fast@example.com', now()) returning id)
       update serials set customer_id = c.id, redeemed_at = now() from c where developer_id = $1 and code = 'RACE-1'`,
      [ada.id],
    );
    const csv = `${SOLD}\nRACE-1,Chorus,slow@example.com,,,,,\nRACE-2,Chorus,slow@example.com,,,,,\n`;
    const sent = send('redeemed', csv);
    await redeeming.untilWaiting(1);
    await redeeming.release('commit');
    expect((await sent).body).toMatchObject({
      count: 1,
      warnings: [{ line: 2, reason: 'This serial already exists and belongs to another customer or product.' }],
    });
  });

  it('brings a serial that is deleted at the same moment as a new one', async () => {
    await send('available', 'Serial,Product\nGONE-1,Chorus\n');
    const deleting = await lockWith(server.db, `delete from serials where developer_id = $1 and code = 'GONE-1'`, [
      ada.id,
    ]);
    const sent = send('redeemed', `${SOLD}\nGONE-1,Chorus,slow@example.com,,,,,\n`);
    await deleting.untilWaiting(1);
    await deleting.release('commit');
    expect((await sent).body).toMatchObject({ count: 1, rejected: 0 });
    const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
    expect(rows.map((row: { code: string }) => row.code)).toEqual(['GONE-1']);
  });
});
