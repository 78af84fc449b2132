import { chmod, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { runCommand, wordsOf } from '@tonerow/test-support/cli.ts';
import { cliSuite } from '@tonerow/test-support/cli-suite.ts';
import { describe, expect, it } from 'vitest';
import { commands } from '#commands/index.ts';
import { saveProfile } from '#config/store.ts';
import { optionsOf } from '#define/options.ts';
import { serverAddress } from '#input/server-address.ts';
import { isNewer } from '#run/update-notice.ts';
import { VERSION } from '#version.ts';
import { TableParts } from './table.ts';

const { fake, home, run } = cliSuite();

const key = { id: '01900000-0000-7000-8000-000000000001', label: 'Prism', hint: 'abcd', isActive: true };
const other = { ...key, id: '01900000-0000-7000-8000-000000000002', label: 'Echo' };
const withKeys = (...keys: object[]) => {
  fake.answers['GET /api/developer/plugin-keys'] = [200, { keys }];
};
const writes = () => fake.seen.filter(({ method }) => method !== 'GET');

describe('JSON', () => {
  it('can be cut down to fields, by --fields or after --json=', async () => {
    withKeys(key, other);
    const expected = [
      { id: key.id, label: 'Prism' },
      { id: other.id, label: 'Echo' },
    ];
    expect(JSON.parse((await run(['keys', 'list', '--fields', 'id,label'])).out)).toEqual(expected);
    expect(JSON.parse((await run(['keys', 'list', '--json=id,label'])).out)).toEqual(expected);
  });

  it('refuses fields that there are not, before anything is done', async () => {
    const { code, out, err } = await run(['keys', 'create', 'New', '--fields', 'plaintext,nope']);
    expect([code, out]).toEqual([64, '']);
    expect(JSON.parse(err).message).toBe('Unknown field "nope". The fields are: key, ok, plaintext.');
    expect((await run(['keys', 'list', '--json='])).err).toContain('Name the fields');
    expect((await run(['license', 'keyfile', 'X', '--fields', 'id'])).err).toContain('Unknown field');
    expect(fake.seen).toEqual([]);
  });

  it('goes through a jq program, which is tried before anything is done', async () => {
    withKeys(key, other);
    expect((await run(['keys', 'list', '--jq', '.[] | select(.label == "Echo").id'])).out).toBe(`${other.id}\n`);
    expect((await run(['keys', 'list', '--json=label', '--jq', '.[0]|keys|join("+")'])).out).toBe('label\n');
    const wrong = await run(['keys', 'create', 'New', '--jq', '.plaintext |']);
    expect([wrong.code, JSON.parse(wrong.err).message]).toEqual([
      64,
      expect.stringContaining('not a valid jq program: syntax'),
    ]);
    expect(writes()).toEqual([]);
    const failed = await run(['keys', 'list', '--jq', '.label']);
    expect([failed.code, JSON.parse(failed.err).message]).toEqual([1, expect.stringContaining('Cannot index array')]);
  });
});

describe('a list that is cut to its first rows', () => {
  const rows = Array.from({ length: 101 }, (_, n) => ({ id: `id-${n}`, code: `CODE-${n}` }));
  const more = 'More rows are available: use --all';
  it('shows that where no limit was given, to people and to scripts', async () => {
    fake.answers['GET /api/serials'] = [200, { rows, total: 101, next_cursor: null }];
    for (const [options, expected] of [
      [[], more],
      [['--json'], `{"code":"more_rows","message":"${more}`],
      [['--jq', 'length'], `{"code":"more_rows","message":"${more}`],
      [['--limit', '5'], ''],
      [['--limit', '5', '--json'], ''],
      [['--json', '--quiet'], ''],
      [['--json', '--all'], ''],
    ] as const) {
      const { err } = await run(['serials', 'list', ...options]);
      if (expected === '') expect([options, err]).toEqual([options, '']);
      else expect([options, err]).toEqual([options, expect.stringContaining(expected)]);
    }
  });
});

describe('a table in parts', () => {
  it('keeps the columns of what was printed before', () => {
    const table = new TableParts(['NO', 'NAME']);
    expect(stripVTControlCharacters(table.part([['1', 'a long name']]))).toBe('NO  NAME\n1   a long name\n');
    expect(table.part([['2', 'b']])).toBe('2   b\n');
    expect(table.part([['1234', 'c']])).toBe('1234  c\n');
  });
});

describe('color', () => {
  it('is for people at a terminal, unless overridden', async () => {
    withKeys(key);
    const bold = '\u001b[1m';
    for (const [line, env, colored] of [
      [[], {}, false],
      [['--color=always'], {}, true],
      [['--color', 'always'], { NO_COLOR: '1' }, true],
      [[], { FORCE_COLOR: '1' }, true],
      [[], { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
      [['--color', 'never'], { FORCE_COLOR: '1' }, false],
    ] as const) {
      const { out } = await run(['keys', 'list', ...line], { env });
      expect(out.includes(bold), JSON.stringify([line, env])).toBe(colored);
    }
    expect((await run(['keys', 'list', '--color', 'pink'])).code).toBe(64);
    const failed = await run(['keys', 'reveal', 'nothing', '--color', 'always']);
    expect(failed.err.startsWith('\u001b[31mYou have no plugin key')).toBe(true);
  });
});

describe('a name', () => {
  it('of a plugin key resolves to its id, in any case, and only when it is unique', async () => {
    withKeys(key, other);
    fake.answers[`POST /api/developer/plugin-keys/${other.id}/rotate`] = [201, { plaintext: 'tnr_plg_2', key: other }];
    expect((await run(['keys', 'rotate', 'echo'])).out).toBe('tnr_plg_2\n');
    const none = await run(['keys', 'delete', 'Ech', '--yes']);
    expect([none.code, none.err]).toEqual([1, 'You have no plugin key named "Ech". "tonerow keys list" shows them.\n']);
    withKeys(key, { ...other, label: 'prism' });
    const both = await run(['keys', 'delete', 'Prism', '--yes']);
    expect([both.code, both.err.includes(key.id), both.err.includes(other.id)]).toEqual([1, true, true]);
    expect(writes()).toHaveLength(1);
  });

  it('of a plugin key means the new one while a rotated one still works, but not for what takes a key away', async () => {
    const ends = '2027-01-02T10:00:00.000Z';
    withKeys({ ...key, expires_at: ends }, { ...other, label: 'Prism', expires_at: null });
    fake.answers[`POST /api/developer/plugin-keys/${other.id}/rotate`] = [
      201,
      { plaintext: 'tnr_plg_3', key: { ...other, label: 'Prism' } },
    ];
    const again = await run(['keys', 'rotate', 'Prism', '--grace', '12h']);
    expect([again.code, again.out]).toEqual([0, 'tnr_plg_3\n']);
    const gone = await run(['keys', 'delete', 'Prism', '--yes']);
    expect([gone.code, gone.err]).toEqual([1, expect.stringContaining(`${other.id} (current)`)]);
    expect(gone.err).toContain(`${key.id} (rotated, until 2027-01-02`);
    expect(writes()).toHaveLength(1);
  });

  it('of an access token too', async () => {
    fake.answers['GET /api/account/tokens'] = [200, [{ id: key.id, name: 'ci' }]];
    fake.answers[`DELETE /api/account/tokens/${key.id}`] = [200, { ok: true }];
    expect((await run(['tokens', 'delete', 'ci', '--yes'])).err).toBe('The token has been deleted.\n');
  });
});

describe('the address of a server', () => {
  it.each([
    ['127.0.0.1:4711', 'Use http://127.0.0.1:4711.'],
    ['localhost:4000', 'Use http://localhost:4000.'],
    ['nas:4000/licenses', 'Use http://nas:4000/licenses.'],
    ['licenses.example.com', 'Use https://licenses.example.com.'],
    ['//licenses.example.com', 'Use https://licenses.example.com.'],
    ['ftp://licenses.example.com', 'Use https://licenses.example.com.'],
    ['http://', 'such as https://licenses.example.com'],
    ['what is this', 'such as https://licenses.example.com'],
    ['https://licenses.example.com?x=1', 'Remove everything'],
    ['https://ada:secret@licenses.example.com', 'TONEROW_TOKEN'],
  ])('%s is not enough', async (text, advice) => {
    const { code, out, err } = await run(['keys', 'list'], { env: { TONEROW_URL: text } });
    expect([code, out]).toEqual([64, '']);
    expect(err).toContain('TONEROW_URL');
    expect(err).toContain(advice);
    expect(err).not.toContain('secret');
  });

  it('may end with slashes and have a path', () => {
    expect(serverAddress(' https://example.com/licenses// ', '--url')).toBe('https://example.com/licenses');
  });

  it('is the default when the variable is empty', async () => {
    withKeys();
    expect((await run(['keys', 'list', '--url', fake.url], { env: { TONEROW_URL: '' } })).code).toBe(0);
  });
});

describe('signing out', () => {
  it('leaves the stored sign-in alone while TONEROW_TOKEN is the credential', async () => {
    await saveProfile({ XDG_CONFIG_HOME: home }, 'default', { url: fake.url, token: 'stored' });
    const config = path.join(home, 'tonerow/config.json');
    const before = await readFile(config, 'utf8');
    fake.answers['POST /api/auth/logout'] = [200, { ok: true }];
    const access = await run(['logout']);
    expect([access.code, access.err.includes('holds an access token')]).toEqual([1, true]);
    expect(fake.seen).toEqual([]);
    expect((await run(['logout'], { env: { TONEROW_TOKEN: 'session' } })).code).toBe(0);
    expect(fake.seen[0]?.authorization).toBe('Bearer session');
    expect(await readFile(config, 'utf8')).toBe(before);
    expect((await run(['logout'], { env: { TONEROW_TOKEN: '' } })).err).toBe('Signed out.\n');
    expect(fake.seen[1]?.authorization).toBe('Bearer stored');
    expect(await readFile(config, 'utf8')).not.toContain('stored');
  });
});

describe('a file', () => {
  const file = (name: string) => path.join(home, name);
  const mode = async (name: string) => ((await stat(file(name))).mode & 0o777).toString(8);

  it('is replaced only with --force, and nothing is asked of the server before that is known', async () => {
    fake.answers['GET /api/customers/export'] = [200, 'Email\nnew@example.com\n'];
    await writeFile(file('customers.csv'), 'precious');
    const refused = await run(['customers', 'export', '--out', file('customers.csv')]);
    expect([refused.code, refused.err.includes('already exists'), fake.seen.length]).toEqual([1, true, 0]);
    expect(await readFile(file('customers.csv'), 'utf8')).toBe('precious');
    const line = ['serials', 'import', 'available', file('customers.csv'), '--report', file('customers.csv')];
    expect((await run(line)).err).toContain('already exists');
    expect(fake.seen).toEqual([]);
    expect((await run(['customers', 'export', '--out', file('customers.csv'), '--force'])).code).toBe(0);
    expect(await readFile(file('customers.csv'), 'utf8')).toBe('Email\nnew@example.com\n');
    expect((await readdir(home)).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('is its owner’s alone where serials, keys or people are in it', async () => {
    fake.answers['GET /api/customers/export'] = [200, 'Email\n'];
    fake.answers['GET /api/serials'] = [200, 'Serial\n'];
    fake.answers['GET /api/imports/demo/available'] = [200, 'Serial,Product\n'];
    await run(['customers', 'export', '--out', file('people.csv')]);
    await run(['serials', 'export', 'available', '--out', file('codes.csv')]);
    await run(['serials', 'demo', 'available', '--out', file('demo.csv')]);
    expect([await mode('people.csv'), await mode('codes.csv'), await mode('demo.csv')]).toEqual(['600', '600', '644']);
    await chmod(file('codes.csv'), 0o644);
    await run(['serials', 'export', 'available', '--out', file('codes.csv'), '--force']);
    expect(await mode('codes.csv')).toBe('600');
  });
});

describe('a server that hangs', () => {
  it('is reported, to people and to scripts', async () => {
    const hung = createServer((_request, response) => {
      setTimeout(() => response.writeHead(200, { 'content-type': 'application/json' }).end('{"keys":[]}'), 300);
    });
    await new Promise<void>((resolve) => hung.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(hung.address() as { port: number }).port}`;
    const message = `Still waiting for ${url}, which has not responded for 0.05 s …`;
    const said = (...more: string[]) =>
      run(['keys', 'list', ...more], { env: { TONEROW_URL: url }, slowSeconds: 0.05 });
    expect(await said()).toMatchObject({ code: 0, err: `${message}\n` });
    expect(JSON.parse((await said('--json')).err)).toEqual({ code: 'waiting', message });
    expect((await said('--quiet')).err).toBe('');
    hung.close();
  });
});

describe('what the server left out', () => {
  it('is named after the result, with the scope that the access token needs, and not in JSON', async () => {
    const withheld = 'people; needs="customers:read", codes; needs="sales:read or stock:read"';
    const page = { rows: [], total: 0, next_cursor: null };
    fake.answers['GET /api/serials'] = [200, page, { 'x-tonerow-withheld': withheld }];
    const list = (...more: string[]) => run(['serials', 'list', ...more]);
    expect((await list()).err).toBe(
      'Codes of serials are left out: the access token has no sales:read or stock:read.\n' +
        'Names and email addresses of customers are left out: the access token has no customers:read.\n',
    );
    for (const quiet of ['--json', '--quiet']) expect((await list(quiet)).err).toBe('');
    fake.answers['GET /api/serials'] = [200, page];
    expect((await list()).err).toBe('');
  });
});

describe('a newer server', () => {
  const answer = (version: string) => {
    fake.answers['GET /api/developer/plugin-keys'] = [200, { keys: [] }, { 'x-tonerow-version': version }];
  };
  const list = (env: Record<string, string> = {}, tty = true) =>
    runCommand(['keys', 'list'], {
      env: { HOME: home, XDG_CONFIG_HOME: home, TONEROW_URL: fake.url, TONEROW_TOKEN: 't', NO_COLOR: '1', ...env },
      tty,
    });

  it('is mentioned once a day, to a person, and never in CI or where it is not wanted', async () => {
    answer('99.0.0');
    for (const [env, tty] of [
      [{ CI: 'true' }, true],
      [{ TONEROW_NO_UPDATE_NOTIFIER: '1' }, true],
      [{}, false],
    ] as const)
      expect((await list(env, tty)).err).toBe('');
    expect((await list()).err).toBe(
      `\nThe server runs Tonerow 99.0.0, this client is ${VERSION}. To update it: npm install --global ${fake.url}/cli/tonerow.tgz\n`,
    );
    expect((await list()).err).toBe('');
    const file = path.join(home, '.local/state/tonerow/update-notice.json');
    await writeFile(file, `${Date.now() - 86_400_001}\n`);
    expect((await list()).err).toContain('99.0.0');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    // the same one, or an older one, is no news
    await rm(file);
    for (const version of [VERSION, '0.0.9', 'nonsense']) {
      answer(version);
      expect((await list()).err).toBe('');
    }
  });

  it.each([
    ['0.2.0', '0.1.9', true],
    ['0.10.0', '0.9.0', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
    ['1.0', '0.1.0', false],
    ['9.9.9-beta', '0.1.0', false],
  ])('%s against %s: %s', (version, than, newer) => {
    expect(isNewer(version, than)).toBe(newer);
  });
});

describe('help', () => {
  it('names the guides of the server in use', async () => {
    const { out } = await run(['help', 'guides'], { env: { TONEROW_URL: 'https://licenses.example.com/' } });
    expect(out).toContain('https://licenses.example.com/help/first-batch');
  });

  it('shows the examples of a command, however it is asked for', async () => {
    const asked = await run(['help', 'serials', 'revoke']);
    const flagged = await run(['serials', 'revoke', '--help']);
    expect(asked.out).toContain('Examples:\n  tonerow serials revoke ABCD-EFGH-2345-6789 --dry-run\n');
    expect(flagged.out).toBe(asked.out);
  });

  it('has an example for every command, which names no other command and only options that it has', async () => {
    for (const command of commands) {
      expect(command.examples.length, command.path).toBeGreaterThan(0);
      const names = optionsOf(command).map(({ flags }) => flags.split(' ')[0]);
      for (const example of command.examples) {
        const words = wordsOf(example);
        expect(words.join(' '), example).toMatch(new RegExp(`^${command.path}( |$)`));
        const unknown = words.filter((word) => word.startsWith('--') && !names.includes(word.split('=')[0] as string));
        expect(unknown, example).toEqual([]);
      }
    }
  });
});

describe('a CSV', () => {
  const text = 'Name\r\nŁódź\r\n';

  it('begins with a byte order mark for spreadsheets under --bom, and with its header otherwise', async () => {
    fake.answers['GET /api/products/export'] = [200, text];
    expect((await run(['products', 'export'])).out).toBe(text);
    expect((await run(['products', 'export', '--bom'])).out).toBe(`\ufeff${text}`);
    const file = path.join(home, 'products.csv');
    await run(['products', 'export', '--bom', '--out', file]);
    expect((await readFile(file)).toString()).toBe(`\ufeff${text}`);
  });

  it('that the terminal makes itself does the same', async () => {
    fake.answers['GET /api/reseller/invites/sent'] = [
      200,
      { rows: [{ id: key.id, email: 'łódź@example.com' }], total: 1, next_cursor: null },
    ];
    const plain = (await run(['invites', 'sent', '--csv'])).out;
    expect(plain).toMatch(/^id,email,/);
    expect((await run(['invites', 'sent', '--csv', '--bom'])).out).toBe(`\ufeff${plain}`);
  });

  it('has that option on every command that gives one, and lines of JSON never have the mark', async () => {
    const without = commands.filter(
      (each) =>
        ('csv' in each.options || 'out' in each.options) && !optionsOf(each).some(({ flags }) => flags === '--bom'),
    );
    expect(without).toEqual([]);
    fake.answers['GET /api/serials'] = [200, '{}\n', { 'content-type': 'application/x-ndjson' }];
    expect((await run(['serials', 'list', '--out', '-', '--format', 'ndjson', '--bom'])).out).toBe('{}\n');
  });
});

it('shows that a change of many takes its time, as a line for people and as JSON for scripts', async () => {
  const server = createServer((request, response) => {
    request.resume();
    // longer than it takes until progress is told
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ count: 3, skipped: 0 }));
    }, 60);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = { TONEROW_URL: `http://127.0.0.1:${(server.address() as { port: number }).port}` };
  try {
    const line = ['serials', 'change-matching', 'revoke', '--yes'];
    const human = await run(line, { env, slowSeconds: 0.02 });
    expect([human.code, human.err]).toEqual([0, expect.stringMatching(/Counting …\n(.*\n)*Changing …\n/)]);
    expect(human.err).not.toContain('has not responded');
    const json = await run([...line, '--json'], { env, slowSeconds: 0.02 });
    const said = json.err
      .trim()
      .split('\n')
      .map((each) => JSON.parse(each));
    expect(said).toContainEqual({ code: 'progress', message: 'Changing …' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
