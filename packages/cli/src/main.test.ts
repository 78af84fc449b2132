import { cliSuite, product, serial } from '@tonerow/test-support/cli-suite.ts';
import { describe, expect, it } from 'vitest';
import { commands } from './commands/index.ts';

const { fake, run } = cliSuite();

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
    const brand = ['branding', 'set'];
    for (const line of [
      [...brand, '--no-color'],
      ['--color', 'never', ...brand],
      [...brand, '--color=always'],
    ])
      expect((await run(line, { env })).err, line.join(' ')).toContain('Specify what to change');
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
    const message = 'You are not signed in.';
    const hint = 'Run "tonerow login", or set TONEROW_TOKEN (create one with "tonerow tokens create").';
    const list = (...more: string[]) => run(['products', 'list', ...more], { env: { TONEROW_TOKEN: '' } });
    expect(await list()).toEqual({ code: 4, out: '', err: `${message} ${hint}\n` });
    expect(JSON.parse((await list('--json')).err)).toEqual({ code: 'not_signed_in', message, hint });
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
