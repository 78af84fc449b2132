import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { importCalls } from '@tonerow/test-support/import-calls.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';

// Nothing in a file is guessed in silence: what is not used is named, and what can be read in two ways is refused with what settles it.

let server: SharedServer;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
});
beforeEach(async () => {
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
});

const { send, countSerials } = importCalls(() => ({ server, ada }));

const sold = async () => {
  const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
  return rows.map((row: Record<string, unknown>) => [row.code, row.total, row.redeemed_at]);
};

describe('the answer', () => {
  it('names every column that nothing was done with, and so does the protocol', async () => {
    const { body } = await send(
      'redeemed',
      'Serial,Product,Email,Price,Order Date,\nCOL-1,Chorus,a@example.com,5.00,2024-01-01,\n',
    );
    expect(body).toMatchObject({ count: 1, unused_columns: ['Price', 'Order Date', 'Column 6'] });
    const found = await call(server, 'GET', `/api/imports/${body.import_id}`, { token: ada.token });
    expect(found.body).toMatchObject({ unused_columns: ['Price', 'Order Date', 'Column 6'], plan: null });
  });

  it('refuses lines that have more cells than the first line has columns', async () => {
    const { body } = await send(
      'redeemed',
      'Serial,Product,Email\nCELL-1,Chorus,a@example.com,,\nCELL-2,Chorus, Deluxe,a@example.com\n',
    );
    expect(body).toMatchObject({
      count: 1,
      warnings: [{ line: 3, reason: expect.stringContaining('The line has 4 cells, and the first line only 3.') }],
    });
  });

  it('refuses a file with two columns for the same', async () => {
    const { status, body } = await send(
      'redeemed',
      'Serial,Product,Email,email\nTWO-1,Chorus,a@example.com,b@example.com\n',
    );
    expect([status, body.message]).toEqual([
      422,
      'The file has two columns for Email: "Email" and "email". Rename or remove one of them.',
    ]);
  });

  it('refuses what a spreadsheet has damaged, and explains what happened to it', async () => {
    const { body } = await send(
      'redeemed',
      'Serial,Product,Email\n8.93E+18,Chorus,a@example.com\n#NAME?,Chorus,a@example.com\n"=""0042-X""",Chorus,a@example.com\n',
    );
    expect(body.warnings.map((each: { reason: string }) => each.reason)).toEqual([
      expect.stringContaining('a spreadsheet shortened it'),
      expect.stringContaining('the error #NAME? of a spreadsheet'),
    ]);
    expect((await sold())[0][0]).toBe('0042-X');
  });
});

describe('prices', () => {
  const HEAD = 'Serial,Product,Email,Total Price,Purchase Date\n';
  const line = (code: string, price: string, date = '2024-01-01') =>
    `${code},Chorus,a@example.com,"${price}",${date}\n`;

  it('are read by what the column as a whole shows, wherever that is', async () => {
    const { body } = await send(
      'redeemed',
      HEAD + line('PR-1', '41,597') + line('PR-2', '1.041,50') + line('PR-3', '49,50'),
    );
    expect(body).toMatchObject({
      count: 2,
      warnings: [{ line: 2, reason: 'Total Price has more than two decimals: "41,597".' }],
    });
    expect((await sold()).map(([code, total]: unknown[]) => [code, total])).toEqual([
      ['PR-3', 49.5],
      ['PR-2', 1041.5],
    ]);
  });

  it('that can be read in two ways are refused with the parameter that settles it', async () => {
    const csv = HEAD + line('PR-1', '41,597') + line('PR-2', '12');
    const refused = await send('redeemed', csv);
    expect([refused.status, refused.body.code]).toEqual([422, 'csv_unusable']);
    expect(refused.body.errors).toEqual([
      { path: 'decimal', message: expect.stringContaining('"41,597" is thousands') },
    ]);
    expect(await countSerials()).toBe(0);
    expect((await send('redeemed', csv, '?decimal=point')).body).toMatchObject({ count: 2 });
    expect((await sold()).map(([code, total]: unknown[]) => [code, total])).toContainEqual(['PR-1', 41597]);
  });

  it('of which some have a comma and some a point are refused, too', async () => {
    const csv = HEAD + line('PR-1', '1,50') + line('PR-2', '1.50');
    expect((await send('redeemed', csv)).body.errors).toMatchObject([{ path: 'decimal' }]);
    expect((await send('redeemed', csv, '?decimal=comma')).body).toMatchObject({
      count: 1,
      warnings: [{ line: 3, reason: 'Total Price is not a price: "1.50".' }],
    });
  });
});

describe('dates', () => {
  const HEAD = 'Serial,Product,Email,Purchase Date\n';
  const line = (code: string, date: string) => `${code},Chorus,a@example.com,"${date}"\n`;

  it('are read by what the column as a whole shows', async () => {
    await send('redeemed', HEAD + line('DA-1', '03/04/2024') + line('DA-2', '31/12/2024 18:00'));
    expect(await sold()).toEqual([
      ['DA-2', 20, '2024-12-31T18:00:00.000Z'],
      ['DA-1', 20, '2024-04-03T00:00:00.000Z'],
    ]);
  });

  it('that can be read in two ways are refused with the parameter that settles it', async () => {
    const csv = HEAD + line('DA-1', '03/04/2024');
    expect((await send('redeemed', csv)).body.errors).toMatchObject([{ path: 'date_order' }]);
    expect((await send('redeemed', csv, '?date_order=mdy')).body.count).toBe(1);
    expect((await sold())[0][2]).toBe('2024-03-04T00:00:00.000Z');
  });

  it('with an offset or a zone are these moments, and without are on the account’s clock', async () => {
    const set = { token: ada.token, body: { time_zone: 'Europe/Berlin' } };
    expect((await call(server, 'PUT', '/api/account/settings', set)).status).toBe(200);
    const { body } = await send(
      'redeemed',
      HEAD +
        line('DA-1', '2024-05-01 10:33:11 -0400') +
        line('DA-2', '2024-05-01 10:00 UTC') +
        line('DA-3', '2024-05-01 10:00') +
        line('DA-4', '2024-05-01 10:00 America/New_York'),
    );
    expect(body).toMatchObject({ count: 4 });
    expect((await sold()).map((row: unknown[]) => row[2])).toEqual([
      '2024-05-01T14:33:11.000Z',
      '2024-05-01T14:00:00.000Z',
      '2024-05-01T10:00:00.000Z',
      '2024-05-01T08:00:00.000Z',
    ]);
  });
});

it('reads Windows-1252, pipes and UTF-16, and asks only where the file does not show', async () => {
  const latin = Buffer.from('Email|First Name\nj@example.com|J\xfcrgen\n', 'latin1');
  expect((await send('customers', latin)).body.message).toContain('encoding to windows-1252');
  expect((await send('customers', latin, '?encoding=windows-1252')).body).toMatchObject({ count: 1 });
  const wide = Buffer.from('\ufeffEmail\tFirst Name\r\nk@example.com\tJörg\r\n', 'utf16le');
  expect((await send('customers', wide)).body).toMatchObject({ count: 1 });
  const { customers } = (await call(server, 'GET', '/api/customers/list', { token: ada.token })).body;
  expect(customers.map((each: { first_name: string }) => each.first_name).sort()).toEqual(['Jörg', 'Jürgen']);
});

it('takes our own exports back without loss', async () => {
  await send(
    'redeemed',
    'Serial,Product,First Name,Last Name,Email,Total Price,Purchase Date\nOUT-1,Chorus,Nina,Simone,nina@example.com,15.50,2024-05-01 18:30\n',
  );
  const accept = { accept: 'text/csv' };
  const { text } = await call(server, 'GET', '/api/serials/redeemed', { token: ada.token, headers: accept });
  const eve = await signUp(server);
  await makeProduct(server, eve.token, { name: 'Chorus' });
  const { body } = await send('redeemed', text, '', eve.token);
  expect(body).toMatchObject({ count: 1, unused_columns: [] });
  const again = await call(server, 'GET', '/api/serials/redeemed', { token: eve.token, headers: accept });
  expect(again.text).toBe(text);
});
