import { randomUUID } from 'node:crypto';
import { call, makeProduct, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { IMPORTS, importCalls } from '@tonerow/test-support/import-calls.ts';
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

const { send, countSerials } = importCalls(() => ({ server, ada }));

describe('available serials', () => {
  it('come in whatever a spreadsheet made of the file, and the same file twice adds nothing', async () => {
    const csv =
      '\uFEFFnotes;PRODUCT;Serial;Promo Price;Promo Expires;Active From;Active To;Batch Tag;Whatever\r\n' +
      '"two\r\nlines; and a ""quote""";"Tape; ""Delay""";AAAA-0001;9,99;2099-01-31;2026-01-01;2099-12-31;BF;x\r\n' +
      ';chorus;aaaa 0002;;;;;;\r\n' +
      "'=1+1;Chorus;AAAA-0003;;;;;;\r\n";
    const first = await send('available', csv);
    expect(first.body).toMatchObject({
      success: true,
      message: 'Import complete',
      count: 3,
      lines: 3,
      known: 0,
      rejected: 0,
      unused_columns: ['Whatever'],
      warnings: [],
    });
    const again = await send('available', csv);
    expect(again.body).toMatchObject({ success: true, count: 0, known: 3, rejected: 0 });
    expect(await countSerials()).toBe(3);
    const batches = (await call(server, 'GET', '/api/batches', { token: ada.token })).body;
    expect(batches.total).toBe(3);
    const listed = (await call(server, 'GET', '/api/serials?search=AAAA0001', { token: ada.token })).body.rows[0];
    expect(listed).toMatchObject({
      code: 'AAAA-0001',
      product_name: 'Tape; "Delay"',
      promo_price: 9.99,
      promo_start: '2026-01-01T00:00:00.000Z',
      promo_expires: '2099-01-31T23:59:59.999Z',
      expires_at: '2099-12-31T23:59:59.999Z',
      batch_tag: 'BF',
      notes: 'two\nlines; and a "quote"',
    });
    expect((await redeem(server, 'aaaa0002', 'nina@example.com', ada.id)).status).toBe(200);
    // a cell that a spreadsheet would run was escaped on its way out, is itself inside, and goes out harmless again
    const csvOut = (
      await call(server, 'GET', '/api/serials?search=AAAA0003', { token: ada.token, headers: { accept: 'text/csv' } })
    ).text;
    expect(csvOut).toContain("AAAA-0003,Chorus,,,,,,'=1+1");
  });

  it('report each line that cannot be taken, by number and reason, and take the rest', async () => {
    const bad = [
      'AAA,Chorus,,,,,,',
      'BBBB-1,Nothing,,,,,,',
      'BBBB-2,Chorus,abc,,,,,',
      'BBBB-3,Chorus,,,2027-02-30,,,',
      'BBBB-4,Chorus,,2027-01-01,,,,',
      'BBBB-5,Chorus,,,2027-02-01,2027-01-01,,',
      ',Chorus,,,,,,',
      'BBBB-7',
      'AAAA-1,Chorus,,,,,,',
      `BBBB-9,Chorus,,,,,${'t'.repeat(101)},`,
      'BBBB-10,Chorus,5,2027-01-01,2027-01-02,,,',
    ];
    const good = Array.from({ length: 90 }, (_, i) => `AAAA-${i + 1},Chorus,,,,,,`);
    const head = 'Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag,Notes';
    const { body } = await send('available', [head, ...good, ...bad].join('\n'));
    expect(body).toMatchObject({ success: true, message: 'Import completed with warnings', count: 90, rejected: 11 });
    expect(body.warnings.map((each: { line: number }) => each.line)).toEqual([
      92, 93, 94, 95, 96, 97, 98, 99, 100, 101, 102,
    ]);
    expect(body.warnings[1].reason).toBe('No product is named "Nothing".');
    expect(body.warnings[8].reason).toBe('This serial is in the file more than once.');
    expect(body.warnings[10].reason).toBe('Promo Expires is before Active From.');
    const report = await call(server, 'GET', `/api/imports/${body.import_id}/report`, { token: ada.token });
    expect(report.headers.get('content-disposition')).toContain('rejected-lines.csv');
    expect(report.text.split('\r\n')).toHaveLength(13);
    const protocol = (await call(server, 'GET', '/api/imports', { token: ada.token })).body[0];
    expect(protocol).toMatchObject({ kind: 'available', state: 'complete', count: 90, rejected: 11, lines: 101 });
  });

  it('that look like test serials are reported: licensing would answer for them, and never find them', async () => {
    const available = await send(
      'available',
      'Serial,Product\nTEST-FULL-AAAA-0001,Chorus\nTEST-FUZZ-AAAA-0001,Chorus\n',
    );
    const redeemed = await send('redeemed', 'Serial,Product,Email\ntest actv 0000 0000,Chorus,nina@example.com\n');
    expect([available.body.count, redeemed.body.count]).toEqual([1, 0]);
    for (const { body } of [available, redeemed]) {
      expect(body.warnings).toEqual([{ line: 2, reason: expect.stringContaining('reserved for testing') }]);
    }
  });

  it('of a code that belongs to another product are reported; other developers do not matter', async () => {
    await send('available', 'Serial,Product\nSAME-1,Chorus\n');
    const { body } = await send('available', 'Serial,Product\nsame1,"Tape; ""Delay"""\n');
    expect(body.warnings).toEqual([{ line: 2, reason: 'This serial already exists, for the product "Chorus".' }]);
    const other = await signUp(server);
    await makeProduct(server, other.token, { name: 'Chorus' });
    expect((await send('available', 'Serial,Product\nSAME-1,Chorus\n', '', other.token)).body.count).toBe(1);
  });

  it('of two files at once are all imported once', async () => {
    const csv = `Serial,Product\n${Array.from({ length: 500 }, (_, i) => `PAR-${i},Chorus`).join('\n')}`;
    const back = `Serial,Product\n${Array.from({ length: 500 }, (_, i) => `PAR-${499 - i},Chorus`).join('\n')}`;
    const both = await Promise.all([send('available', csv), send('available', back)]);
    expect(both.map(({ body }) => body.count).sort()).toEqual([0, 500]);
    expect(await countSerials()).toBe(500);
  });

  it('dry runs change nothing and return the same', async () => {
    const { body } = await send('available', 'Serial,Product\nDRY-1,Chorus\nDRY-2,No\n', '?dry_run=true');
    expect(body).toMatchObject({ count: 1, rejected: 1, dry_run: true });
    expect(await countSerials()).toBe(0);
  });

  it.each([
    ['an empty file', '', 'The file is empty.'],
    ['wrong columns', 'Code,Plugin\nA,B\n', 'The file has no column Serial, Product. Its first line is: Code, Plugin.'],
    ['a quote that is never closed', 'Serial,Product\n"AAAA-1,Chorus\n', 'Line 2: a quotation mark is never closed.'],
    ['another encoding', Buffer.from('Serial,Product\nAAAA-1,Ch\xf6rus\n', 'latin1'), 'The file is not UTF-8.'],
  ])('refuse %s as a whole', async (_what, csv, message) => {
    const { status, body } = await send('available', csv);
    expect([status, body.code]).toEqual([422, 'csv_unusable']);
    expect(body.message).toContain(message);
    expect((await call(server, 'GET', '/api/imports', { token: ada.token })).body[0]).toMatchObject({
      state: 'failed',
    });
  });

  it('explain what is missing when no file is sent', async () => {
    const nothing = await call(server, 'POST', IMPORTS.available, { token: ada.token, body: new FormData() });
    expect(nothing.status).toBe(400);
    const json = await call(server, 'POST', IMPORTS.available, { token: ada.token, body: {} });
    expect(json.status).toBe(415);
  });
});

describe('customers', () => {
  it('come with their names and dates; who is known is only filled in', async () => {
    const { body } = await send(
      'customers',
      'Email,First Name,Last Name,Signup Date\na@example.com,Ann,,2025-01-01\nb@example.com,,,\nnobody,,,\nA@example.com,Other,Row,\n',
    );
    expect(body).toMatchObject({ count: 2, known: 1, rejected: 1 });
    const again = await send('customers', 'Email,First Name,Last Name\na@example.com,Zoe,Row\n');
    expect(again.body).toMatchObject({ count: 0, known: 1 });
    const list = (await call(server, 'GET', '/api/customers/list?search=ann', { token: ada.token })).body;
    expect(list.customers).toHaveLength(1);
    expect(list.customers[0]).toMatchObject({
      first_name: 'Ann',
      last_name: 'Row',
      signup_date: '2025-01-01T00:00:00.000Z',
      product_name: null,
    });
  });
});

it('shows an access token no addresses but with the scope to read customers', async () => {
  const read = async (scopes: string[]) => {
    const body = { name: scopes.join(), scopes };
    const { token } = (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body })).body;
    return (path: string) => call(server, 'GET', path, { token });
  };
  const line = 'REP-1,Chorus,nina@example,2024-01-01\nREP-2,nina@example.com,a@example.com,2024-01-01\n';
  const sold = (await send('redeemed', `Serial,Product,Email,Purchase Date\n${line}`)).body.import_id;
  const people = (await send('customers', 'Email\nnina@example\nzoe@example.com\n')).body.import_id;
  // a file without its header
  await send('redeemed', 'zoe@example.com,REP-3\n');

  const serials = await read(['serials:read']);
  const listed = (await serials('/api/imports')).body;
  expect(listed.map((each: { kind: string }) => each.kind)).toEqual(['redeemed', 'redeemed']);
  expect(listed[0].error).toBe('The file has no column Serial, Product, Email. Its first line is: …, REP-3.');
  const report = (await serials(`/api/imports/${sold}/report`)).text;
  expect(report).toContain('2,REP-1,"This is not an email address: ""…"');
  expect(report).not.toContain('@');
  for (const path of [`/api/imports/${people}`, `/api/imports/${people}/report`]) {
    const { status, body } = await serials(path);
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  }

  const customers = await read(['customers:read']);
  expect((await customers('/api/imports')).body).toMatchObject([{ id: people, kind: 'customers' }]);
  expect((await customers(`/api/imports/${people}/report`)).text).toContain('nina@example');
  expect((await customers(`/api/imports/${sold}`)).status).toBe(403);
  const both = await read(['serials:read', 'customers:read']);
  expect((await both('/api/imports')).body).toHaveLength(3);
  expect((await both(`/api/imports/${sold}/report`)).text).toContain('nina@example');
  expect((await (await read(['products:read']))('/api/imports')).status).toBe(403);
});

it('shows what an import accepts with demo files under familiar names, which import without changes', async () => {
  await makeProduct(server, ada.token, { name: 'Your Product' });
  for (const [kind, name, columns] of [
    [
      'redeemed',
      'Demo-Redeemed-Serials.csv',
      'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date,Downloads,Revoked,Reseller,Country',
    ],
    [
      'available',
      'Available-Serials-Demo.csv',
      'Serial,Product,Promo Price,Promo Expires,Active From,Active To,Batch Tag,Notes',
    ],
    ['customers', 'Demo-Customers.csv', 'First Name,Last Name,Email,Signup Date'],
  ] as const) {
    const demo = await call(server, 'GET', `/api/imports/demo/${kind}`);
    expect(demo.headers.get('content-disposition')).toBe(`attachment; filename="${name}"`);
    expect(demo.text.split('\r\n')[0]).toBe(columns);
    const unique = demo.text.replaceAll('AB12', randomUUID().slice(0, 4)).replaceAll('PROM', randomUUID().slice(0, 4));
    const { body } = await send(kind, unique);
    expect([body.count + body.known, body.rejected]).toEqual([2, 0]);
  }
});
