import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { call, makeProduct, type Person, redeem, signUp } from '../../../../../test/support/http.ts';
import { lockWith } from '../../../../../test/support/lock-with.ts';
import { startServer, type TestServer } from '../../../../../test/support/server.ts';
import { systemClock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/random.ts';
import { folderStorage } from '../../platform/storage/folder.ts';

let server: TestServer;
let ada: Person;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Tape; "Delay"', price: 30 });
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20, sale_price: 10 });
});

const PATHS = {
  available: '/api/serials/import-available',
  redeemed: '/api/serials/import-redeemed',
  customers: '/api/customers/import/',
};

async function send(kind: keyof typeof PATHS, csv: string | Buffer, query = '', token = ada.token) {
  const form = new FormData();
  form.append('file', new Blob([csv as string], { type: 'text/csv' }), 'serials.csv');
  return call(server, 'POST', PATHS[kind] + query, { token, body: form });
}

const countSerials = async () =>
  (await server.db.query<{ n: number }>('select count(*)::int as n from serials where developer_id = $1', [ada.id]))[0]
    ?.n;

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
    // what a spreadsheet would run was escaped on its way out, is itself inside, and goes out harmless again
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
      'BBBB-3,Chorus,,,03/04/2027,,,',
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
    const nothing = await call(server, 'POST', PATHS.available, { token: ada.token, body: new FormData() });
    expect(nothing.status).toBe(400);
    const json = await call(server, 'POST', PATHS.available, { token: ada.token, body: {} });
    expect(json.status).toBe(415);
  });
});

/** Sends a multipart body by hand: all of it, part of it, or without end. */
function raw(body: AsyncIterable<Buffer> | Iterable<Buffer>, options: { length?: number; cut?: boolean } = {}) {
  return new Promise<{ status: number; text: string } | Error>((resolve) => {
    const request = httpRequest(`${server.url}${PATHS.available}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ada.token}`,
        'content-type': 'multipart/form-data; boundary=xyz',
        ...(options.length ? { 'content-length': options.length } : {}),
      },
    });
    request.on('error', resolve);
    request.on('response', (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
      response.on('error', resolve);
    });
    const pour = async () => {
      for await (const chunk of body) {
        if (request.destroyed) return;
        if (!request.write(chunk)) await new Promise((go) => request.once('drain', go).once('close', go));
      }
      if (options.cut) request.destroy();
      else request.end();
    };
    pour().catch(resolve);
  });
}

const OPENING = Buffer.from(
  '--xyz\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\ncontent-type: text/csv\r\n\r\nSerial,Product\r\n',
);

async function importOf(developerId: string) {
  const rows = await server.db.query<{ state: string; error: string | null }>(
    'select state, error from imports where developer_id = $1 order by id desc limit 1',
    [developerId],
  );
  return rows[0];
}

describe('bad moments', () => {
  it('a connection that is cut in the middle leaves nothing', async () => {
    await raw(
      (async function* () {
        yield OPENING;
        yield Buffer.from(Array.from({ length: 20_000 }, (_, i) => `CUT-${i},Chorus\r\n`).join(''));
        await vi.waitUntil(async () => (await importOf(ada.id))?.state === 'running');
      })(),
      { cut: true },
    );
    await expect
      .poll(() => importOf(ada.id), { timeout: 5000 })
      .toEqual({ state: 'failed', error: 'The upload was interrupted. Nothing was imported.' });
    expect(await countSerials()).toBe(0);
  });

  it('a body that ends before its form does is refused and leaves nothing', async () => {
    const rows = Buffer.from('END-1,Chorus\r\nEND-2,Chorus\r\n');
    const answer = await raw([OPENING, rows], { length: OPENING.length + rows.length });
    expect((answer as { status: number }).status).toBe(400);
    expect(await countSerials()).toBe(0);
  });

  it('an import whose report cannot be stored is rolled back and reports that', async () => {
    const folder = folderStorage(await mkdtemp(path.join(tmpdir(), 'tonerow-files-')), systemRandom(systemClock));
    const storage = { ...folder, put: () => Promise.reject(new Error('the storage is full')) };
    const full = await startServer({ db: server.db, overrides: { storage } });
    const form = new FormData();
    form.append('file', new Blob(['Serial,Product\nKEPT-0001,Chorus\nKEPT-0002,Nobody knows it\n']), 'a.csv');
    const answer = await call(full, 'POST', PATHS.available, { token: ada.token, body: form });
    expect(answer.status).toBe(500);
    const { body } = await call(full, 'GET', '/api/imports', { token: ada.token });
    expect(body[0]).toMatchObject({ state: 'failed', error: 'The server failed. Nothing was imported.' });
    expect(await countSerials()).toBe(0);
    await full.stop();
  });

  it('a form that is none is refused', async () => {
    for (const [type, body] of [
      ['multipart/form-data', 'a'],
      ['multipart/form-data; boundary=x', '--x\r\nnonsense'],
    ] as const) {
      for (const path of [PATHS.available, '/api/r2/upload-image', '/api/auth/register']) {
        const answer = await call(server, 'POST', path, { token: ada.token, body, headers: { 'content-type': type } });
        expect([path, answer.status, answer.body.code]).toEqual([path, 400, 'malformed_body']);
      }
    }
  });

  it('a name with characters that cannot be stored is kept without them', async () => {
    const body =
      '--x\r\ncontent-disposition: form-data; name="file"; filename="a\u0000\u0007b.csv"\r\n\r\nEmail\nnul@example.com\n\r\n--x--\r\n';
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const answer = await call(server, 'POST', '/api/customers/import', { token: ada.token, body, headers });
    expect(answer.body).toMatchObject({ success: true, count: 1 });
    const listed = await call(server, 'GET', '/api/imports', { token: ada.token });
    expect(listed.body[0].file_name).toBe('ab.csv');
  });

  it('a line without end is refused early, in little memory', async () => {
    const before = process.memoryUsage().rss;
    let sent = 0;
    const answer = await raw(
      (async function* () {
        yield OPENING;
        const block = Buffer.alloc(1024 * 1024, 'x');
        // two gigabytes if read to the end
        for (; sent < 2048; sent += 1) yield block;
      })(),
    );
    if (!(answer instanceof Error)) {
      expect(answer.status).toBe(422);
      expect(answer.text).toContain('Line 2 is longer than 64 kB');
    }
    expect(sent).toBeLessThan(200);
    expect((process.memoryUsage().rss - before) / 1024 / 1024).toBeLessThan(300);
    expect(await countSerials()).toBe(0);
  });
});

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

describe('what is deleted while the file is on its way', () => {
  const files = {
    available: 'Serial,Product\nDEL-1,Chorus\nDEL-2,"Tape; ""Delay"""\n',
    redeemed: 'Serial,Product,Email\nDEL-1,Chorus,a@example.com\nDEL-2,"Tape; ""Delay""",a@example.com\n',
  };

  it.each(['available', 'redeemed'] as const)('leaves the lines of its product out of %s serials', async (kind) => {
    for (const [name, how] of [
      ['chorus', 'delete from products p using held where p.id = held.id'],
      ['tape; "delay"', 'update products p set deleted_at = now() from held where p.id = held.id'],
    ] as const) {
      const held = 'with held as (select id from products where developer_id = $1 and name_key = $2 for update)';
      const deleting = await lockWith(server.db, `${held} ${how}`, [ada.id, name]);
      const sent = send(kind, files[kind]);
      await deleting.untilWaiting(1);
      await deleting.release('commit');
      const { status, body } = await sent;
      expect([status, body.count, body.rejected]).toEqual([200, name === 'chorus' ? 1 : 0, name === 'chorus' ? 1 : 2]);
      expect(body.warnings[0].reason).toMatch(/^No product is named "/);
    }
  });

  it('is nothing at all when that is the account', async () => {
    const held = 'with held as (select id from users where id = $1 for update)';
    const gone = `${held} update users u set deleted_at = now() from held where u.id = held.id`;
    const deleting = await lockWith(server.db, gone, [ada.id]);
    const sent = send('customers', 'Email\nlate@example.com\n');
    await deleting.untilWaiting(1).finally(() => deleting.release('commit'));
    expect((await sent).status).toBe(401);
    expect(await server.db.query('select 1 from customers where developer_id = $1', [ada.id])).toEqual([]);
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
