import { createHmac } from 'node:crypto';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { makeProduct, makeSerials, type Person, redeem, signUpVerified } from '@tonerow/test-support/http.ts';
import { type Receiver, startReceiver, verifyWith } from '@tonerow/test-support/receiver.ts';
import { startServer, type TestServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: TestServer;
let ada: Person;
let receiver: Receiver;
let home: string;

beforeAll(async () => {
  server = await startServer({ env: { TONEROW_WEBHOOK_ALLOW: '127.0.0.0/8' } });
  ada = await signUpVerified(server);
  receiver = await startReceiver();
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-hooks-'));
});
afterAll(async () => {
  await server.stop();
  await receiver.stop();
});

const env = () => ({ HOME: home, XDG_STATE_HOME: home, TONEROW_URL: server.url, TONEROW_TOKEN: ada.token });
async function run(...line: string[]) {
  const result = await runCommand(['webhooks', ...line], { env: env() });
  return result;
}
const json = async (...line: string[]) => JSON.parse((await run(...line, '--json')).out);

describe('tonerow webhooks', () => {
  it('takes a webhook from its first test to its end', async () => {
    const made = await json('create', receiver.url, '--events', 'serial.*,webhook.test', '--description', 'Shop');
    const { id } = made.webhook;
    expect((await run('list')).out).toContain(receiver.url);
    const test = await run('test', id);
    expect([test.code, test.err]).toEqual([0, '']);
    expect(test.out).toContain('delivered (204)');
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    verifyWith(made.secret, await receiver.wait('serial.redeemed'));

    receiver.answer = 500;
    const failed = await run('test', id, '--type', 'serial.revoked');
    expect(failed.code).toBe(3);
    expect(failed.out).toContain('500');
    const [waiting] = await json('deliveries', id, '--state', 'waiting');
    receiver.answer = 200;
    const again = await run('retry', waiting.id);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('delivered (200)')]);
    expect((await run('delivery', waiting.id)).out).toContain('manual');

    await run('update', id, '--active', 'off');
    const sent = await json('trigger', 'serial.redeemed', '--set', 'data.price=12.5');
    const on = await run('update', id, '--active', 'on');
    expect(on.err).toContain('missed 1 delivery:');
    expect(await json('replay', id, '--since', '1h')).toEqual({ matching: 1, more: false });
    const find = () => receiver.received.find(({ headers }) => headers['webhook-id'] === sent.event_id);
    await expect.poll(find, { timeout: 10_000 }).toBeDefined();
    expect(find()?.event).toMatchObject({ test: true, data: { price: 12.5 } });

    const moved = await run('update', id, '--address', `${receiver.url}moved`);
    expect([moved.code, moved.out]).toEqual([0, expect.stringContaining(`${receiver.url}moved`)]);
    expect(receiver.received.every(({ headers }) => headers.authorization === undefined)).toBe(true);
    expect((await json('update', id, '--address', receiver.url)).url).toBe(receiver.url);

    const rotated = await json('rotate', id, '--overlap', '2h');
    expect(rotated.secret).not.toBe(made.secret);
    expect((await run('show', id)).out).toContain('working');
    // an event is in the feed once no older transaction of the database's cluster is running, of other tests too
    await expect
      .poll(async () => (await json('events', '--type', 'serial.redeemed')).length, { timeout: 20_000 })
      .toBe(2);
    expect((await run('keys')).out).toContain('No key yet');
    expect((await run('delete', id, '--yes')).code).toBe(0);
    expect((await run('list')).out).toContain('No webhooks yet');
  });

  it('shows the fields of its lists, and refuses others by their names', async () => {
    const { id } = (await json('create', receiver.url, '--events', 'serial.*')).webhook;
    expect(JSON.parse((await run('list', '--json=id,url')).out)).toEqual([{ id, url: receiver.url }]);
    const types = JSON.parse((await run('types', '--json=type,about')).out);
    expect(types).toContainEqual({ type: 'serial.redeemed', about: expect.any(String) });
    expect((await run('events', '--json=id,type,data', '--limit', '1')).code).toBe(0);
    expect(JSON.parse((await run('keys', '--json=')).err).message).toMatch(/The fields are: keys\.$/);
    expect(JSON.parse((await run('keys', '--json=keys')).out)).toEqual({ keys: [] });
    expect((await run('delete', id, '--yes')).code).toBe(0);
  });

  it('shows which webhooks get a sample, and sets fields at any depth of it', async () => {
    const [on, off] = await Promise.all(
      ['On', 'Off'].map(async (description) => {
        const made = await json('create', receiver.url, '--events', 'license.refused', '--description', description);
        return made.webhook.id as string;
      }),
    );
    await run('update', off as string, '--active', 'off');
    const sent = await run('trigger', 'license.refused', '--set', 'data.refusals.0.count=3', '--set', 'count=5');
    expect([sent.err, sent.out]).toEqual(['', expect.stringMatching(/goes to 1 webhook, .* 1 more that is off\.$/m)]);
    const { data } = (await receiver.wait('license.refused')).event;
    expect([data.count, data.refusals[0].count, typeof data.refusals[0].action]).toEqual([5, 3, 'string']);
    await run('update', on as string, '--active', 'off');
    expect((await run('trigger', 'license.refused')).out).toContain('goes to no webhook, ');
    for (const wrong of ['data.refusals.9.count=3', 'data.refusals.0.nope=3', 'data.count.x=1', 'data.-=1']) {
      const refused = await run('trigger', 'license.refused', '--set', wrong);
      expect([refused.code, refused.err.split('\n').length, refused.err.startsWith('--set')]).toEqual([64, 2, true]);
    }
    for (const id of [on, off]) expect((await run('delete', id as string, '--yes')).code).toBe(0);
  });

  it('shows how to see the secret if a webhook signs with one again', async () => {
    const { webhook } = await json('create', receiver.url, '--events', 'stock.low', '--signature', 'v1a');
    const changed = await run('update', webhook.id, '--signature', 'v1');
    expect([changed.code, changed.err]).toEqual([0, expect.stringContaining(`tonerow webhooks rotate ${webhook.id}`)]);
    expect((await run('rotate', webhook.id)).out).toMatch(/^whsec_/);
    expect((await run('delete', webhook.id, '--yes')).code).toBe(0);
  });

  it('suggests the type of event that was probably meant', async () => {
    const webhook = (await json('create', receiver.url, '--events', 'stock.low')).webhook.id;
    for (const line of [
      ['trigger', 'serial.redeemd'],
      ['trigger', 'serial.redeemd', '--set', 'data.a.b=1'],
      ['create', receiver.url, '--events', 'stock.low,serial.redeemd'],
      ['update', webhook, '--events', 'serial.redeemd'],
      ['test', webhook, '--type', 'serial.redeemd'],
      ['deliveries', webhook, '--type', 'serial.redeemd'],
      ['events', '--type', 'serial.redeemd'],
    ]) {
      expect(await run(...line)).toEqual({
        code: 64,
        out: '',
        err: 'There is no type of event "serial.redeemd". Did you mean serial.redeemed? "tonerow webhooks types" lists them.\n',
      });
    }
    expect((await run('trigger', 'nothing.like-it')).err).not.toContain('Did you mean');
    const reversed = await run('replay', webhook, '--since', '2h', '--until', '3h');
    expect([reversed.code, reversed.err]).toEqual([64, expect.stringContaining('must be after --since')]);
    expect((await run('delete', webhook, '--yes')).code).toBe(0);
  });

  it('listens: forwards what happens to a server here, signed, without a webhook', async () => {
    const local = await startReceiver();
    const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
    const line = ['listen', '--forward-to', local.url, '--events', 'serial.*', '--count', '1'];
    const listening = runCommand(['webhooks', ...line], { env: { ...env(), TONEROW_WEBHOOK_SECRET: secret } });
    const product = await makeProduct(server, ada.token);
    const count = async () =>
      (await server.db.query('select 1 from webhook_endpoints where listens_until is not null')).length;
    await expect.poll(count, { timeout: 10_000 }).toBe(1);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
    const { code, out, err } = await listening;
    expect([code, out]).toEqual([0, expect.stringMatching(/serial\.redeemed.+204 {2}\d+ ms/)]);
    expect(err).not.toContain('whsec_');
    expect(verifyWith(secret, await local.wait(1))).toMatchObject({ data: { serial_id: serial?.id } });
    expect(await count()).toBe(0);
    await local.stop();
  });

  it.each(['--json', '--quiet'])('listens: shows the secret that it made, also with %s', async (quietly) => {
    const local = await startReceiver();
    const listening = run('listen', '--forward-to', local.url, '--events', 'webhook.test', '--count', '1', quietly);
    const listeners = () => server.db.query('select 1 from webhook_endpoints where listens_until is not null');
    await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
    expect((await run('trigger', 'webhook.test')).code).toBe(0);
    const { code, err } = await listening;
    expect([code, err]).toEqual([0, expect.stringMatching(/Signed with whsec_\S+\n$/)]);
    expect(err.startsWith('{"code":"signed_with",')).toBe(quietly === '--json');
    expect(verifyWith(/whsec_[\w+/=]+/.exec(err)?.[0] as string, await local.wait(1))).toMatchObject({ test: true });
    await local.stop();
  });
});

describe('tonerow webhooks listen, on a machine that slept', () => {
  const listeners = () =>
    server.db.query<{ id: string; minutes: number }>(
      `select id, extract(epoch from listens_until - now())::float8 / 60 as minutes
       from webhook_endpoints where listens_until is not null`,
    );
  /** Begins to listen; then the machine sleeps for so many minutes, in which `meanwhile` happens. */
  async function closeLid(minutes: number, meanwhile: () => Promise<unknown>) {
    let now = Date.now();
    const line = ['webhooks', 'listen', '--events', 'serial.*', '--count', '1'];
    const listening = runCommand(line, { env: env(), now: () => now });
    await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
    const [before] = await listeners();
    await meanwhile();
    const slept = new Date(now).toISOString();
    now += minutes * 60_000;
    return { before, slept, listening };
  }
  const redeemOne = async () => {
    const product = await makeProduct(server, ada.token);
    const [serial] = await makeSerials(server, ada.token, product.id, { quantity: 1 });
    await redeem(server, serial?.code as string, 'nina@example.com', ada.id);
  };

  it('renews the listener as soon as it wakes', async () => {
    const cut = () =>
      server.db.query("update webhook_endpoints set listens_until = now() + interval '2 minutes' where url = ''");
    const { before, listening } = await closeLid(58, cut);
    await expect.poll(async () => (await listeners())[0]?.minutes, { timeout: 10_000 }).toBeGreaterThan(50);
    expect((await listeners())[0]?.id).toBe(before?.id);
    await redeemOne();
    const { code, out, err } = await listening;
    expect([code, out]).toEqual([0, expect.stringContaining('serial.redeemed')]);
    expect(err).not.toContain('missing');
  });

  it('makes another listener if that has ended, and shows since when events may be missing', async () => {
    const expire = () => server.db.query("delete from webhook_endpoints where url = ''");
    const { before, slept, listening } = await closeLid(180, expire);
    await expect.poll(listeners, { timeout: 10_000 }).toHaveLength(1);
    expect((await listeners())[0]?.id).not.toBe(before?.id);
    await redeemOne();
    const { code, out, err } = await listening;
    expect([code, out]).toEqual([0, expect.stringContaining('serial.redeemed')]);
    expect(err).toContain(`Events since ${slept} may be missing`);
    expect(await listeners()).toEqual([]);
  });
});

it.each([
  ['is too short', `whsec_${Buffer.alloc(23, 7).toString('base64')}`],
  ['is a public key', `whpk_${Buffer.alloc(32, 7).toString('base64')}`],
])('tonerow webhooks listen signs with no secret that %s', async (_, secret) => {
  const file = path.join(home, 'secret.txt');
  await writeFile(file, `${secret}\n`);
  const { code, err } = await run('listen', '--secret-file', file);
  expect([code, err]).toEqual([64, expect.stringContaining('24 bytes')]);
});

describe('tonerow webhooks verify', () => {
  const key = Buffer.alloc(32, 9);
  const secret = `whsec_${key.toString('base64')}`;
  const body = '{"type":"webhook.test","data":{"a":1}}';
  const at = '2026-03-10T12:00:00Z';
  const headersOf = (text = body, by: Buffer | string = key, id = 'evt') => {
    const time = String(Date.parse(at) / 1000);
    const signature = createHmac('sha256', by).update(`${id}.${time}.${text}`).digest('base64');
    return `Webhook-Id: evt\nWebhook-Timestamp: ${time}\nWebhook-Signature: v1,${signature}\n`;
  };

  it.each([
    ['valid', body, headersOf(), secret, at],
    ['bytes', '{ "type": "webhook.test", "data": { "a": 1 } }', headersOf(), secret, at],
    ['time', body, headersOf(), secret, '2026-03-10T12:10:00Z'],
    ['id', body, headersOf().replace('Webhook-Id: evt\n', ''), secret, at],
    ['id', body, headersOf().replace('Webhook-Id: evt', 'Webhook-Id: EVT'), secret, at],
    ['encoding', body, headersOf(body, secret), secret, at],
    ['encoding', body, headersOf().replace(/v1,.+/, 'v1=0a'), secret, at],
    ['encoding', body, headersOf().replace(/v1,.+/, `v1,${'0a'.repeat(32)}`), secret, at],
    ['encoding', body, headersOf().replace(/(v1,.{20}).+/, '$1'), secret, at],
    ['secret', body, headersOf().replace('v1,', 'v1a,'), secret, at],
    ['secret', body, headersOf(), `whpk_${key.toString('base64')}`, at],
    ['bytes', '', headersOf(), secret, at],
    ['bytes', body.slice(0, 20), headersOf(), secret, at],
    ['bytes', JSON.stringify(body), headersOf(), secret, at],
    ['bytes', Buffer.from(body).toString('base64'), headersOf(), secret, at],
    ['bytes', body.replace('1', '22'), `${headersOf()}Content-Length: ${body.length}\n`, secret, at],
    ['time', body, headersOf().replace(/(Timestamp: \d+)/, '$1000'), secret, at],
    ['time', body, headersOf().replace(/Timestamp: \d+/, `Timestamp: ${at}`), secret, at],
    ['secret', body, headersOf(), `whsec_${Buffer.alloc(32, 1).toString('base64')}`, at],
  ])('finds out: %s', async (cause, text, headers, by, moment) => {
    const folder = await mkdtemp(path.join(home, 'verify-'));
    const fileOf = async (name: string, content: string) => {
      await writeFile(path.join(folder, name), content);
      return path.join(folder, name);
    };
    const files = [await fileOf('body.json', text), '--headers', await fileOf('headers.txt', headers)];
    const key = ['--secret-file', await fileOf('secret.txt', `${by}\n`)];
    const { code, out } = await run('verify', ...files, ...key, '--at', moment, '--json');
    expect([code, JSON.parse(out)]).toEqual(
      cause === 'valid' ? [0, expect.objectContaining({ valid: true })] : [3, expect.objectContaining({ cause })],
    );
  });

  it('takes no secret from the command line, which others on the machine can read', async () => {
    const { code, err } = await run('verify', 'body.json', '--headers', 'headers.txt', '--secret', 'whsec_x');
    expect([code, err]).toEqual([64, expect.stringContaining('--secret')]);
  });
});
