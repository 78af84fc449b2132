import { hash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { call, makeProduct, makeSerials, type Person, signUpVerified } from '@tonerow/test-support/http.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let files: Server;
let ada: Person;
const records = new Map<string, string[]>();

beforeAll(async () => {
  const dns = { cname: async (host: string) => records.get(host) ?? [] };
  server = await startServer({ overrides: { dns }, env: { TONEROW_DOMAIN_TARGET: 'pages.tonerow.example' } });
  ada = await signUpVerified(server);
  terminal = await openTerminal(() => ({ TONEROW_URL: server.url, TONEROW_TOKEN: ada.token }));
  files = createServer((_request, response) => response.end('an installer'));
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  files.close();
  await server.stop();
  await terminal.close();
});

describe('the redemption page from a terminal', () => {
  it('is branded, looked at as customers see it, and reset', async () => {
    const { tonerow, json } = terminal;
    const set = await json('branding', 'set', '--color', '#0f766e', '--dark', 'on', '--customer-emails', 'off');
    expect(set).toMatchObject({ brand_color: '#0f766e', dark_mode: true, send_customer_emails: false });
    const preview = await json('branding', 'preview');
    expect(preview).toMatchObject({ brand_color: '#0f766e', user_id: ada.id });
    expect(preview).not.toHaveProperty('send_customer_emails');
    expect((await tonerow('branding', 'set', '--color', 'teal')).code).toBe(1);
    expect((await tonerow('branding', 'set')).code).toBe(64);
    expect(await json('branding', 'reset', '--yes')).toMatchObject({ brand_color: '#9a04bf', dark_mode: false });
    await json('branding', 'set', '--customer-emails', 'on');
  });

  it('moves to a custom domain once DNS points to it', async () => {
    const { tonerow, json } = terminal;
    const waiting = await tonerow('domains', 'add', 'app.row.example');
    expect(waiting.out).toBe('Domain activation failed. Make sure DNS is pointed correctly.\n');
    expect(waiting.err).toContain('app.row.example → pages.tonerow.example');
    expect((await tonerow('domains', 'status')).out).toBe('app.row.example: registered, awaiting verification\n');
    records.set('app.row.example', ['pages.tonerow.example']);
    expect(await json('domains', 'add', 'app.row.example')).toMatchObject({ verified: true });
    expect((await tonerow('domains', 'status')).out).toBe('app.row.example: verified\n');
    expect(await json('branding', 'preview', '--host', 'app.row.example')).toMatchObject({ user_id: ada.id });
    expect((await tonerow('domains', 'add', 'localhost')).err).toContain('Invalid domain format.');
    expect((await tonerow('domains', 'remove', '--yes')).code).toBe(0);
    expect((await tonerow('branding', 'preview', '--host', 'app.row.example')).code).toBe(1);
  });
});

describe('a musician at a terminal', () => {
  it('redeems, downloads, finds everything again by email, and frees a seat', async () => {
    const { tonerow, json, file } = terminal;
    const link = `http://127.0.0.1:${(files.address() as AddressInfo).port}/mac.dmg`;
    const product = await makeProduct(server, ada.token, { file_urls: [{ name: 'Mac', url: link }] });
    const [serial] = await makeSerials(server, ada.token, product.id);
    const person = ['--email', 'nina@example.com', '--first-name', 'Nina', '--last-name', 'Simone', '--dev', ada.id];
    const code = String(serial?.code).toLowerCase().replaceAll('-', ' ');
    const redeemed = await json('redeem', code, ...person, '--language', 'fr');
    await writeFile(file('token'), redeemed.download_token);
    await tonerow('downloads', 'get', 'Mac', '--token-file', file('token'), '--out', file('mac.dmg'));
    expect(await readFile(file('mac.dmg'), 'utf8')).toBe('an installer');
    expect((await tonerow('downloads', 'list', '--token-file', file('token'))).out).toContain('1/5');
    const email = await server.email((email) => email.to?.[0]?.address === 'nina@example.com');
    expect(email.text).toContain(serial?.code);
    expect(email.subject).toMatch(/ est à vous$/);

    const key = (await json('keys', 'create')).plaintext;
    await call(server, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { license_key: serial?.code, machine_id: 'studio-mac' },
    });
    const asked = await tonerow('downloads', 'find', 'nina@example.com', '--dev', ada.id);
    expect((await tonerow('downloads', 'find', 'nobody@example.com', '--dev', ada.id)).err).toBe(asked.err);
    const message = await server.email((each) => /open=/.test(each.text ?? ''));
    const token = /open=([^\s&]+)/.exec(message.text ?? '')?.[1] as string;
    const found = await json('downloads', 'open', token);
    expect(found.products).toHaveLength(1);
    const [machine] = Object.values(found.machines as Record<string, { id: string }[]>).flat();
    expect((await tonerow('downloads', 'release', token, machine?.id as string)).err).toBe(
      'The seat has been released.\n',
    );
    expect(Object.values((await json('downloads', 'open', token)).machines).flat()).toEqual([]);

    const mine = serial?.code as string;
    const secret = 'f0'.repeat(32);
    const [{ id, product_id } = {}] = await server.db.query<{ id: string; product_id: string }>(
      `select s.id, b.product_id from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id) where s.developer_id = $1 and s.code = $2`,
      [ada.id, mine],
    );
    const machineFile = { machine_id: 'studio-b', release_hash: hash('sha256', secret) };
    await writeFile(terminal.file('machine.json'), JSON.stringify(machineFile));
    await writeFile(terminal.file('release.json'), JSON.stringify({ release: secret, serial_id: id, product_id }));
    const offline = await tonerow('downloads', 'offline', token, mine, terminal.file('machine.json'));
    expect(offline.out).toContain('BEGIN TONEROW LICENSE');
    const released = await tonerow('downloads', 'release-offline', token, mine, terminal.file('release.json'));
    expect([released.code, released.err]).toEqual([0, 'The seat has been released.\n']);
    expect(Object.values((await json('downloads', 'open', token)).machines).flat()).toEqual([]);
  });

  it('hears of a new version by email, once', async () => {
    const { tonerow, json } = terminal;
    const link = `http://127.0.0.1:${(files.address() as AddressInfo).port}/mac.dmg`;
    const product = await makeProduct(server, ada.token, { file_urls: [{ name: 'Mac', url: link }] });
    const [serial] = await makeSerials(server, ada.token, product.id);
    const person = [
      '--email',
      'alice@example.com',
      '--first-name',
      'Alice',
      '--last-name',
      'Coltrane',
      '--dev',
      ada.id,
    ];
    await json('redeem', String(serial?.code), ...person);
    // as by the link of the receipt
    await server.db.query("update customers set proven_at = now() where email = 'alice@example.com'");
    expect((await tonerow('products', 'add-version', product.id, '1.1.0', '--notes', 'Wider.')).err).toBe(
      'Version 1.1.0 recorded.\n',
    );
    const announce = (...options: string[]) => tonerow('products', 'announce-version', product.id, '1.1.0', ...options);
    expect((await announce('--dry-run')).out).toBe('1 owner would be emailed about version 1.1.0.\n');
    const sent = await announce('--note', 'Twice as wide.', '--yes');
    expect([sent.code, sent.err]).toEqual([0, 'Emailing 1 owner about version 1.1.0.\n']);
    const news = await server.email((email) => email.text?.includes('Twice as wide.') === true);
    expect(news.to?.[0]?.address).toBe('alice@example.com');
    const again = await announce('--yes');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('already')]);
  });
});

describe('emails from a terminal', () => {
  it('are tried by anybody and looked after by admins', async () => {
    const { tonerow, json, file } = terminal;
    expect((await tonerow('emails', 'test')).code).toBe(0);
    await server.email((email) => email.to?.[0]?.address === ada.email && /test/i.test(email.subject ?? ''));
    expect((await tonerow('emails', 'log')).code).toBe(1);
    await server.db.query('update users set is_admin = true where id = $1', [ada.id]);
    await expect.poll(async () => (await json('emails', 'log', '--state', 'sent')).length).toBeGreaterThan(1);
    await writeFile(file('news.txt'), 'We are open.');
    const sent = await json(
      'announcements',
      'send',
      'News',
      '--body-file',
      file('news.txt'),
      '--to',
      'developers',
      '--yes',
    );
    expect(sent.recipients).toBe(1);
    const news = await server.email((email) => email.subject === 'News');
    const stop = /unsubscribe\?token=([^\s&]+)/.exec(news.text ?? '')?.[1] as string;
    expect((await tonerow('emails', 'unsubscribe', stop)).code).toBe(0);
    expect(await json('account', 'settings')).toMatchObject({ notify_announcements: false });
    expect((await json('announcements', 'list'))[0]).toMatchObject({ subject: 'News', recipients: 1 });
  });
});
