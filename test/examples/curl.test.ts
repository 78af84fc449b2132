import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isInstalled } from '@tonerow/test-support/command.ts';
import { call, makeProduct, makeSerials, type Person, signUp } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { beforeAll, describe, expect, it } from 'vitest';
import { createClient, verifyLicense } from '../../packages/sdk/src/index.ts';
import { type Sent, SpoofedServer } from './spoofed-server.ts';
import { EXAMPLES, filled, start } from './support.ts';

const able = isInstalled('bash') && isInstalled('curl');
const version = await start('openssl', ['version']).catch(() => null);
const openssl = /^OpenSSL ([3-9]|\d\d)/.test(version?.out ?? '');
const reason = able ? '' : ' (skipped: there is no bash or no curl here)';

describe.runIf(able)(`the curl examples${reason}`, () => {
  let server: SharedServer;
  let ada: Person;
  let product: { id: string; name: string };
  let env: Record<string, string>;

  beforeAll(async () => {
    server = await sharedServer();
    ada = await signUp(server);
    product = await makeProduct(server, ada.token, { max_activations: 1 });
    const { plaintext } = (await call(server, 'POST', '/api/developer/plugin-keys', { token: ada.token, body: {} }))
      .body;
    env = { TONEROW_URL: server.url, PLUGIN_KEY: plaintext, MACHINE_ID: 'studio-mac', EMAIL: 'nina@example.com' };
  });

  const ask = async (verb: string, fields: Record<string, string>, script = `${EXAMPLES}/curl/${verb}.sh`) => {
    const { code, out, err } = await start('bash', [script], { env: { ...env, ...fields } });
    return { code, err: err.trim(), answer: out === '' ? null : JSON.parse(out) };
  };
  const serial = async () => (await makeSerials(server, ada.token, product.id, { quantity: 1 }))[0]?.code as string;

  it('activate, validate and deactivate a machine', async () => {
    const LICENSE_KEY = await serial();
    const activated = await ask('activate', { LICENSE_KEY });
    expect(activated).toMatchObject({ code: 0, err: '', answer: { ok: true, status: 'active', remaining: 0 } });
    const VALIDATION_TOKEN = activated.answer.validation_token;
    expect(await ask('validate', { LICENSE_KEY, VALIDATION_TOKEN })).toMatchObject({ code: 0, answer: { ok: true } });
    // the SDK accepts what the scripts receive
    const jwks = await createClient({ baseUrl: server.url }).licenses.getKeys({ dev: ada.id });
    const believed = (machineId: string) => verifyLicense(VALIDATION_TOKEN, jwks, { productId: product.id, machineId });
    expect(await believed('studio-mac')).toMatchObject({ valid: true, productId: product.id, trial: false });
    expect(await believed('laptop')).toEqual({ valid: false, reason: 'wrong_machine' });
    expect(await ask('activate', { LICENSE_KEY, MACHINE_ID: 'laptop' })).toMatchObject({
      code: 1,
      err: 'Activation failed: All activations of this license are in use. Deactivate another machine first.',
      answer: { ok: false, status: 'seat_limit' },
    });
    expect(await ask('deactivate', { LICENSE_KEY })).toMatchObject({ code: 0, answer: { status: 'deactivated' } });
    expect(await ask('validate', { LICENSE_KEY })).toMatchObject({
      code: 1,
      err: 'Not valid: This license is not activated on this machine.',
    });
    expect(await ask('deactivate', { LICENSE_KEY })).toMatchObject({ code: 1, answer: { status: 'not_activated' } });
  });

  it('send every character as it is', async () => {
    const LICENSE_KEY = await serial();
    const MACHINE_ID = `m&x=1+%20"'$(id)\`\\ö`;
    const activated = await ask('activate', { LICENSE_KEY, MACHINE_ID, EMAIL: 'nina+mac@example.com' });
    expect(activated).toMatchObject({ code: 0 });
    const claims = Buffer.from(activated.answer.validation_token.split('.')[1], 'base64url').toString();
    expect(JSON.parse(claims).mid).toBe(createHash('sha256').update(MACHINE_ID).digest('hex'));
    const customers = await server.db.query('select email from customers');
    expect(customers.map(({ email }) => email)).toContain('nina+mac@example.com');
    expect(await ask('validate', { LICENSE_KEY, MACHINE_ID })).toMatchObject({ code: 0 });
    expect(await ask('validate', { LICENSE_KEY, MACHINE_ID: 'm' })).toMatchObject({ code: 1 });
  });

  it('run with what the dashboard filled in', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-examples-'));
    try {
      const other = await makeProduct(server, ada.token);
      const LICENSE_KEY = await serial();
      const values = { TONEROW_URL: `${server.url}/`, PLUGIN_KEY: env.PLUGIN_KEY as string };
      const write = async (name: string, PRODUCT_ID: string) => {
        const file = path.join(folder, name);
        await writeFile(file, filled('curl/activate.sh', { ...values, PRODUCT_ID }));
        return file;
      };
      const unset = { LICENSE_KEY, TONEROW_URL: '', PLUGIN_KEY: '' };
      expect(await ask('activate', unset, await write('right.sh', product.id))).toMatchObject({ code: 0 });
      expect(await ask('activate', unset, await write('wrong.sh', other.id))).toMatchObject({
        code: 1,
        err: 'Activation failed: This license is for another product.',
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it.runIf(openssl)(
    `verify believes the server, and nobody else${openssl ? '' : ' (skipped: OpenSSL 3 is not here)'}`,
    async () => {
      const spoofed = await SpoofedServer.start(server.url);
      const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-verify-'));
      try {
        const LICENSE_KEY = await serial();
        const fields = { LICENSE_KEY, DEVELOPER_ID: ada.id, TONEROW_URL: spoofed.url };
        const verify = (lie: SpoofedServer['lie'] = null, changes: Record<string, string> = {}) => {
          spoofed.lie = lie;
          return ask('verify', { ...fields, ...changes });
        };
        const changed = (change: (sent: Sent) => Partial<Sent>) => async (_: unknown, truth: () => Promise<Sent>) => {
          const sent = await truth();
          return sent.body.includes('"keys"') ? sent : { ...sent, ...change(sent) };
        };
        const no = { code: 1, err: 'Not valid: This license is not activated on this machine.', answer: { ok: false } };
        expect(await verify()).toMatchObject(no);
        await ask('activate', { LICENSE_KEY });
        expect(await verify()).toMatchObject({ code: 0, err: '', answer: { ok: true, status: 'active' } });

        const JWKS = path.join(folder, 'jwks.json');
        const { keys } = (await call(server, 'GET', `/api/license/v1/jwks?dev=${ada.id}`)).body;
        await writeFile(JWKS, JSON.stringify({ keys }, null, 2));
        const received = spoofed.received.length;
        expect(await verify(null, { JWKS, DEVELOPER_ID: '' })).toMatchObject({ code: 0 });
        expect(spoofed.received.length).toBe(received + 1);
        // any 32 bytes
        await writeFile(JWKS, JSON.stringify({ keys: [{ ...keys[0], x: `${'A'.repeat(42)}E` }] }));
        const wrong = { code: 4, err: 'The signature is wrong, or is for another question.', answer: null };
        expect(await verify(null, { JWKS })).toEqual(wrong);
        await writeFile(JWKS, '{"keys":[]}');
        expect((await verify(null, { JWKS })).err).toMatch(/^The key .* is not one of the developer's\.$/);

        const unsigned = { code: 4, err: 'The answer is not signed (HTTP 200).', answer: null };
        expect(await verify(changed(() => ({ headers: {} })))).toEqual(unsigned);
        expect(await verify(changed(({ body }) => ({ body: body.replace('"remaining":0', '"remaining":9') })))).toEqual(
          wrong,
        );
        let older: Sent | undefined;
        const replay = changed((sent) => {
          older ??= sent;
          return older;
        });
        expect(await verify(replay)).toMatchObject({ code: 0 });
        expect(await verify(replay)).toEqual(wrong);
        expect(await verify(null, { PLUGIN_KEY: 'tnr_plg_wrong' })).toEqual({
          ...unsigned,
          err: 'The answer is not signed (HTTP 401).',
        });
        expect(await verify(null, { DEVELOPER_ID: '' })).toEqual({ code: 2, err: 'Set DEVELOPER_ID.', answer: null });
        expect(await verify(null, { TONEROW_URL: 'http://127.0.0.1:9' })).toMatchObject({ code: 3, answer: null });
      } finally {
        spoofed.stop();
        await rm(folder, { recursive: true, force: true });
      }
    },
  );

  it.each(['activate', 'validate', 'deactivate'])('%s shows what is missing, and if nobody answers', async (verb) => {
    for (const name of ['TONEROW_URL', 'PLUGIN_KEY', 'LICENSE_KEY', 'MACHINE_ID']) {
      expect(await ask(verb, { LICENSE_KEY: 'A', [name]: '' })).toEqual({ code: 2, err: `Set ${name}.`, answer: null });
    }
    const nobody = await ask(verb, { LICENSE_KEY: 'A', TONEROW_URL: 'http://127.0.0.1:9' });
    expect(nobody).toMatchObject({ code: 3, answer: null });
    expect(nobody.err).toContain('There is no answer from http://127.0.0.1:9.');
    const refused = await ask(verb, { LICENSE_KEY: 'A', PLUGIN_KEY: 'tnr_plg_wrong' });
    expect(refused).toMatchObject({ code: 1, answer: { status: 'unauthorized' } });
    expect(refused.err).toContain('The plugin key is missing, unknown or inactive.');
  });
});
