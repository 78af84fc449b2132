import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { call, PASSWORD } from '@tonerow/test-support/http.ts';
import { type SharedServer, sharedServer } from '@tonerow/test-support/server.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let server: SharedServer;
let home: string;
beforeAll(async () => {
  server = await sharedServer();
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-home-'));
});
afterAll(async () => {
  await rm(home, { recursive: true, force: true });
});

function tonerow(args: string[], { stdin, env = {} }: { stdin?: string; env?: Record<string, string> } = {}) {
  return runCommand(args, { stdin, env: { HOME: home, XDG_CONFIG_HOME: home, TONEROW_URL: server.url, ...env } });
}

const json = async (args: string[], given: Parameters<typeof tonerow>[1] = {}) => {
  const answer = await tonerow([...args, '--json'], given);
  if (answer.code !== 0) throw new Error(`${args.join(' ')}: ${answer.err}`);
  return JSON.parse(answer.out);
};

describe('a developer at a terminal', () => {
  // the whole first test runs with an unverified address
  it('goes from registration to an activated serial', async () => {
    const registered = await tonerow(
      [
        'register',
        'developer',
        '--email',
        'ada.journey@example.com',
        '--first-name',
        'Ada',
        '--last-name',
        'Row',
        '--password-stdin',
      ],
      { stdin: `${PASSWORD}\n` },
    );
    expect(registered.err).toContain('Registration successful!');
    expect(registered.err).toContain('Open the link we emailed to ada.journey@example.com to verify your address.');
    expect(await json(['whoami'])).toMatchObject({ email: 'ada.journey@example.com', source: 'profile "default"' });
    const product = await json([
      'products',
      'create',
      'Prism Delay',
      '--price',
      '99',
      '--feature',
      'Freeze',
      '--file',
      'Mac=https://cdn.example.com/p.dmg',
    ]);
    expect(product).toMatchObject({
      price: 99,
      feature_list: ['Freeze'],
      file_urls: [{ name: 'Mac', url: 'https://cdn.example.com/p.dmg' }],
    });
    await json(['products', 'update', 'prism delay', '--sale-price', '79', '--seats', '1']);

    const file = path.join(home, 'serials.csv');
    const made = await tonerow([
      'serials',
      'generate',
      '--product',
      'Prism Delay',
      '--quantity',
      '1000',
      '--tag',
      'Launch',
      '--out',
      file,
    ]);
    expect([made.code, made.out]).toEqual([0, '']);
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n');
    expect(lines).toHaveLength(1001);
    const code = lines[1]?.split(',')[0] as string;

    const redeemed = await tonerow([
      'redeem',
      code.toLowerCase(),
      '--email',
      'nina@example.com',
      '--first-name',
      'Nina',
      '--last-name',
      'Simone',
    ]);
    expect(redeemed.out).toContain(code);
    expect((await tonerow(['serials', 'redeemed', '--search', 'nina@'])).out).toContain('$79.00');
    expect(await json(['serials', 'available'])).toMatchObject({ total: 999 });

    const key = (await tonerow(['keys', 'create', 'Release'])).out.trim();
    const env = { TONEROW_PLUGIN_KEY: key };
    const license = (verb: string, machine: string) => tonerow(['license', verb, code, '--machine', machine], { env });
    expect((await license('activate', 'mac-1')).out).toMatch(/Status +active/);
    const full = await license('activate', 'mac-2');
    expect([full.code, full.err.startsWith('seat_limit:')]).toEqual([1, true]);
    expect((await license('validate', 'mac-1')).code).toBe(0);
    expect((await license('deactivate', 'mac-1')).out).toMatch(/Remaining +1/);
    expect((await json(['license', 'jwks'])).keys).toHaveLength(1);
    expect(
      (await tonerow(['license', 'activate', code, '--machine', 'm'], { env: { TONEROW_PLUGIN_KEY: 'tnr_plg_wrong' } }))
        .code,
    ).toBe(4);

    expect((await tonerow(['serials', 'revoke', code])).err).toContain(`Revoked ${code}`);
    expect((await license('validate', 'mac-1')).err).toContain('revoked:');
    expect((await tonerow(['serials', 'reassign', code])).code).toBe(0);
    expect((await tonerow(['api', 'GET', '/api/auth/me'])).out).toContain('ada.journey@example.com');
  }, 60_000);

  it('verifies the email address with the link from the email', async () => {
    const take = () => tonerow(['domains', 'add', 'app.row.example']);
    const refused = await take();
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('Verify your email address first');
    expect(refused.err).toContain('tonerow resend-verification');
    const resent = await tonerow(['resend-verification']);
    expect([resent.code, resent.err]).toEqual([0, expect.stringContaining('on its way')]);
    expect((await tonerow(['verify-email', 'https://example.com/'])).code).toBe(64);
    expect((await tonerow(['verify-email', 'x'])).err).toContain('This link is expired or incomplete.');
    const email = await server.email(
      ({ to, subject }) => to?.[0]?.address === 'ada.journey@example.com' && subject === 'Verify your email address',
    );
    const link = /https?:\S+\/verify-email\?token=\S+/.exec(email.text ?? '')?.[0] as string;
    const verified = await tonerow(['verify-email', link]);
    expect([verified.code, verified.err]).toEqual([0, 'Your email address is verified.\n']);
    expect(await json(['whoami'])).toMatchObject({ email_verified: true });
    expect((await take()).err).not.toContain('Verify your email address');
  });

  it('works in CI with a scoped token, and learns which scope is missing', async () => {
    const token = (
      await tonerow(['tokens', 'create', 'ci', '--scope', 'products:read', '--scope', 'serials:write'])
    ).out.trim();
    const ci = { env: { TONEROW_TOKEN: token, XDG_CONFIG_HOME: path.join(home, 'empty'), CI: 'true' } };
    const codes = await tonerow(['serials', 'generate', '--product', 'Prism Delay', '--quantity', '3'], ci);
    expect(codes.out.trim().split('\n')).toHaveLength(3);
    const refused = await tonerow(['keys', 'list'], ci);
    expect([refused.code, refused.err.includes('keys:read')]).toEqual([4, true]);
  });

  it('repeats a batch under one key instead of making another', async () => {
    const generate = () =>
      tonerow([
        'serials',
        'generate',
        '--product',
        'Prism Delay',
        '--quantity',
        '20',
        '--idempotency-key',
        'release-1',
      ]);
    expect((await generate()).out).toBe((await generate()).out);
  });
});

it('deletes the account only when its address was typed', async () => {
  const wrong = await tonerow(['account', 'delete', '--confirm', 'x@example.com', '--password-stdin'], {
    stdin: PASSWORD,
  });
  expect(wrong.code).toBe(64);
  const line = ['account', 'delete', '--confirm', 'ada.journey@example.com', '--password-stdin'];
  // the unlocks are asked for, and a script has to answer
  const asked = await tonerow(line, { stdin: PASSWORD });
  expect([asked.code, asked.err]).toEqual([
    2,
    expect.stringContaining('1 product without a published unlock for good'),
  ]);
  const { id } = await json(['whoami']);
  const gone = await tonerow([...line, '--unlock', 'owners'], { stdin: PASSWORD });
  expect(gone.err).toContain('Account deleted successfully.');
  const unlocks = await server.db.query('select audience from product_unlocks where developer_id = $1', [id]);
  expect(unlocks).toEqual([{ audience: 'owners' }]);
  expect(
    (await call(server, 'POST', '/api/auth/login', { body: { email: 'ada.journey@example.com', password: PASSWORD } }))
      .status,
  ).toBe(401);
  expect((await tonerow(['whoami'])).code).toBe(4);
});
