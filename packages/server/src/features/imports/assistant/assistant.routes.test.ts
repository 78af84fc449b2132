import { assistantCalls } from '@tonerow/test-support/assistant-calls.ts';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { queueJob } from '@tonerow/test-support/queue-job.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { workbook } from '#platform/xlsx/sample-workbook.ts';

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});

// biome-ignore lint/suspicious/noExplicitAny: the shapes are the contract’s
type Answer = any;

const at = (id: string, step = '') => `/api/imports/${id}${step}`;
const { create, change, post, ended, imported } = assistantCalls(() => ({ server, ada }));
/** The same with an access token of hers. */
const callsWith = (token: string) => assistantCalls(() => ({ server, ada: { ...ada, token } }));

const GERMAN = [
  'Bestellung;Kaufdatum;Vorname;Nachname;E-Mail;Lizenzschlüssel;Produkt;Preis',
  '1;31.12.2024 18:30;Jürgen;Groß;juergen@example.com;WOO-0001;Chorus;49,50',
  '2;03.01.2025;Nina;Simone;nina@example.com;WOO-0002;Chorus;1.041,59',
  '3;04.01.2025;Nina;Simone;nina@example.com;WOO-0003;Flanger;19,00',
  '4;05.01.2025;Nina;Simone;nobody;WOO-0004;Chorus;19,00',
  '',
].join('\r\n');

describe('a file', () => {
  it('is read, understood, checked and run, and each step is kept', async () => {
    const made = await create(Buffer.from(GERMAN, 'latin1'));
    expect(made).toMatchObject({ status: 201, kind: 'redeemed', state: 'open', file_name: 'sales.csv' });
    expect(made.plan).toMatchObject({
      format: 'csv',
      encoding: 'windows-1252',
      delimiter: 'semicolon',
      questions: [],
      check: null,
    });
    expect(made.plan.columns.map((each: Answer) => [each.head, each.column])).toEqual([
      ['Bestellung', null],
      ['Kaufdatum', 'Purchase Date'],
      ['Vorname', 'First Name'],
      ['Nachname', 'Last Name'],
      ['E-Mail', 'Email'],
      ['Lizenzschlüssel', 'Serial'],
      ['Produkt', 'Product'],
      ['Preis', 'Total Price'],
    ]);
    expect(made.plan.columns[7].examples).toEqual(['49,50', '1.041,59', '19,00']);

    const checked = (await post(made.id, '/check')).body;
    expect(checked.state).toBe('open');
    expect(checked.plan.check).toMatchObject({
      lines: 4,
      added: 2,
      known: 0,
      rejected: 2,
      amount: 1091.09,
      time_zone: 'UTC',
    });
    expect(checked.plan.check.rows[0]).toEqual({
      line: 2,
      refused: null,
      Serial: 'WOO-0001',
      Product: 'Chorus',
      Email: 'juergen@example.com',
      'First Name': 'Jürgen',
      'Last Name': 'Groß',
      'Total Price': 49.5,
      'Purchase Date': '2024-12-31T18:30:00.000Z',
      Downloads: null,
      Revoked: null,
      Reseller: null,
      Country: null,
      'License Ends': null,
      Machines: null,
    });
    expect(checked.plan.check.reasons).toEqual([
      {
        reason: 'No product is named "Flanger".',
        count: 1,
        example: { line: 4, reason: 'No product is named "Flanger".' },
      },
      {
        reason: 'This is not an email address: "…".',
        count: 1,
        example: { line: 5, reason: 'This is not an email address: "nobody".' },
      },
    ]);
    const report = await call(server, 'GET', at(made.id, '/report'), { token: ada.token });
    expect(report.text.split('\r\n')[1]).toBe('4,WOO-0003,"No product is named ""Flanger""."');
    expect((await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body.total).toBe(0);

    // the mistake that the check has shown is fixed
    const changed = (await change(made.id, { products: { flanger: 'Chorus' }, revision: 1 })).body;
    expect(changed.plan).toMatchObject({ revision: 2, products: { flanger: 'Chorus' }, check: null });
    expect((await post(made.id, '/run')).body.state).toBe('running');
    const done = await ended(made.id);
    expect(done).toMatchObject({ state: 'complete', lines: 4, count: 3, rejected: 1, unused_columns: ['Bestellung'] });
    const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
    expect(rows.map((row: Answer) => [row.code, row.total])).toEqual([
      ['WOO-0003', 19],
      ['WOO-0002', 1041.59],
      ['WOO-0001', 49.5],
    ]);
    expect((await call(server, 'GET', '/api/imports', { token: ada.token })).body[0]).toMatchObject({
      id: made.id,
      state: 'complete',
    });
    expect((await post(made.id, '/run')).status).toBe(409);
    expect((await change(made.id, { kind: 'available' })).status).toBe(409);
  });

  it('has a product in a column or the same in all lines: what was chosen last', async () => {
    const { id } = await create(
      'Serial,Product,Email,Total Price,Purchase Date\nALL-0001,Flanger,a@example.com,1,2025-01-01\n',
    );
    const columnsAndValues = async (body: object) => {
      const { plan } = (await change(id, body)).body;
      return [plan.columns[1].column, plan.values];
    };
    expect(await columnsAndValues({ values: { Product: 'Chorus' } })).toEqual([null, { Product: 'Chorus' }]);
    expect((await post(id, '/check')).body.plan.check).toMatchObject({ added: 1, rejected: 0 });
    const column = { index: 1, column: 'Product' };
    expect(await columnsAndValues({ columns: [column] })).toEqual(['Product', {}]);
    const both = await change(id, { columns: [column], values: { Product: 'Chorus' } });
    expect([both.status, both.body.errors[0].path]).toEqual([400, 'values']);
  });

  it('that does not show all is asked about before anything is imported', async () => {
    const { id, plan } = await create('Key,E-mail,Amount,Date\nASK-0001,a@example.com,"41,597",03/04/2025\n');
    expect(plan.questions.map((each: Answer) => each.id)).toEqual(['Product', 'decimal', 'date_order']);
    expect(plan.questions[0].choices).toEqual(['Chorus']);
    const refused = await post(id, '/run');
    expect([refused.status, refused.body.code]).toEqual([422, 'import_unanswered']);
    expect(refused.body.errors.map((each: Answer) => each.path)).toEqual(['Product', 'decimal', 'date_order']);
    expect((await post(id, '/check')).status).toBe(422);
    await change(id, { values: { Product: 'Chorus' }, answers: { decimal: 'point', date_order: 'dmy' } });
    const [row] = (await post(id, '/check')).body.plan.check.rows;
    expect(row).toMatchObject({ 'Total Price': 41597, 'Purchase Date': '2025-04-03T00:00:00.000Z', Product: 'Chorus' });
    const back = await change(id, { answers: { decimal: null }, values: { Product: null } });
    expect(back.body.plan.questions.map((each: Answer) => each.id)).toEqual(['Product', 'decimal']);
  });

  it('without prices and dates is checked, and run when somebody has said at what they are booked', async () => {
    const { id, plan } = await create('Serial,Product,Email\nNOP-0001,Chorus,a@example.com\n');
    expect(plan.questions.map((each: Answer) => each.id)).toEqual(['price', 'date']);
    expect((await post(id, '/check')).body.plan.check).toMatchObject({ added: 1, amount: 20 });
    expect((await post(id, '/run')).status).toBe(422);
    // the findings stay true until something else changes
    const content = await change(id, { answers: { price: 'current' } });
    expect(content.body.plan).toMatchObject({ check: { added: 1, amount: 20 }, questions: [{ id: 'date' }] });
    expect((await change(id, { values: { 'Purchase Date': '2025-01-01' } })).body.plan.check).toBeNull();
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 1 });
  });

  it('with lines that lack a price or a date is asked about them, whether it was checked or not', async () => {
    const lines = ['Key,Product,Email,Price,Date', 'GAP-1,Chorus,a@example.com,9.50,2025-01-10'];
    const file = [...lines, 'GAP-2,Chorus,b@example.com,,2025-01-11', 'GAP-3,Chorus,c@example.com,7.00,', ''].join(
      '\n',
    );
    const asked = [
      [
        'price',
        '1 line has no price. At what the products cost today, that is $20.00. Choose that, or correct the file.',
      ],
      ['date', '1 line has no date of the sale. Choose today, or correct the file.'],
    ];
    const { id, plan } = await create(file);
    expect(plan.questions).toEqual([]);
    await post(id, '/run');
    const failed = await ended(id);
    expect([failed.state, failed.error, failed.count]).toEqual([
      'failed',
      asked.map(([, words]) => words).join(' '),
      0,
    ]);
    const checked = (await post(id, '/check')).body.plan;
    expect([checked.check.unpriced, checked.check.undated]).toEqual([1, 1]);
    expect(checked.questions.map((each: { id: string; message: string }) => [each.id, each.message])).toEqual(asked);
    const refused = await post(id, '/run');
    expect([refused.status, refused.body.code]).toEqual([422, 'import_unanswered']);
    await change(id, { answers: { price: 'current', date: 'today' } });
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 3 });
  });

  it('is read in another way on demand, with its columns proposed anew', async () => {
    const { id, plan } = await create('A|B;Serial;Product\n1|2;PIPE-0001;Chorus\n3|4;PIPE-0002;Chorus\n');
    expect([plan.delimiter, plan.columns.length]).toEqual(['semicolon', 3]);
    const piped = (await change(id, { delimiter: 'pipe' })).body.plan;
    expect([piped.delimiter, piped.columns.map((each: Answer) => each.head)]).toEqual([
      'pipe',
      ['A', 'B;Serial;Product'],
    ]);
    const people = (await change(id, { delimiter: 'semicolon', kind: 'customers' })).body;
    expect([people.kind, people.plan.questions[0].id]).toEqual(['customers', 'Email']);
  });

  it('keeps two people from overwriting each other', async () => {
    const { id } = await create('Serial,Product\nREV-0001,Chorus\n');
    expect((await change(id, { revision: 1, columns: [{ index: 0, column: null }] })).status).toBe(200);
    expect((await change(id, { revision: 1, columns: [{ index: 0, column: 'Serial' }] })).status).toBe(409);
    expect((await change(id, { columns: [{ index: 0, column: 'Email' }] })).status).toBe(400);
    expect((await change(id, { columns: [{ index: 7, column: 'Serial' }] })).status).toBe(400);
    expect((await change(id, { columns: [{ index: 0, column: 'Product' }] })).body.message).toContain(
      'Two columns are Product',
    );
    expect((await change(id, { products: { x: 'Nothing' } })).body.message).toContain('No product is named');
  });

  it.each([
    ['of nothing', '', 'The file is empty.'],
    ['that is a picture', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 0, 1]), 'This is not a text file.'],
    ['of 600 columns', `${Array.from({ length: 600 }, (_, i) => `c${i}`).join(',')}\n`, 'The file has 600 columns.'],
  ])('%s is refused, and nothing is kept of it', async (_what, text, message) => {
    const refused = await create(text);
    expect([refused.status, refused.code]).toEqual([422, 'csv_unusable']);
    expect(refused.message).toContain(message);
    expect((await call(server, 'GET', '/api/imports', { token: ada.token })).body).toEqual([]);
  });

  it('of 500 columns is read, and those that are not used are named', async () => {
    const others = Array.from({ length: 498 }, (_, i) => `c${i}`);
    const cells = others.map((_, i) => `v${i}`).join(',');
    const done = await imported(`Serial,${others.join(',')},Product\nWIDE-0001,${cells},Chorus\n`);
    expect(done).toMatchObject({ state: 'complete', count: 1, unused_columns: others });
  });

  it('whose heads are there twice uses the one that was chosen, and names the other', async () => {
    const { id, plan } = await create('Serial,Product,Email,Price,Price\nTWICE-1,Chorus,a@example.com,10.00,20.00\n');
    const prices = plan.columns.filter(({ head }: Answer) => head === 'Price');
    expect(prices.map(({ column }: Answer) => column)).toEqual(['Total Price', null]);
    const columns = [3, 4].map((index) => ({ index, column: index === 4 ? 'Total Price' : null }));
    expect((await change(id, { columns, values: { 'Purchase Date': '2025-01-01' } })).status).toBe(200);
    expect((await post(id, '/run')).status).toBe(202);
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 1, unused_columns: ['Price'] });
    const sold = await server.db.query('select final_price_cents from redemptions where developer_id = $1', [ada.id]);
    expect(sold).toEqual([{ final_price_cents: 2000 }]);
  });

  it('that was read can be discarded until it has run, and is gone then', async () => {
    const discard = (id: string, token = ada.token) => call(server, 'DELETE', at(id), { token });
    const { id } = await create('Serial,Product\nGONE-0001,Chorus\n');
    await post(id, '/check');
    expect((await discard(id, (await signUp(server)).token)).status).toBe(404);
    expect((await discard(id)).body).toEqual({ ok: true });
    expect((await call(server, 'GET', at(id), { token: ada.token })).status).toBe(404);
    expect((await call(server, 'GET', '/api/imports', { token: ada.token })).body).toEqual([]);
    expect((await discard(id)).status).toBe(404);
    const done = await imported('Serial,Product\nGONE-0001,Chorus\n');
    expect((await discard(done.id)).status).toBe(409);
    expect((await call(server, 'GET', at(done.id), { token: ada.token })).body.state).toBe('complete');
  });

  it('of only a head is read, and brings nothing', async () => {
    const done = await imported('Serial,Product\n');
    expect(done).toMatchObject({ state: 'complete', lines: 0, count: 0 });
  });

  it('that a later line makes unreadable fails with a reason, and can be mended and run again', async () => {
    // the sample is two thousand lines
    const lines = Array.from(
      { length: 2500 },
      (_, i) => `LATE-${i},Chorus,a@example.com,${i === 2400 ? '"1,50"' : '1.50'},2025-01-01`,
    );
    const { id } = await create(`Serial,Product,Email,Price,Date\n${lines.join('\n')}\n`);
    await post(id, '/run');
    const failed = await ended(id);
    expect(failed).toMatchObject({ state: 'failed', count: 0 });
    expect(failed.error).toContain('decimal comma in "1,50"');
    await change(id, { answers: { decimal: 'point' } });
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 2499, rejected: 1 });
  });

  it('is shown to an access token only as far as its scopes go', async () => {
    const tokenOf = async (scopes: string[]) =>
      (await call(server, 'POST', '/api/account/tokens', { token: ada.token, body: { name: scopes.join(), scopes } }))
        .body.token;
    const [serials, customers] = [await tokenOf(['serials:read', 'serials:write']), await tokenOf(['customers:write'])];
    const text = 'Serial,Product,Email\nTOK-0001,Chorus,secret@example.com\n';
    const made = await callsWith(serials).create(text);
    expect(made.status).toBe(201);
    expect(JSON.stringify(made)).not.toContain('secret@');
    expect((await callsWith(customers).create(text)).code).toBe('insufficient_scope');
    expect((await callsWith(customers).post(made.id, '/run')).body.code).toBe('insufficient_scope');
    const seen = await call(server, 'GET', at(made.id), { token: ada.token });
    expect(JSON.stringify(seen.body)).toContain('secret@');
    const checked = await callsWith(serials).post(made.id, '/check');
    expect(JSON.stringify(checked.body)).not.toContain('secret@');
  });
});

describe('an import whose server stops', () => {
  it('goes on from the file when its job is tried again, and does nothing twice', async () => {
    const { id } = await create('Serial,Product\nDIED-1,Chorus\n');
    await server.db.query("update imports set state = 'running' where developer_id = $1 and id = $2", [ada.id, id]);
    const job = { developerId: ada.id, id, does: 'run', rest: false };
    await queueJob(server.db, 'import', job);
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 1 });
    // nothing of what was in the file is kept beside what it brought
    const [kept] = await server.db.query<{ plan: object }>(
      'select plan, checked from import_plans where developer_id = $1 and import_id = $2',
      [ada.id, id],
    );
    expect(JSON.stringify(kept)).not.toContain('DIED-1');
    await post(id, '/undo');
    await ended(id);
    await queueJob(server.db, 'import', { ...job, does: 'undo' });
    expect(await ended(id)).toMatchObject({ state: 'undone', error: null });
  });

  it('can be taken back later when it stopped while it was, and one that nobody touched for a month is gone', async () => {
    const stuck = await imported('Serial,Product\nSTUCK-1,Chorus\n');
    const left = await create('Serial,Product\nLEFT-1,Chorus\n');
    const long = "now() - interval '31 days'";
    await server.db.query(
      `update imports set state = 'undoing', seen_at = ${long} where developer_id = $1 and id = $2`,
      [ada.id, stuck.id],
    );
    await server.db.query(`update import_plans set changed_at = ${long} where developer_id = $1 and import_id = $2`, [
      ada.id,
      left.id,
    ]);
    await queueJob(server.db, 'expire-records');
    expect(await ended(stuck.id)).toMatchObject({ state: 'complete', error: expect.stringContaining('Try again') });
    await expect
      .poll(async () => (await call(server, 'GET', at(left.id), { token: ada.token })).status, { timeout: 20_000 })
      .toBe(404);
    await post(stuck.id, '/undo');
    expect(await ended(stuck.id)).toMatchObject({ state: 'undone', error: null });
  });
});

describe('a file that is recognized', () => {
  it('needs no mapping: our own export comes back without loss', async () => {
    await imported(
      'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date\nBACK-1,Chorus,Nina,Simone,nina@example.com,15.50,2024-05-01 18:30\n',
    );
    const accept = { accept: 'text/csv' };
    const { text } = await call(server, 'GET', '/api/serials/redeemed', { token: ada.token, headers: accept });
    ada = await signUp(server);
    await makeProduct(server, ada.token, { name: 'Chorus' });
    const { id, plan } = await create(text);
    expect(plan).toMatchObject({ preset: 'tonerow_redeemed', questions: [] });
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 1, unused_columns: [] });
    const again = await call(server, 'GET', '/api/serials/redeemed', { token: ada.token, headers: accept });
    expect(again.text).toBe(text);
  });

  it('is a plain list of codes, of which the first line is one', async () => {
    const { id, kind, plan } = await create('LIST-0001\nLIST-0002\n\nLIST-0003\n');
    expect([kind, plan.questions.map((each: Answer) => each.id)]).toEqual(['available', ['Product']]);
    await change(id, { values: { Product: 'Chorus' } });
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', lines: 3, count: 3 });
  });

  it('is one of Gumroad’s, with its moments, and what was refunded revoked', async () => {
    const { id, plan } = await create(
      'Purchase ID,Item Name,Buyer Name,Purchase Email,Buyer Email,Purchase Date,Purchase Time (UTC timezone),Sale Price ($),Country,Fully Refunded?,License Key\n' +
        'a1,Chorus,Nina Simone,nina@example.com,,2024-05-01,2024-05-01 12:33:11 UTC,19.99,United States,0,AAAA1111-BBBB2222\n' +
        'a2,Chorus,Django R,dj@example.com,,2024-05-02,2024-05-02 12:00:00 UTC,19.99,France,1,AAAA1111-BBBB3333\n',
    );
    expect(plan).toMatchObject({ preset: 'gumroad', questions: [] });
    await post(id, '/run');
    expect(await ended(id)).toMatchObject({ state: 'complete', count: 2 });
    const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
    expect(rows.map((row: Answer) => [row.first_name, row.total, row.redeemed_at, row.revoked])).toEqual([
      ['Django', 19.99, '2024-05-02T12:00:00.000Z', true],
      ['Nina', 19.99, '2024-05-01T12:33:11.000Z', false],
    ]);
  });
});

describe('a workbook', () => {
  it('is read by its first sheet, its dates and prices as they are shown, and by another on demand', async () => {
    const made = await create(
      await workbook({
        Sales: [
          ['Key', 'Product', 'E-mail', 'Price', 'Date'],
          ['XLS-0001', 'Chorus', 'a@example.com', 41.5, 45413],
          ['XLS-0002', 'Chorus', 'b@example.com', 1299, 45414],
        ],
        Stock: [
          ['Serial', 'Product'],
          ['XLS-0003', 'Chorus'],
        ],
      }),
      'sales.xlsx',
    );
    expect(made.plan).toMatchObject({
      format: 'xlsx',
      encoding: null,
      sheet: 'Sales',
      sheets: ['Sales', 'Stock'],
      questions: [],
    });
    const { rows } = (await post(made.id, '/check')).body.plan.check;
    expect(rows.map((row: Answer) => [row.line, row['Total Price'], row['Purchase Date']])).toEqual([
      [2, 41.5, '2024-05-01T00:00:00.000Z'],
      [3, 1299, '2024-05-02T00:00:00.000Z'],
    ]);
    expect((await change(made.id, { delimiter: 'pipe' })).status).toBe(400);
    expect((await change(made.id, { sheet: 'None' })).status).toBe(400);
    const stock = (await change(made.id, { sheet: 'Stock', kind: 'available' })).body;
    expect([stock.kind, stock.plan.columns.length]).toEqual(['available', 2]);
    await post(made.id, '/run');
    expect(await ended(made.id)).toMatchObject({ state: 'complete', count: 1 });
  });

  it('of an old version, or behind a password, is refused with what to do', async () => {
    const old = await create(Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]), 'old.xls');
    expect([old.status, old.message]).toEqual([422, expect.stringContaining('Save it as .xlsx without a password')]);
  });
});
