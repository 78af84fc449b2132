import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { startFakeServer } from '@tonerow/test-support/fake-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';

let home: string;
let fake: Awaited<ReturnType<typeof startFakeServer>>;

beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-cli-'));
  fake = await startFakeServer();
});
afterAll(async () => {
  fake.close();
  await rm(home, { recursive: true, force: true });
});
beforeEach(() => fake.reset());

function run(line: string[], given: { env?: Record<string, string>; stdin?: string; signal?: AbortSignal } = {}) {
  const env = { XDG_CONFIG_HOME: home, HOME: home, TONEROW_URL: fake.url, TONEROW_TOKEN: 'tnr_pat_x', ...given.env };
  return runCommand(line, { ...given, env });
}

const product = {
  id: '01900000-0000-7000-8000-000000000001',
  name: 'Reverb',
  version: 1,
  is_draft: false,
  price: 49,
  sale_price: null,
  serials_available: 3,
  figures: { generated: 5, redeemed: 2, revenue: 98, days_left: null, file_version: null },
  feature_list: [],
  file_urls: [],
};
const serial = (code: string) => ({
  id: `id-${code}`,
  code,
  product: 'Reverb',
  revoked: false,
  redeemed_at: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

describe('output', () => {
  it('is a table for people, JSON on request, and chosen fields of it', async () => {
    fake.answers = { 'GET /api/products': [200, [product]] };
    const human = await run(['products', 'list']);
    expect(human.code).toBe(0);
    expect(human.out).toMatch(
      /NAME +STATE +PRICE +SERIALS +REDEEMED +REVENUE +ID\nReverb +submitted +\$49.00 +3 +2 +\$98.00 +01900000\S+\n/,
    );
    expect(human.out).not.toContain('\u001b');
    expect(JSON.parse((await run(['products', 'list', '--json'])).out)).toEqual([product]);
    expect(JSON.parse((await run(['products', 'list', '--fields', 'id,name'])).out)).toEqual([
      { id: product.id, name: 'Reverb' },
    ]);
    expect(fake.seen[0]?.authorization).toBe('Bearer tnr_pat_x');
  });

  it('names the fields for a word after --json that can be nothing else', async () => {
    for (const line of [
      ['products', 'list'],
      ['shops', 'list'],
    ]) {
      const { code, err } = await run([...line, '--json', 'nope']);
      expect([code, err]).toEqual([64, (await run([...line, '--json=nope'])).err]);
      expect(JSON.parse(err).message).toMatch(/^Unknown field "nope"\. The fields are: .*\bname\b/);
    }
  });

  it('keeps talk on stderr, and drops it when quiet', async () => {
    fake.answers = {
      'POST /api/developer/plugin-keys': [201, { ok: true, plaintext: 'tnr_plg_1', key: { id: 'k', label: 'Mine' } }],
    };
    const made = await run(['keys', 'create', 'Mine']);
    expect([made.out, made.err.includes('keys reveal k')]).toEqual(['tnr_plg_1\n', true]);
    expect((await run(['keys', 'create', '--quiet'])).err).toBe('');
  });

  it('lets no control characters of a name reach the terminal', async () => {
    fake.answers = { 'GET /api/products': [200, [{ ...product, name: 'Re\u001b[2Jverb' }]] };
    expect((await run(['products', 'list'])).out).toContain('Re[2Jverb');
  });
});

describe('exit codes', () => {
  it.each([
    [401, { code: 'invalid_token', message: 'No.' }, 4],
    [403, { code: 'insufficient_scope', message: 'No scope.' }, 4],
    [403, { code: 'quota_reached', message: 'Used up.' }, 5],
    [404, { code: 'not_found', message: 'None.' }, 1],
    [422, { code: 'domain_rule', message: 'No.' }, 1],
  ])('of status %i (%o) is %i', async (status, body, code) => {
    fake.answers = { 'GET /api/products': [status, body] };
    const answer = await run(['products', 'list']);
    expect([answer.code, answer.out]).toEqual([code, '']);
    expect(answer.err).toContain(body.message);
    expect(answer.err).toContain('Request id: r-1');
    const json = await run(['products', 'list', '--json']);
    expect(JSON.parse(json.err)).toMatchObject({ code: body.code, request_id: 'r-1' });
  });

  it('names TONEROW_TOKEN where that is what was refused, and the scope that it lacks', async () => {
    const refused = async (status: number, code: string, message: string) => {
      fake.answers = { 'GET /api/auth/me': [status, { code, message }] };
      const { code: ended, err } = await run(['whoami']);
      expect([ended, err.includes('Sign in again')]).toEqual([4, false]);
      return err;
    };
    expect(await refused(401, 'invalid_token', 'No.')).toContain(
      'The credential comes from TONEROW_TOKEN: replace it, or unset it to use "tonerow login".',
    );
    const session = 'This requires a signed-in session; access tokens cannot be used.';
    expect(await refused(403, 'forbidden', session)).toContain('TONEROW_TOKEN: unset it');
    const lacks = 'The access token is missing the scope account:read.';
    expect(await refused(403, 'insufficient_scope', lacks)).toContain('--scope account:read\n');
    const either = 'The access token is missing the scope serials:read or serials:write.';
    expect(await refused(403, 'insufficient_scope', either)).toContain('--scope serials:read\n');
  });

  it('takes --no-color as --color never, also next to a --color of another meaning', async () => {
    const env = { FORCE_COLOR: '1' };
    fake.answers = { 'GET /api/products': [500, { code: 'internal', message: 'No.' }, { 'x-should-retry': 'false' }] };
    expect((await run(['products', 'list'], { env })).err).toContain('\u001b[31m');
    expect((await run(['products', 'list', '--no-color'], { env })).err).not.toContain('\u001b');
    expect((await run(['branding', 'set', '--no-color', '--nonsense'], { env })).err).toContain('--nonsense');
  });

  it('is 5 when the server limits the rate', async () => {
    fake.answers = { 'GET /api/products': [429, { code: 'rate_limited', message: 'Slow.' }, { 'retry-after': '0' }] };
    expect((await run(['products', 'list'])).code).toBe(5);
  });

  it('is 64 for a command that was written wrongly, with a hint', async () => {
    const wrong = await run(['serials', 'genrate']);
    expect([wrong.code, wrong.err.includes('Did you mean generate?')]).toEqual([64, true]);
    for (const line of [
      ['serials', 'generate'],
      ['products', 'create'],
      ['products', 'list', '--nonsense'],
      ['serials', 'generate', '--product', product.id, '--quantity', 'many'],
      ['api', 'GET', 'x'],
      ['tokens', 'create', 'x'],
    ]) {
      expect((await run(line)).code, line.join(' ')).toBe(64);
    }
  });

  it('is the same where options of every command come before it', async () => {
    fake.answers = { 'GET /api/products': [200, [product]] };
    const after = await run(['products', 'list', '--json', 'id', '--url', fake.url]);
    expect(await run(['--url', fake.url, '--json', 'products', 'list', '--json=id'])).toEqual(after);
    const other = await run(['--profile', 'nope', 'whoami'], { env: { TONEROW_TOKEN: '' } });
    expect([other.code, other.err]).toEqual([4, expect.stringContaining('with profile "nope"')]);
  });

  it('is 64 for what other tools call it, with what it is here, and 0 for the name alone', async () => {
    for (const [line, meant] of [
      ['auth login', 'tonerow login'],
      ['auth logout --json', 'tonerow logout'],
      ['auth status', 'tonerow whoami'],
      ['doctor', 'tonerow-server doctor'],
      ['config', 'tonerow whoami'],
    ] as const) {
      const { code, out, err } = await run(line.split(' '));
      expect([code, out], line).toEqual([64, '']);
      expect(err.replaceAll('\\"', '"'), line).toContain(`Did you mean "${meant}"?`);
    }
    expect(await run([])).toMatchObject({ code: 0, err: '', out: (await run(['--help'])).out });
  });

  it('is 64 for help of a command that a noun has not, and its own help has examples', async () => {
    const unknown = await run(['shops', 'item', '--help']);
    expect([unknown.code, unknown.out]).toEqual([64, '']);
    expect(unknown.err).toContain('There is no command "shops item". Did you mean "tonerow shops items"?');
    for (const noun of ['shops', 'trust', 'imports'])
      expect((await run([noun, '--help'])).out).toContain(`Examples:\n  tonerow ${noun} `);
  });

  it('shows what a command takes when an argument is missing', async () => {
    const { code, err } = await run(['customers', 'get']);
    expect(code).toBe(64);
    expect(err).toMatch(/missing required argument[\s\S]*Usage: tonerow customers get <\w+>\n {2}<\w+> {2}\S/);
  });

  it('prints nothing but JSON for what is not valid, with the usage in its hint', async () => {
    const missing = { code: 'usage', message: "missing required argument 'name'" };
    for (const options of [['--json'], ['--json', 'id,name'], ['--jq', '.id'], ['-t', '{{.id}}'], ['--fields=id']])
      for (const line of [
        ['products', 'create', ...options],
        [...options, 'products', 'create'],
      ]) {
        const { code, out, err } = await run(line);
        expect([code, out, JSON.parse(err)], line.join(' ')).toEqual([
          64,
          '',
          { ...missing, hint: 'Usage: tonerow products create <name>' },
        ]);
      }
    expect(fake.seen).toEqual([]);
    for (const [line, message, hint] of [
      ['products', '"tonerow products" needs a command.', 'Its commands are: list, get, show,'],
      ['products list --nope', "unknown option '--nope'", 'Usage: tonerow products list'],
      ['nope', "unknown command 'nope'", undefined],
      ['products lst', "unknown command 'lst'", 'Its commands are: list'],
    ] as const) {
      const { code, err } = await run([...line.split(' '), '--json']);
      const read = JSON.parse(err) as { message: string; hint?: string };
      expect([code, read.message], line).toEqual([64, expect.stringContaining(message)]);
      if (hint) expect(read.hint).toContain(hint);
      else expect(read).not.toHaveProperty('hint');
    }
  });

  it('is 4 without a credential, with a hint how to get one', async () => {
    const answer = await run(['products', 'list'], { env: { TONEROW_TOKEN: '' } });
    expect([answer.code, answer.err.includes('TONEROW_TOKEN'), answer.err.includes('tonerow login')]).toEqual([
      4,
      true,
      true,
    ]);
  });

  it('is 1 when there is no server', async () => {
    const answer = await run(['whoami'], { env: { TONEROW_URL: 'http://127.0.0.1:49' } });
    expect([answer.code, answer.err.includes('TONEROW_URL')]).toEqual([1, true]);
  }, 20_000);

  it.each(['/proc/nope', '/dev/null'])(
    'is 0 where state cannot be kept in %s, with one warning before it is sent',
    async (folder) => {
      fake.answers = {
        'POST /api/developer/plugin-keys': [201, { ok: true, plaintext: 'tnr_plg_1', key: { id: 'k' } }],
      };
      const { code, out, err } = await run(['keys', 'create', 'Mine'], { env: { XDG_STATE_HOME: folder } });
      expect([code, out]).toEqual([0, 'tnr_plg_1\n']);
      expect(err).toMatch(new RegExp(`^Warning: ${folder}/tonerow/unanswered cannot be written to \\(E[A-Z]+\\)`));
      expect(err.match(/Warning/g)).toHaveLength(1);
    },
  );

  it('is 2 when it was canceled', async () => {
    const controller = new AbortController();
    controller.abort(new DOMException('Canceled.', 'AbortError'));
    expect((await run(['products', 'list'], { signal: controller.signal })).code).toBe(2);
  });

  it('is 3 when some of several fail, and names them', async () => {
    fake.answers = {
      'GET /api/serials': [200, { rows: [serial('AAAA-1')], total: 1, next_cursor: null }],
      'PATCH /api/serials/revoke/id-AAAA-1': [200, { ...serial('AAAA-1'), revoked: true }],
    };
    const answer = await run(['serials', 'revoke', 'aaaa 1', 'BBBB-2']);
    expect(answer.code).toBe(3);
    expect(answer.err).toContain('Revoked AAAA-1');
    expect(answer.err).toContain('BBBB-2: There is no serial BBBB-2.');
    expect(answer.err).toContain('1 of 2 failed.');
    const forScripts = await run(['serials', 'revoke', 'aaaa 1', 'BBBB-2', '--json']);
    expect(JSON.parse(forScripts.err)).toEqual({
      code: 'partial',
      message: '1 of 2 failed.',
      failures: [{ item: 'BBBB-2', code: 'not_found', message: expect.stringContaining('There is no serial BBBB-2.') }],
    });
  });
});

describe('without a terminal', () => {
  it('no command waits for an answer', async () => {
    fake.answers = {
      'GET /api/auth/me': [200, { email: 'a@b.c' }],
      'GET /api/products': [200, [product]],
      [`GET /api/products/${product.id}`]: [200, product],
    };
    for (const command of commands) {
      const args = (command.args ?? [])
        .filter(([name]) => name.startsWith('<'))
        .map(([name]) => (name === '<role>' ? 'developer' : name === '<product>' ? product.id : 'x'));
      const outcome = await Promise.race([
        run([...command.path.split(' '), ...args]),
        new Promise<null>((resolve) => setTimeout(() => resolve(null), 5000)),
      ]);
      expect(outcome, command.path).not.toBeNull();
    }
  }, 60_000);

  it('asks for the flag instead of asking the person', async () => {
    const login = await run(['login', '--email', 'a@b.c']);
    expect([login.code, login.err.includes('--password-stdin')]).toEqual([64, true]);
    fake.answers = { [`GET /api/products/${product.id}`]: [200, product] };
    const removal = await run(['products', 'delete', product.id]);
    expect([removal.code, removal.err.includes('--yes')]).toEqual([64, true]);
    expect(fake.seen.every((request) => request.method !== 'DELETE')).toBe(true);
  });
});

describe('signing in', () => {
  it('keeps the token in a file of its owner, by profile, and TONEROW_TOKEN wins over it', async () => {
    fake.answers = {
      'POST /api/auth/login': [200, { token: 'session-1', user: { email: 'ada@example.com' } }],
      'GET /api/products': [200, []],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const env = { TONEROW_TOKEN: '' };
    expect(
      (
        await run(['login', '--email', 'ada@example.com', '--password-stdin', '--profile', 'work'], {
          env,
          stdin: 'a secret\n',
        })
      ).code,
    ).toBe(0);
    expect(JSON.parse(fake.seen[0]?.body ?? '')).toEqual({ email: 'ada@example.com', password: 'a secret' });
    const file = path.join(home, 'tonerow/config.json');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(await readFile(file, 'utf8')).profiles.work).toMatchObject({ token: 'session-1', url: fake.url });
    await run(['products', 'list', '--profile', 'work'], { env });
    expect(fake.seen.at(-1)?.authorization).toBe('Bearer session-1');
    await run(['products', 'list'], { env: { TONEROW_PROFILE: 'work' } });
    expect(fake.seen.at(-1)?.authorization).toBe('Bearer tnr_pat_x');
    expect((await run(['logout', '--profile', 'work'], { env })).code).toBe(0);
    expect((await run(['products', 'list', '--profile', 'work'], { env })).code).toBe(4);
  });

  it('shows the server that it is a known device, also after logging out', async () => {
    fake.answers = {
      'POST /api/auth/login': [200, { token: 's', user: { email: 'a@example.com' }, device_token: 'tnr_dev_1' }],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const login = () =>
      run(['login', '--email', 'a@example.com', '--password-stdin', '--profile', 'known'], {
        env: { TONEROW_TOKEN: '' },
        stdin: 'a secret\n',
      });
    await login();
    await run(['logout', '--profile', 'known'], { env: { TONEROW_TOKEN: '' } });
    await login();
    const bodies = fake.seen
      .filter((each) => each.url.endsWith('/api/auth/login'))
      .map((each) => JSON.parse(each.body));
    expect(bodies.map((body) => body.device_token)).toEqual([undefined, 'tnr_dev_1']);
  });

  it('takes any word for a profile, also one that every object has', async () => {
    fake.answers = { 'GET /api/auth/me': [200, { email: 'ci@example.com' }], 'GET /api/products': [200, []] };
    const env = { TONEROW_TOKEN: '' };
    for (const profile of ['__proto__', 'constructor']) {
      expect((await run(['products', 'list', '--profile', profile], { env })).code).toBe(4);
      const login = ['login', '--with-token', '--profile', profile];
      expect((await run(login, { env, stdin: `tnr_pat_${profile}\n` })).code).toBe(0);
      expect((await run(['products', 'list', '--profile', profile], { env })).code).toBe(0);
      expect(fake.seen.at(-1)?.authorization).toBe(`Bearer tnr_pat_${profile}`);
    }
  });

  it('sends a stored token to no other server than the one it is for', async () => {
    fake.answers = {
      'GET /api/auth/me': [200, { email: 'a@example.com' }],
      'GET /api/products': [200, []],
      'POST /api/auth/logout': [200, { ok: true }],
    };
    const env = { TONEROW_TOKEN: '', TONEROW_URL: '' };
    const other = await startFakeServer();
    other.answers = { 'GET /api/products': [200, []] };
    try {
      const login = ['login', '--with-token', '--profile', 'here', '--url', fake.url];
      expect((await run(login, { env, stdin: 'tnr_ses_mine\n' })).code).toBe(0);
      const list = ['products', 'list', '--profile', 'here'];
      for (const answer of [
        await run([...list, '--url', other.url], { env }),
        await run(list, { env: { ...env, TONEROW_URL: other.url } }),
        await run(['logout', '--profile', 'here', '--url', other.url], { env }),
        await run(['api', 'GET', '/api/products', '--profile', 'here', '--url', other.url], { env }),
      ]) {
        expect([answer.code, answer.out]).toEqual([4, '']);
        expect(answer.err).toContain(`is for ${fake.url}, but `);
        expect(answer.err).toContain(other.url);
      }
      expect(other.seen).toEqual([]);
      for (const same of [[], ['--url', `${fake.url}/`]]) expect((await run([...list, ...same], { env })).code).toBe(0);
      // a credential that is given with the command goes to the command's --url
      expect((await run([...list, '--url', other.url], { env: { TONEROW_TOKEN: 'tnr_pat_x' } })).code).toBe(0);
      expect(other.seen.at(-1)?.authorization).toBe('Bearer tnr_pat_x');
      expect((await run(['logout', '--profile', 'here'], { env })).code).toBe(0);
    } finally {
      other.close();
    }
  });

  it('takes a token from standard input', async () => {
    fake.answers = { 'GET /api/auth/me': [200, { email: 'ci@example.com' }] };
    expect((await run(['login', '--with-token', '--profile', 'ci'], { stdin: 'tnr_pat_abc\n' })).code).toBe(0);
    expect(fake.seen[0]?.authorization).toBe('Bearer tnr_pat_abc');
    expect((await run(['login', '--with-token'], { stdin: '' })).code).toBe(64);
  });
});

describe('files', () => {
  const csv = `Serial,Product\r\n${Array.from({ length: 60_000 }, (_, i) => `CODE-${i},Reverb\r\n`).join('')}`;
  const batch = () => {
    fake.answers = {
      [`GET /api/products/${product.id}`]: [200, product],
      'POST /api/serials/generate': [201, csv, { 'x-total-count': '60000', 'x-batch-id': 'b' }],
    };
  };

  it('hold the whole stream', async () => {
    batch();
    const out = path.join(home, 'serials.csv');
    const answer = await run(['serials', 'generate', '--product', product.id, '--quantity', '60000', '--out', out]);
    expect([answer.code, answer.out]).toEqual([0, '']);
    expect(await readFile(out, 'utf8')).toBe(csv);
    expect(answer.err).toContain(`60000 serials are in ${out}.`);
  });

  it('can be standard output', async () => {
    batch();
    expect((await run(['serials', 'generate', '--product', product.id, '--quantity', '60000'])).out).toBe(csv);
  });

  it('are not left half written, nor written where they cannot be', async () => {
    batch();
    await writeFile(path.join(home, 'keep.csv'), 'old');
    const controller = new AbortController();
    controller.abort(new DOMException('Canceled.', 'AbortError'));
    const cancelled = await run(
      ['serials', 'generate', '--product', product.id, '--quantity', '60000', '--out', path.join(home, 'keep.csv')],
      { signal: controller.signal },
    );
    expect([cancelled.code, await readFile(path.join(home, 'keep.csv'), 'utf8')]).toEqual([2, 'old']);
    const nowhere = await run([
      'serials',
      'generate',
      '--product',
      product.id,
      '--quantity',
      '60000',
      '--out',
      '/nowhere/x.csv',
    ]);
    expect(nowhere.code).toBe(1);
    expect(nowhere.err).toContain('cannot be written');
    expect(fake.seen.filter(({ method }) => method === 'POST')).toEqual([]);
  });
});

it('helps: topics, commands, completion', async () => {
  expect((await run(['help', 'exit-codes'])).out).toContain('64  usage error');
  expect((await run(['help', 'serials', 'generate'])).out).toContain('--quantity <n>');
  expect((await run(['serials', 'generate', '--help'])).code).toBe(0);
  expect((await run(['help', 'constructor'])).code).toBe(64);
  expect((await run(['analytics', '--range', 'constructor'])).code).toBe(64);
  expect((await run(['completion', 'bash'])).out).toContain('complete -F _tonerow tonerow');
  expect((await run(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/);
  expect((await run([])).code).toBe(0);
});

describe('--json with names', () => {
  it('chooses fields as gh does, and takes no argument for them', async () => {
    fake.answers = {
      'GET /api/products': [200, [product]],
      [`GET /api/products/${product.id}`]: [200, product],
    };
    const both = [{ id: product.id, name: 'Reverb' }];
    for (const line of [
      ['products', 'list', '--json', 'id,name'],
      ['products', 'list', '--json=id,name'],
      ['products', 'list', '--limit', '5', '--json', 'id,name', '--quiet'],
    ])
      expect(JSON.parse((await run(line)).out), line.join(' ')).toEqual(both);
    const one = await run(['products', 'get', 'Reverb', '--json', 'name']);
    expect(JSON.parse(one.out)).toEqual({ name: 'Reverb' });
    // the word is the product that the command needs
    expect((await run(['products', 'get', '--json', 'name'])).err).toContain('You have no product named \\"name\\"');
    expect((await run(['products', 'list', '--json', 'nonsense'])).code).toBe(64);
  });

  it('is heeded by what otherwise prints a file, and by what writes one', async () => {
    const row = serial('A-1');
    fake.answers = {
      'GET /api/serials': [200, { rows: [row], total: 1, total_exact: true, next_cursor: null }],
      'GET /api/products': [200, [product]],
      'GET /api/imports/demo/available': [200, 'Serial,Product\n'],
    };
    expect(JSON.parse((await run(['serials', 'export', 'available', '--json', 'code'])).out)).toEqual([
      { code: 'A-1' },
    ]);
    expect(JSON.parse((await run(['products', 'export', '--json=name'])).out)).toEqual([{ name: 'Reverb' }]);
    const demo = await run(['serials', 'demo', 'available', '--json']);
    expect([demo.code, demo.out, JSON.parse(demo.err).message]).toEqual([
      64,
      '',
      expect.stringContaining('--out FILE'),
    ]);
    const file = path.join(home, 'demo.csv');
    const written = await run(['serials', 'demo', 'available', '--json', '--out', file]);
    expect(JSON.parse(written.out)).toEqual({ file, bytes: 15 });
    const both = await run(['sales', 'transactions', '--csv', '--json']);
    expect([both.code, both.err]).toEqual([64, expect.stringContaining('exclude each other')]);
  });

  it('goes with a template, which is rendered row by row', async () => {
    fake.answers = { 'GET /api/products': [200, [product, { ...product, name: 'Delay' }]] };
    const template = '{{range .}}{{.name}} {{.price}}{{"\\n"}}{{end}}';
    expect((await run(['products', 'list', '-t', template])).out).toBe('Reverb 49\nDelay 49\n');
    const wrong = await run(['products', 'list', '--template', '{{range .}}']);
    expect([wrong.code, fake.seen.length, JSON.parse(wrong.err).message]).toEqual([
      64,
      1,
      '--template is not valid: {{range}} has no {{end}}.',
    ]);
    expect((await run(['products', 'list', '--jq', '.', '-t', '{{.}}'])).code).toBe(64);
  });
});

it('reads a list in pages of the size that is wanted, and counts it only for a program that needs it whole', async () => {
  fake.answers = {
    'GET /api/serials': [200, { rows: [serial('A-1')], total: 60_000, total_exact: true, next_cursor: null }],
  };
  await run(['serials', 'list', '--limit', '20']);
  await run(['serials', 'list', '--all', '--jq', '.[].code']);
  const whole = await run(['serials', 'list', '--all', '--jq', 'sort_by(.code)']);
  expect(fake.seen.map(({ url }) => url.split('?')[1])).toEqual([
    'limit=21&count=false',
    'limit=1000&count=false',
    'limit=1000',
  ]);
  expect([whole.code, whole.out, JSON.parse(whole.err).message]).toEqual([
    64,
    '',
    expect.stringContaining('more than 50,000'),
  ]);
  expect((await run(['serials', 'list', '--limit', '50001', '--jq', 'sort_by(.code)'])).code).toBe(64);
  expect(fake.seen).toHaveLength(3);
});

it('names the profile that has no sign-in, and those that there are', async () => {
  const env = { TONEROW_TOKEN: '', TONEROW_URL: '' };
  const { code, err } = await run(['whoami', '--profile', 'nope'], { env });
  expect([code, err]).toEqual([4, expect.stringContaining('You are not signed in with profile "nope".')]);
});

it('reports a domain that is not active, and a key that was refused', async () => {
  fake.answers = {
    'POST /api/developer/custom-domain': [
      200,
      { message: 'Domain activation failed.', domain: 'a.example.com', verified: false, registered: true },
    ],
    'GET /api/developer/branding/private': [200, { dns_target: 'pages.example.com' }],
    'GET /api/products': [200, [product]],
    [`GET /api/products/${product.id}`]: [200, product],
    'POST /api/serials/generate': [
      422,
      { code: 'idempotency_key_reused', message: 'This Idempotency-Key was used for a different request.' },
    ],
  };
  const failed = await run(['domains', 'add', 'a.example.com']);
  expect([failed.code, failed.err]).toEqual([3, expect.stringContaining('a.example.com is not active yet')]);
  const refused = await run(['serials', 'generate', '--product', product.id, '--idempotency-key', 'release-1']);
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('Refused. This Idempotency-Key')]);
  expect(refused.err).not.toContain('may have taken effect');
});
