import { writeFile } from 'node:fs/promises';
import { call, makeProduct, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, expect, it } from 'vitest';

let server: SharedServer;
let ada: Person;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  await makeProduct(server, ada.token, { name: 'Chorus', price: 20 });
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
});
afterAll(() => terminal.close());

async function file(name: string, text: string): Promise<string> {
  const place = terminal.file(name);
  await writeFile(place, text);
  return place;
}

const codes = async () => {
  const { rows } = (await call(server, 'GET', '/api/serials/redeemed', { token: ada.token })).body;
  return rows.map((row: { code: string; total: number }) => [row.code, row.total]);
};

it('imports a file of another system in one command, and takes it back', async () => {
  const sales = await file(
    'sales.csv',
    'Bestellung;Kaufdatum;E-Mail;Lizenzschlüssel;Produkt;Preis\r\n1;31.12.2024;a@example.com;CLI-0001;Chorus;49,50\r\n',
  );
  const tried = await terminal.tonerow('import', sales, '--dry-run');
  expect([tried.code, tried.out, await codes()]).toEqual([0, '1 of 1 line would be imported.\n', []]);
  expect(await terminal.json('imports', 'list')).toEqual([]);
  const done = await terminal.tonerow('import', sales, '--yes');
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('Bestellung: not used')]);
  expect(await codes()).toEqual([['CLI-0001', 49.5]]);
  const id = /Import\s+(\S+)/.exec(done.out)?.[1] as string;
  const look = await terminal.tonerow('imports', 'undo', id, '--dry-run');
  expect([look.code, look.out]).toEqual([0, 'Nothing prevents it.\n']);
  const undone = await terminal.tonerow('imports', 'undo', id, '--yes');
  expect([undone.code, undone.err]).toEqual([0, expect.stringContaining('sales.csv was taken back.')]);
  expect(await codes()).toEqual([]);
});

it('reads a file as it is asked to, and prints how it did', async () => {
  const latin = await file('latin.csv', 'Key|Product|Country,Note\nCLI-0009|Chorus|x,y\n');
  const found = await terminal.tonerow('import', latin, '--dry-run');
  expect(found.err).toContain('Read as utf-8, with a pipe between cells.');
  const told = ['--delimiter', 'comma', '--encoding', 'windows-1252', '--set', 'handed-out=yes', '--dry-run'];
  const other = await terminal.tonerow('import', latin, ...told);
  expect(other.err).toContain('Read as windows-1252, with a comma between cells.');
  const sold = await terminal.tonerow('import', latin, '--set', 'handed-out=yes', '--yes');
  expect([sold.code, sold.err]).toEqual([0, expect.stringContaining('Key: Serial')]);
  expect((await terminal.json('serials', 'available')).length ?? 0).toBe(0);
  const wrong = await terminal.tonerow('import', latin, '--sheet', 'Sales', '--dry-run');
  expect([wrong.code === 0, wrong.err]).toEqual([false, expect.stringContaining('This file has no sheets.')]);
});

it('ends with the open questions, and goes on with the answers', async () => {
  const sales = await file('open.csv', 'Key,E-mail,Amount,Day\nCLI-0002,a@example.com,"41,597",03/04/2024\n');
  const tried = await terminal.tonerow('import', sales, '--dry-run');
  expect([tried.code, tried.err]).toEqual([2, expect.stringContaining('Nothing was imported yet.')]);
  // each question names what answers it
  for (const question of tried.err.split('Nothing was imported yet.\n')[1]?.split('\n').slice(0, -2) ?? [])
    expect(question).toMatch(/\(--[a-z-]+ .+\)$/);
  expect(tried.err).not.toContain('The file waits');
  const asked = await terminal.tonerow('import', sales, '--yes');
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('No column has the product.')]);
  expect(asked.err).toContain('Set decimal to point or comma.');
  const unpriced = await file('unpriced.csv', 'Key,E-mail,Product\nCLI-0004,a@example.com,Chorus\n');
  const figures = await terminal.tonerow('import', unpriced, '--dry-run');
  expect([figures.code, figures.err]).toEqual([2, expect.stringContaining('1 sale is $20.00. Choose')]);
  const answers = ['--product', 'Chorus', '--map', 'Day=Purchase Date', '--decimal', 'point', '--date-order', 'dmy'];
  const done = await terminal.tonerow('import', sales, ...answers, '--yes');
  expect([done.code, done.err]).toEqual([0, expect.not.stringContaining('No column')]);
  expect(await codes()).toEqual([['CLI-0002', 41597]]);
});

it('leaves no file behind where it was told something wrong, or nobody could be asked', async () => {
  const waiting = async () =>
    (await call(server, 'GET', '/api/imports', { token: ada.token })).body.filter(
      ({ state, file_name }: { state: string; file_name: string }) => state === 'open' && file_name === 'wrong.csv',
    );
  const sales = await file('wrong.csv', 'Key,E-mail,Paid,Item,Day\nCLI-0003,a@example.com,20.00,CH1,2025-04-03\n');
  const run = (...more: string[]) => terminal.tonerow('import', sales, '--map', 'Day=purchase_date', ...more);
  const unknownHead = await run('--map', 'Nothing=Serial', '--yes');
  expect([unknownHead.code, unknownHead.err]).toEqual([
    64,
    expect.stringContaining('The file has no column "Nothing".'),
  ]);
  const unknownField = await run('--map', 'Paid=Money', '--yes');
  expect([unknownField.code, unknownField.err]).toEqual([
    64,
    expect.stringMatching(/--map "Paid=Money": a column can be Serial, .*Total Price/),
  ]);
  const unnamed = await run();
  expect([unnamed.code, unnamed.err]).toEqual([
    64,
    expect.stringContaining(
      '1 line, such as line 2: No product is named "CH1".\n  --rename "NAME IN THE FILE=PRODUCT"',
    ),
  ]);
  expect(await waiting()).toEqual([]);
  const done = await run('--rename', 'CH1=Chorus', '--yes');
  expect([done.code, done.err]).toEqual([0, expect.not.stringContaining('CH1')]);
});

it('asks about lines without a price, and does not offer one price for all', async () => {
  const sales = await file(
    'gaps.csv',
    'Key,Product,E-mail,Amount,Date\nGAP-0001,Chorus,a@example.com,10.00,2025-01-10\nGAP-0002,Chorus,b@example.com,,2025-01-10\n',
  );
  const asked = await terminal.tonerow('import', sales, '--yes', '--dry-run');
  expect([asked.code, asked.err]).toEqual([2, expect.stringMatching(/1 line has no price\. .+ \(--price current\)$/m)]);
  const done = await terminal.tonerow('import', sales, '--price', 'current', '--dry-run');
  expect([done.code, done.err]).toEqual([0, expect.not.stringContaining('no price')]);
});

it('corrects an import by a file, with its differences first, and proves what is here', async () => {
  const head = 'Key,Product,E-mail,Amount,Date\n';
  const first = await file('first.csv', `${head}FIX-0001,Chorus,a@example.com,10.00,2025-01-10\n`);
  const made = await terminal.tonerow('import', first, '--yes');
  const id = /Import\s+(\S+)/.exec(made.out)?.[1] as string;
  const corrected = await file('corrected.csv', `${head}FIX-0001,Chorus,a@example.com,49.50,2025-01-10\n`);
  const done = await terminal.tonerow('import', corrected, '--update', id, '--yes');
  expect([done.code, done.err]).toEqual([0, expect.stringContaining('FIX-0001: Total Price 10 → 49.5')]);
  expect(await codes()).toContainEqual(['FIX-0001', 49.5]);
  expect(await codes()).not.toContainEqual(['FIX-0001', 10]);
  const next = /Import\s+(\S+)/.exec(done.out)?.[1] as string;
  const proof = await terminal.tonerow('imports', 'proof', next);
  expect([proof.code, proof.out]).toEqual([0, expect.stringContaining('1 of 1 serial, $49.50 of $49.50')]);
  expect(proof.err).toContain('Everything is here.');
  const gone = await terminal.tonerow('imports', 'proof', id);
  expect(gone.out).toContain('1 no longer here');
});

it('asks about ends of licenses', async () => {
  const keys = await file(
    'keys.csv',
    'Key,Product,E-mail,Amount,Date,Expires\nEND-9001,Chorus,a@example.com,10.00,2020-01-10,2021-01-10\n',
  );
  const asked = await terminal.tonerow('import', keys, '--yes');
  expect([asked.code, asked.err]).toEqual([2, expect.stringContaining('The file has ends of licenses')]);
  expect((await terminal.tonerow('import', keys, '--ends', 'revoke', '--yes')).code).toBe(0);
});
