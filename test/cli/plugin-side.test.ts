import { createHash, createPublicKey, generateKeyPairSync, hash, verify } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { call, makeProduct, makeSerials, type Person, redeem, signUp } from '@tonerow/test-support/http.ts';
import { juceKeyOf } from '@tonerow/test-support/juce.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { openTerminal } from '@tonerow/test-support/terminal.ts';
import { openRunner, readSteps, runSteps } from '@tonerow/test-support/workflow.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, verifyLicense } from '../../packages/sdk/src/index.ts';

let server: SharedServer;
let terminal: Awaited<ReturnType<typeof openTerminal>>;
let ada: Person;
let key: string;
let codes: string[];
let product: { id: string; name: string };
beforeAll(async () => {
  server = await sharedServer();
  ada = await signUp(server);
  terminal = await openTerminal(() => ({
    TONEROW_URL: server.url,
    TONEROW_TOKEN: ada.token,
    ...(key ? { TONEROW_PLUGIN_KEY: key } : {}),
  }));
  key = (await terminal.tonerow('keys', 'create', 'Development', '--test')).out.trim();
  product = await makeProduct(server, ada.token, { name: 'Prism Delay', trial_days: 7 });
  codes = (await makeSerials(server, ada.token, product.id, { quantity: 4 })).map((serial) => serial.code);
  for (const code of codes) await redeem(server, code, 'nina@example.com', ada.id);
});
afterAll(async () => {
  await terminal.close();
});

describe('the doctor', () => {
  it('finds every status and the token as they should be', async () => {
    const { code, out } = await terminal.tonerow('license', 'doctor', '--license', codes[0] as string);
    expect(out).not.toContain('BAD');
    expect(code).toBe(0);
    for (const word of ['active', 'expired', 'revoked', 'seat_limit', 'wrong_machine', 'signature'])
      expect(out).toContain(word);
    // all six test serials
    for (const word of ['active, expired token', 'active, other product']) expect(out.split(word)).toHaveLength(3);
  });

  it('reports what is wrong', async () => {
    const shipped = (await terminal.tonerow('keys', 'create', 'Shipped')).out.trim();
    await writeFile(terminal.file('shipped'), shipped);
    const { code, out, err } = await terminal.tonerow('license', 'doctor', '--key-file', terminal.file('shipped'));
    expect([code, out, err]).toEqual([
      3,
      expect.stringContaining('BAD'),
      expect.stringContaining('keys create --test'),
    ]);
  });
});

describe('the hostile proxy', () => {
  /** A proxy with one forgery, and its output. */
  const forging = async (forgery: string, ...options: string[]) => {
    const proxy = terminal.running('license', 'proxy', forgery, '--port', '0', ...options);
    await expect.poll(() => proxy.printed(), { timeout: 15_000 }).toContain('Point the plugin at');
    const url = /at (http:\S+\d)/.exec(proxy.printed())?.[1] as string;
    return { url, printed: proxy.printed, end: proxy.stop };
  };
  /** Whether a plugin on this machine would unlock by a token, or why not. */
  const verdict = async (token: string, machineId: string) => {
    const jwks = await createClient({ baseUrl: server.url }).licenses.getKeys({ dev: ada.id });
    const found = await verifyLicense(token, jwks, { productId: product.id, machineId });
    return found.valid ? 'valid' : found.reason;
  };
  const form = (fields: Record<string, string>) => ({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  });

  it.each([
    ['forged', 'signature', []],
    ['other-token', 'algorithm', ['--token-file', 'unsigned']],
    ['expired', 'expired', []],
    ['wrong-product', 'wrong_product', []],
  ])('hands out tokens that a verifier refuses: %s', async (forgery, reason, options) => {
    await writeFile(terminal.file('unsigned'), 'eyJhbGciOiJub25lIn0.e30.');
    const proxy = await forging(forgery, ...options.map((word) => (word === 'unsigned' ? terminal.file(word) : word)));
    const machine_id = 'machine-proxy';
    const body = { license_key: codes[1] as string, machine_id };
    const answer = await createClient({ baseUrl: proxy.url, token: key }).licenses.activate(body);
    expect(answer).toMatchObject({ ok: true, status: 'active' });
    expect(await verdict(answer.validation_token as string, machine_id)).toBe(reason);
    await proxy.end();
  });

  it.each([
    ['expired', 'expired'],
    ['wrong-product', 'wrong_product'],
  ])('forges answers for every kind of client: %s', async (forgery, reason) => {
    const proxy = await forging(forgery);
    const license_key = codes[1] as string;
    const machine_id = 'machine-proxy';
    const ours = { license_key, machine_id, product_id: product.id };
    const hise = { key: license_key, instance_id: machine_id };
    const query = `?app_id=${ada.id}&app_key=${key}`;
    const asked: [string, object][] = [
      ['v1/activate', { token: key, body: ours }],
      ['v1/validate', { ...form({ license_key, machine_id }), token: key }],
      ['activate', { headers: { 'x-app-id': ada.id, 'x-app-key': key }, body: hise }],
      // HISE's slash, and its wrong content type
      [`validate${query}/`, form(hise)],
      [`validate${query}`, { ...form({}), body: JSON.stringify({ ...hise, product_id: product.id }) }],
      ['v1/trial', { token: key, body: { product_id: product.id, machine_id } }],
    ];
    for (const [path, request] of asked) {
      const { status, body } = await call(proxy, 'POST', `/api/license/${path}`, request);
      expect([path, status, body.ok]).toEqual([path, 200, true]);
      expect([path, await verdict(body.validation_token ?? body.new_token, machine_id)]).toEqual([path, reason]);
    }
    // refusals pass unchanged, and without a token there is nothing to falsify
    const refused = await call(proxy, 'POST', '/api/license/v1/activate', {
      token: key,
      body: { ...ours, license_key: 'TEST-FULL-AAAA-AAAA' },
    });
    expect([refused.status, refused.body.status]).toEqual([409, 'seat_limit']);
    expect(proxy.printed()).toContain('has no token');
    await proxy.end();
  });

  it('keeps a signed answer signed, so that the token alone is what is wrong', async () => {
    const proxy = await forging('expired');
    const headers = { 'x-tonerow-nonce': 'a-nonce-of-mine' };
    const body = { license_key: codes[1] as string, machine_id: 'machine-proxy' };
    const answer = await call(proxy, 'POST', '/api/license/v1/activate', { token: key, headers, body });
    const [, signature = '', kid] = /^ed25519=(\S+); kid=(\S+)$/.exec(
      answer.headers.get('x-tonerow-signature') ?? '',
    ) as string[];
    const { keys } = await createClient({ baseUrl: server.url }).licenses.getKeys({ dev: ada.id });
    const publicKey = createPublicKey({ key: keys.find((each) => each.kid === kid) as never, format: 'jwk' });
    const digest = createHash('sha256').update(answer.text).digest('hex');
    const text = `POST\n/api/license/v1/activate\n${digest}\n${answer.headers.get('x-tonerow-date')}\na-nonce-of-mine`;
    expect(verify(null, Buffer.from(text), publicKey, Buffer.from(signature, 'base64'))).toBe(true);
    expect(await verdict(answer.body.validation_token, 'machine-proxy')).toBe('expired');
    await proxy.end();
  });

  it('answers nothing to a plugin with another key, and explains why', async () => {
    const shipped = await terminal.json('keys', 'create', 'Shipped too');
    const proxy = await forging('wrong-product');
    const body = { license_key: codes[1] as string, machine_id: 'machine-proxy' };
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const answer = await call(proxy, 'POST', '/api/license/v1/activate', { token: shipped.plaintext, body });
      expect([answer.status, answer.text]).toEqual([502, '']);
    }
    expect(proxy.printed().match(/keys create --test/g)).toHaveLength(2);
    await proxy.end();
  });

  it('does not start for a key that it knows to be of no use', async () => {
    const shipped = await terminal.json('keys', 'create', 'Shipped as well');
    await writeFile(terminal.file('shipped-key'), shipped.plaintext);
    const { code, out, err } = await terminal.tonerow(
      'license',
      'proxy',
      'expired',
      '--key-file',
      terminal.file('shipped-key'),
    );
    expect([code, out, err]).toEqual([2, '', expect.stringContaining('keys create --test')]);
  });

  it('knows no other forgeries, and hands out no other token than it was given', async () => {
    expect((await terminal.tonerow('license', 'proxy', 'polite')).code).toBe(64);
    const { code, err } = await terminal.tonerow('license', 'proxy', 'other-token', '--port', '0');
    expect([code, err]).toEqual([64, expect.stringContaining('--token-file')]);
    const help = (await terminal.tonerow('help', 'license', 'proxy')).out;
    for (const forgery of [
      'forged',
      'replay',
      'other-token',
      'expired',
      'wrong-product',
      'always-yes',
      'error',
      'slow',
    ]) {
      expect(help).toMatch(new RegExp(`^ +${forgery} {2,}\\S`, 'm'));
    }
  });
});

describe('a plugin maker at a terminal', () => {
  it('rotates a key with a grace, and switches one off', async () => {
    const [old] = (await terminal.json('keys', 'list')).filter((each: { label: string }) => each.label === 'Shipped');
    const made = await terminal.json('keys', 'rotate', old.id, '--grace', '12h');
    expect(made.plaintext).toMatch(/^tnr_plg_/);
    expect((await terminal.tonerow('keys', 'list')).out).toContain('until ');
    expect((await terminal.tonerow('keys', 'update', made.key.id, '--active', 'off')).out).toContain('inactive');
    expect((await terminal.tonerow('keys', 'rotate', old.id, '--grace', 'soon')).code).toBe(64);
    expect(await terminal.json('keys', 'list', '--stale', '90d')).toEqual([]);
    expect((await terminal.tonerow('keys', 'list', '--stale', '90d')).out).toMatch(/^No plugin key has been unused/);
  });

  it('gets the key, the key file and the XML of stock clients', async () => {
    const publicKey = (await terminal.tonerow('products', 'rsa', 'Prism Delay')).out.trim();
    const file = await terminal.tonerow('license', 'keyfile', codes[2] as string, '--machine', 'L1');
    expect(juceKeyOf(file.out, publicKey)).toMatchObject({ mach: 'L1' });
    const unlock = ['license', 'unlock', codes[3] as string, '--machine', 'L2', '--email', 'nina@example.com'];
    for (const more of [[], ['--get']]) {
      const xml = (await terminal.tonerow(...unlock, '--product', 'Prism Delay', ...more)).out;
      expect(xml).toMatch(/<MESSAGE|<KEY/);
    }
    expect((await terminal.tonerow('products', 'rsa', 'Prism Delay', '--format', 'hise')).out).toContain('<KeyPair');
    const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
    });
    await writeFile(terminal.file('weak.pem'), weak);
    expect(
      (await terminal.tonerow('products', 'rsa', 'Prism Delay', '--import', terminal.file('weak.pem'), '--replace'))
        .code,
    ).toBe(1);
  });

  it('speaks HISE’s routes, moves a seat, starts a trial, leases one offline, and sees what was refused', async () => {
    const hise = (action: string) => terminal.json('license', 'hise', action, codes[0] as string, '--machine', 'H1');
    expect((await hise('activate')).status).toBe('active');
    expect((await hise('validate')).ok).toBe(true);
    expect((await hise('deactivate')).status).toBe('deactivated');
    const first = await terminal.json('license', 'activate', codes[0] as string, '--machine', 'old');
    await writeFile(terminal.file('token'), first.validation_token);
    const move = [
      'license',
      'transfer',
      codes[0] as string,
      '--from',
      'old',
      '--machine',
      'new',
      '--token-file',
      terminal.file('token'),
    ];
    expect((await terminal.json(...move)).status).toBe('active');
    expect((await terminal.json('license', 'trial', product.id, '--machine', 'T1')).status).toBe('trial');
    const secret = 'f0'.repeat(32);
    const release_hash = hash('sha256', secret);
    await writeFile(terminal.file('machine.json'), JSON.stringify({ machine_id: 'OFF1', release_hash }));
    const brief = await terminal.tonerow('products', 'update', 'Prism Delay', '--lease-days', '7', '--on-loss', 'mute');
    expect(brief.out).toMatch(/Lease days +7\n/);
    expect(brief.out).toMatch(/On loss +mute\n/);
    expect(await terminal.json('products', 'update', 'Prism Delay', '--on-loss', 'bypass')).toMatchObject({
      on_loss: 'bypass',
    });
    const offline = await terminal.tonerow('license', 'offline', codes[0] as string, terminal.file('machine.json'));
    expect(offline.out).toContain('BEGIN TONEROW LICENSE');
    const ends = Date.parse(/Valid until: (\S+)/.exec(offline.out)?.[1] as string);
    expect(Math.round((ends - Date.now()) / 86_400_000)).toBe(7);
    const { id: serial_id } = await terminal.json('serials', 'get', codes[0] as string);
    const proof = JSON.stringify({ release: secret, serial_id, product_id: product.id });
    await writeFile(terminal.file('release.txt'), proof);
    const release = () => terminal.tonerow('license', 'release-offline', terminal.file('release.txt'));
    const released = await release();
    expect(released.out, released.err).toMatch(/Status +deactivated\n/);
    expect((await release()).out).toBe(released.out);
    const refused = await terminal.tonerow('license', 'release-offline', terminal.file('machine.json'));
    expect([refused.code !== 0, refused.err]).toEqual([true, expect.stringContaining('This is not a release file.')]);
    await writeFile(terminal.file('machine.json'), '{"machine_id":"OFF1"}');
    expect((await terminal.tonerow('license', 'offline', codes[0] as string, terminal.file('machine.json'))).code).toBe(
      0,
    );
    expect((await terminal.tonerow('license', 'time')).out).toMatch(/^\d{4}-\d\d-\d\dT\S+\n$/);
    await terminal.tonerow('products', 'update', 'Prism Delay', '--file', 'macOS=https://files.example.com/prism.pkg');
    const version = await terminal.tonerow(
      'products',
      'add-version',
      'Prism Delay',
      '1.5',
      '--notes',
      'Twice as fast.',
    );
    expect(version.out).toContain('macOS [macos]');
    const expansion = () => terminal.tonerow('license', 'expansion-key', codes[0] as string, '--machine', 'new');
    const { out: expansionKey } = await expansion();
    expect(expansionKey).toMatch(/^[\w-]{43}\n$/);
    expect((await terminal.tonerow('products', 'rotate-expansion-secret', 'Prism Delay', '--yes')).code).toBe(0);
    expect((await expansion()).out).toBe(expansionKey);
    const updates = ['license', 'updates', 'Prism Delay', '--os', 'macOS'];
    expect((await terminal.tonerow(...updates)).out).toMatch(/Version +1\.5\n *Notes +Twice as fast\.\n/);
    expect((await terminal.tonerow(...updates, '--plugin-version', '1.5')).out).toBe('There is nothing newer.\n');
    for (const name of ['Prism Delay', product.id]) {
      expect((await terminal.tonerow('license', 'time', '--product', name)).out).toMatch(/^\S+\n0x[0-9a-f]+\n$/);
    }
    expect((await terminal.tonerow('serials', 'seats', codes[0] as string, '1')).out).toBe('2 of 1 seats are taken.\n');
    expect((await terminal.tonerow('license', 'activate', codes[0] as string, '--machine', 'more')).code).toBe(1);
    await expect
      .poll(async () => (await terminal.json('license', 'refusals'))[0]?.status, { timeout: 15_000 })
      .toBe('seat_limit');
    const refusals = (status: string) =>
      terminal.json('license', 'refusals', '--product', 'Prism Delay', '--status', status);
    expect((await refusals('seat_limit'))[0]).toMatchObject({ status: 'seat_limit', product_name: 'Prism Delay' });
    expect(await refusals('expired')).toEqual([]);
    const { machines } = await terminal.json('serials', 'get', codes[0] as string);
    const held = machines.find((each: { machine_id: string }) => each.machine_id === 'new');
    expect((await terminal.tonerow('machines', 'release', held.id, '--yes')).err).toBe('The seat has been released.\n');
    expect((await terminal.json('machines', 'stats')).machines).toBeGreaterThan(0);
  });
});

describe('the documented workflow', { timeout: 180_000 }, () => {
  it('rotates a key once however often it runs, and hands the successor over unseen', async () => {
    const old = await terminal.json('keys', 'create', 'In the field');
    const { key: forgotten } = await terminal.json('keys', 'create', 'Forgotten');
    const long =
      "update plugin_keys set created_at = (created_at at time zone 'UTC' - interval '91 days') at time zone 'UTC' where id = $1";
    await server.db.query(long, [forgotten.id]);
    const scopes = ['account:read', 'keys:read', 'keys:write'].flatMap((scope) => ['--scope', scope]);
    const { token } = await terminal.json('tokens', 'create', 'ci', ...scopes);
    const steps = await readSteps('docs/examples/rotate-key.yml', 'rotate');
    const job = {
      ...(await openRunner(terminal)),
      TONEROW_TOKEN: token,
      KEY: old.key.id,
      GRACE: '7d',
      GITHUB_RUN_ID: '4712',
      GITHUB_ACTIONS: 'true',
    };
    const handed: string[] = [];
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const log = await runSteps(steps, job, terminal.home);
      const secret = (await readFile(terminal.file('plugin-key'), 'utf8')).trim();
      // the CI runner hides this line, and masks the secret in all that follow
      expect(log.split('\n').filter((line) => line.includes(secret))).toEqual([`::add-mask::${secret}`]);
      handed.push(secret);
    }
    expect(handed[0]).toMatch(/^tnr_plg_/);
    expect(handed[1]).toBe(handed[0]);
    expect((await stat(terminal.file('plugin-key'))).mode & 0o077).toBe(0);

    const keys = await terminal.json('keys', 'list');
    const both = keys.filter((each: { label: string }) => each.label === 'In the field');
    const [next, before] = both;
    expect(both).toHaveLength(2);
    expect(before).toMatchObject({ id: old.key.id, successor_id: next.id, is_expiring: true });
    expect(Math.round((Date.parse(before.expires_at) - Date.now()) / 86_400_000)).toBe(7);
    for (const secret of [old.plaintext, handed[0] as string]) {
      const body = { license_key: codes[2], machine_id: 'L1' };
      const answer = await call(server, 'POST', '/api/license/v1/activate', { token: secret, body });
      expect([answer.status, answer.body.status]).toEqual([200, 'active']);
    }

    const summary = await readFile(terminal.file('summary.md'), 'utf8');
    const [all, stale] = summary.split('### ').slice(1);
    expect(all).toContain(next.id);
    expect(stale).toContain(forgotten.id);
    expect(stale).not.toContain(next.id);
    expect(summary).not.toContain(handed[0]);
    // another run must not make a third
    await expect(runSteps(steps, { ...job, GITHUB_RUN_ID: '4713' }, terminal.home)).rejects.toThrow(
      'already been rotated',
    );
  });
});

describe('versions in use', () => {
  it('are a table of versions and systems, of one product and of some days', async () => {
    const { tonerow, json } = terminal;
    const shipped = (await tonerow('keys', 'create', 'Choir')).out.trim();
    const choir = await makeProduct(server, ada.token, { name: 'Choir' });
    const report = (...options: string[]) =>
      tonerow('analytics', '--report', 'versions', '--product', 'Choir', ...options);
    expect((await report('--days', '7')).out).toContain('No activation was seen in this time.');
    const [serial] = await makeSerials(server, ada.token, choir.id, { quantity: 1 });
    for (const [machine_id, version, os] of [
      ['one', '1.0', 'macOS'],
      ['two', '1.1', 'macOS'],
      ['three', '1.1', 'Windows'],
    ]) {
      const body = { license_key: serial?.code, machine_id, version, os, email: 'nina@example.com' };
      expect((await call(server, 'POST', '/api/license/v1/activate', { token: shipped, body })).body.ok).toBe(true);
    }
    expect((await report()).out).toMatch(/VERSION +ALL +macOS +Windows\n1\.1 +2 +1 +1\n1\.0 +1 +1 +0\n/);
    expect(await json('analytics', '--report', 'versions', '--product', 'Choir', '--days', '365')).toMatchObject({
      days: 365,
      activations: 3,
    });
    expect((await report('--csv')).out).toBe(
      'Version,Operating system,Activations\r\n1.0,macOS,1\r\n1.1,Windows,1\r\n1.1,macOS,1\r\n',
    );
    expect((await tonerow('products', 'show', 'Choir')).out).toContain(
      '1.1: 2 (1 on Windows, 1 on macOS), 1.0: 1 (1 on macOS)',
    );
    expect((await report('--country', 'DE')).code).toBe(64);
    expect((await tonerow('analytics', '--days', '7')).code).toBe(64);
    expect((await report('--days', '366')).code).toBe(1);
  });
});
