import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { spawn as spawnPty } from '@lydell/node-pty';
import { makeProduct, makeSerials, PASSWORD, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { BIN, openTerminal } from '@tonerow/test-support/terminal.ts';
import { openRunner, readSteps, runSteps } from '@tonerow/test-support/workflow.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let home: string;
let ada: Person;
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUpVerified(server);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
  home = terminal.home;
  await makeProduct(server, ada.token, { name: 'Prism Delay', price: 99 });
});
afterAll(async () => {
  await terminal.close();
});

const environment = () => terminal.environment();
const tonerow = (...args: string[]) => terminal.tonerow(...args);
const json = (...args: string[]) => terminal.json(...args);
const file = (name: string) => terminal.file(name);

async function until(fits: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    if (fits()) return;
    await pause(50);
  }
  throw new Error(`never: ${what}`);
}

describe('serials at a terminal', () => {
  it('are imported: tried first, then for real, with the rejected lines in a file', async () => {
    await writeFile(
      file('codes.csv'),
      'Serial,Product\nIMP-0001,Prism Delay\nIMP-0002,prism delay\nIMP-0003,Nothing\n',
    );
    const tried = await tonerow('serials', 'import', 'available', file('codes.csv'), '--dry-run');
    expect([tried.code, tried.out]).toEqual([3, expect.stringContaining('Would add      2')]);
    expect((await json('serials', 'list')).length).toBe(0);
    const done = await tonerow('serials', 'import', 'available', file('codes.csv'), '--report', file('rejected.csv'));
    expect(done.code).toBe(3);
    expect(done.err).toContain('line 4: No product is named "Nothing".');
    expect(await readFile(file('rejected.csv'), 'utf8')).toContain('4,IMP-0003,');
    expect((await json('imports', 'list'))[0]).toMatchObject({ file_name: 'codes.csv', count: 2, rejected: 1 });
    const refused = await tonerow('serials', 'import', 'redeemed', file('codes.csv'));
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('The file has no column Email.')]);
    expect((await tonerow('serials', 'import', 'available', file('no-such.csv'))).err).toContain(
      'cannot be read (ENOENT)',
    );
    expect((await tonerow('serials', 'demo', 'redeemed')).out.split('\r\n')[0]).toContain('Purchase Date');
  });

  it('are exported, refreshed, revoked dry, and deleted by their group', async () => {
    await redeem(server, 'IMP-0001', 'nina@example.com', ada.id);
    const out = await tonerow('serials', 'export', 'redeemed');
    expect(out.out).toMatch(
      /^Redeem Date,First,Last,Email,Serial,Product,Total\n.*nina@example.com,IMP-0001,Prism Delay,99.00\n$/,
    );
    expect((await tonerow('serials', 'refresh', 'imp0001')).err).toContain('Refreshed IMP-0001');
    expect((await tonerow('serials', 'revoke', 'IMP-0001', '--dry-run')).out).toBe('1 would be changed.\n');
    expect((await json('serials', 'get', 'IMP-0001')).history.map((event: { kind: string }) => event.kind)).toEqual([
      'redeemed',
      'made',
    ]);
    const [batch] = await json('serials', 'batches');
    expect(batch).toMatchObject({ origin: 'import', quantity: 2, redeemed: 1, open: 1 });
    expect((await tonerow('serials', 'batch', batch.id, '--out', '-')).out.split('\r\n')).toHaveLength(4);
    expect((await tonerow('serials', 'revoke-batch', batch.id, '--dry-run')).out).toBe('1 serial would be revoked.\n');
    expect((await tonerow('serials', 'delete-group', 'Prism Delay', '--dry-run')).out).toBe(
      '1 serial would be deleted.\n',
    );
    const unasked = await tonerow('serials', 'delete-group', 'Prism Delay');
    expect([unasked.code, unasked.err]).toEqual([64, expect.stringContaining('--yes')]);
    expect((await tonerow('serials', 'delete-group', 'Prism Delay', '--yes')).out).toBe('1 serial deleted.\n');
    const product = await tonerow('products', 'delete', 'Prism Delay', '--force', '--dry-run');
    expect(product.out).toBe('Dry run: 0 serials deleted, 1 revoked.\n');
    expect(await json('products', 'get', 'Prism Delay')).toMatchObject({ name: 'Prism Delay' });
  });

  it('are watched as they are redeemed', async () => {
    const { id } = await json('products', 'get', 'Prism Delay');
    const [serial] = await makeSerials(server, ada.token, id, { quantity: 20 });
    const watching = terminal.running('serials', 'watch', '--count', '2');
    await until(() => watching.printed().includes('Watching'), 'watching');
    await redeem(server, serial?.code as string, 'live@example.com', ada.id);
    await writeFile(file('people.csv'), 'Email\na@example.com\n');
    await tonerow('customers', 'import', file('people.csv'));
    const { code, out } = await watching.ended;
    expect(code).toBe(0);
    const [redeemed, imported] = out.split('\n');
    expect(redeemed).toContain(`redeemed   ${serial?.code}  Prism Delay  Nina Simone <live@example.com>  $99.00`);
    expect(imported).toContain('customers complete: 1 added, 0 rejected');
  });
});

describe('figures and people at a terminal', () => {
  it('are the same as everywhere: analytics as tables, charts, CSV and JSON', async () => {
    const found = await json('analytics', '--range', '1w');
    expect(found.totals.redemptions).toBe(2);
    const text = (await tonerow('analytics', '--range', '1w')).out;
    expect(text).toContain('Redemptions  2\n');
    expect(text).toMatch(/Redemptions {2}▁{6}█\n/);
    expect((await tonerow('analytics', '--csv')).out).toMatch(
      /^Date \(UTC\),Product,Reseller,Redemptions,Revenue,Refunded\r\n/,
    );
    expect(await json('analytics', '--countries')).toEqual([{ country: null, count: 2 }]);
    expect((await json('analytics', '--country', 'de')).totals.redemptions).toBe(0);
    expect(text).toContain('Before       no earlier data');
    expect((await tonerow('analytics', '--report', 'stock', '--csv')).out).toMatch(
      /^Product,Available,Redeemed in 30 days,/,
    );
    expect((await json('analytics', '--report', 'batches')).rows.length).toBeGreaterThan(0);
    expect((await json('analytics', '--report', 'keys')).time_zone).toBe('UTC');
  });

  it('are listed, shown, exported, handed over and erased', async () => {
    expect((await json('customers', 'list', '--search', 'nina@')).map((each: { email: string }) => each.email)).toEqual(
      ['nina@example.com'],
    );
    expect((await tonerow('customers', 'get', 'nina@example.com')).out).toContain('IMP-0001');
    expect((await tonerow('customers', 'export')).out.split('\n')).toHaveLength(5);
    await tonerow('customers', 'data', 'nina@example.com', '--out', file('nina.json'));
    expect(JSON.parse(await readFile(file('nina.json'), 'utf8'))).toMatchObject({ email: 'nina@example.com' });
    expect((await tonerow('customers', 'erase', 'nina@example.com', '--dry-run')).out).toContain('serials kept: 1');
    expect((await tonerow('customers', 'erase', 'nina@example.com', '--yes')).out).toBe('Customer erased.\n');
    expect((await json('search', 'nina@')).customers).toEqual([]);
  });
});

describe('a support desk at a terminal', () => {
  it('gives a serial to somebody else after a look, and shows lists as a view has them', async () => {
    const sold = await makeProduct(server, ada.token, { name: 'Sold On', price: 10 });
    const [serial] = await makeSerials(server, ada.token, sold.id, { quantity: 2, expires_at: '2999-01-01' });
    const code = serial?.code as string;
    await redeem(server, code, 'seller@example.com', ada.id);
    const tried = await tonerow('serials', 'transfer', code, 'otis@example.com', '--dry-run');
    expect(tried.out).toContain('would move from seller@example.com to otis@example.com');
    const moved = await tonerow('serials', 'transfer', code, 'otis@example.com', '--first', 'Otis', '--yes');
    expect([moved.code, moved.err]).toEqual([0, expect.stringContaining('belongs to otis@example.com now')]);
    const [batch] = await json('serials', 'batches', '--search', 'Sold On');
    const extended = await tonerow('serials', 'extend', batch.id, '--expires', 'never');
    expect(extended.err).toContain('can be redeemed for good');
    const old = 'dateRange=2020-01-01_to_2020-01-02';
    await tonerow('views', 'save', 'Long ago', '--list', 'redeemed', '--filter', `product=${sold.id}`, '--filter', old);
    expect(await json('serials', 'redeemed', '--view', 'Long ago')).toEqual([]);
    expect(await json('serials', 'redeemed', '--view', 'Long ago', '--range', 'all')).toHaveLength(1);
    await tonerow('views', 'save', 'Sold on', '--list', 'redeemed', '--filter', `product=${sold.id}`);
    expect((await tonerow('views', 'list')).out).toContain(`product=${sold.id}`);
    const shown = await json('serials', 'redeemed', '--view', 'sold ON');
    expect(shown.map(({ email }: { email: string }) => email)).toEqual(['otis@example.com']);
    expect((await tonerow('serials', 'stock-choices', '--products', sold.id)).out).toContain('redeemed');
    const left = ['serials', 'change-matching', 'delete', '--products', sold.id, '--status', 'available'];
    expect((await tonerow(...left, '--yes')).err).toContain('Changed 1 serial.');
    expect(await tonerow('views', 'delete', 'Sold on', '--yes')).toMatchObject({ code: 0 });
    expect((await tonerow('serials', 'redeemed', '--view', 'Sold on')).err).toContain('You have no view "Sold on"');
  });
});

describe('files at a terminal', () => {
  it('resume where a broken upload ended', async () => {
    const bytes = randomBytes(20 * 1024 * 1024 + 17);
    await writeFile(file('installer.zip'), bytes);
    const first = terminal.start(['files', 'upload', file('installer.zip')]);
    const received = 'select received::int from files where developer_id = $1';
    for (let tries = 0; tries < 400; tries += 1) {
      const [row] = await server.db.query<{ received: number }>(received, [ada.id]);
      if ((row?.received ?? 0) > 0) break;
      await pause(10);
    }
    first.child.kill('SIGKILL');
    await first.ended;
    const stored = await json('files', 'upload', file('installer.zip'));
    expect(stored).toMatchObject({ name: 'installer.zip', size: bytes.length, complete: true });
    expect(await server.db.query(received, [ada.id])).toHaveLength(1);
    await tonerow('files', 'download', stored.id, '--out', file('back.zip'));
    const sum = (data: Buffer) => createHash('sha256').update(data).digest('hex');
    expect(sum(await readFile(file('back.zip')))).toBe(sum(bytes));
    const made = await json('products', 'create', 'With file', '--file', `Mac=${stored.url}`);
    expect(made.file_urls).toEqual([{ name: 'Mac', url: stored.url }]);
    expect((await tonerow('files', 'delete', stored.id, '--yes')).code).toBe(1);
    await tonerow('products', 'delete', 'With file', '--yes');
    expect((await tonerow('files', 'delete', stored.id, '--yes')).code).toBe(0);
  });
});

describe('the account at a terminal', () => {
  it('has settings, a plan and a second factor', async () => {
    expect(await json('account', 'set', '--time-zone', 'Europe/Berlin', '--notify-redemptions', 'off')).toMatchObject({
      time_zone: 'Europe/Berlin',
      notify_redemptions: false,
    });
    expect((await tonerow('account', 'set', '--notify-redemptions', 'perhaps')).code).toBe(64);
    expect((await tonerow('account', 'plan')).out).toContain('3 of 50 free');
    expect((await json('plans')).length).toBe(4);
    expect((await tonerow('account', 'two-factor')).out).toContain('off');
    await writeFile(file('password'), `${PASSWORD}\n`);
    const unasked = await tonerow('account', 'enable-two-factor', '--password-file', file('password'));
    expect([unasked.code, unasked.err]).toEqual([64, expect.stringContaining('otpauth://totp/')]);
  });
});

describe('the terminal client', () => {
  it('browses products and serials, finds, revokes after asking, and shows redemptions as they arrive', async () => {
    const { id } = await json('products', 'get', 'Prism Delay');
    const [serial, other] = await makeSerials(server, ada.token, id, { quantity: 2, prefix: 'TUIX' });
    const terminal = spawnPty(process.execPath, [BIN, 'ui'], { env: environment(), cols: 120, rows: 30, cwd: home });
    let screen = '';
    terminal.onData((text) => {
      screen += text;
    });
    const ended = new Promise<number>((resolve) => terminal.onExit(({ exitCode }) => resolve(exitCode)));
    const see = (text: string) => until(() => screen.includes(text), `${text} in\n${screen.slice(-2000)}`);
    const press = (keys: string) => {
      screen = '';
      terminal.write(keys);
    };
    await see('Prism Delay');
    press('5');
    await see('Waiting for redemptions');
    press('3');
    await see('TUIX-');
    press('/');
    await see('Search:');
    press(serial?.code as string);
    await see(serial?.code as string);
    press('\r');
    await see(`Search: ${serial?.code} (esc clears it)`);
    // the one that was found is there, and not only the others no longer
    const found = () => screen.slice(screen.lastIndexOf('■ Tonerow'));
    await until(() => found().includes('available') && !found().includes(other?.code as string), 'only one');
    press('r');
    await see(`Revoke ${serial?.code}? y/N`);
    press('y');
    await see(`Revoked ${serial?.code}`);
    expect((await json('serials', 'get', serial?.id as string)).revoked).toBe(true);
    press('5');
    // after the revocation, few enough may be left to be printed here
    await see('\u001b[7m 5 Live');
    await redeem(server, other?.code as string, 'tui@example.com', ada.id);
    await see('tui@example.com');
    press('q');
    expect(await ended).toBe(0);
  });

  it('reports that it needs a terminal where there is none', async () => {
    const { code, err } = await tonerow('ui');
    expect([code, err]).toEqual([64, expect.stringContaining('This requires a terminal.')]);
  });
});

describe('the documented workflow', { timeout: 180_000 }, () => {
  it('installs the packed client, generates a batch once however often it runs, and leaves the CSV', async () => {
    const steps = await readSteps('docs/examples/generate-batch.yml', 'generate');
    const job = {
      ...(await openRunner(terminal)),
      PRODUCT: 'Prism Delay',
      QUANTITY: '25',
      TAG: 'Nightly build',
      GITHUB_RUN_ID: '4711',
    };
    for (let attempt = 1; attempt <= 2; attempt += 1) await runSteps(steps, job, home);
    const attached = steps.at(-1)?.with?.path as string;
    expect((await readFile(file(attached), 'utf8')).split('\r\n')).toHaveLength(27);
    expect(await readFile(file('summary.md'), 'utf8')).toContain('25 serials for Prism Delay');
    expect(await json('serials', 'batches', '--search', 'nightly')).toHaveLength(1);
  });
});
