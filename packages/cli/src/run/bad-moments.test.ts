import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { run as runProgram } from '@tonerow/test-support/command.ts';
import { ID, json, kinds, problem } from '@tonerow/test-support/command-kinds.ts';
import { type Scene, startCutServer, type WireAnswer } from '@tonerow/test-support/cut-server.ts';
import { execaSync } from 'execa';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configFile, readProfiles, saveProfile } from '#config/store.ts';

let home: string;
let server: Awaited<ReturnType<typeof startCutServer>>;
beforeAll(async () => {
  home = await mkdtemp(path.join(tmpdir(), 'tonerow-moments-'));
  server = await startCutServer();
});
afterAll(async () => {
  server.close();
  await rm(home, { recursive: true, force: true });
});

let folders = 0;

/** A folder of its own, with a file to upload. */
async function folderOf(): Promise<string> {
  folders += 1;
  const folder = path.join(home, String(folders));
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'in.dmg'), 'abc');
  return folder;
}

const within = (folder: string, line: string[]) =>
  line.map((word) => (/^(in|out)\.\w+$/.test(word) ? path.join(folder, word) : word));

interface Given {
  env?: Record<string, string>;
  now?: () => number;
  stdin?: string;
}

/** Runs a line at the server of a scene. */
async function play(folder: string, line: string[], scene: Scene, { env, ...given }: Given = {}) {
  const { url, received } = server.play(scene);
  const ended = await runCommand(within(folder, line), {
    env: {
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      XDG_STATE_HOME: folder,
      TONEROW_URL: url,
      TONEROW_TOKEN: 'x',
      ...env,
    },
    pause: async () => undefined,
    ...given,
  });
  return { ...ended, calls: received.map(({ call }) => call) };
}

describe('a session that ends during a run', () => {
  const ended = problem(401, 'invalid_token');

  it('ends a list with the code for signing in', async () => {
    const page = { rows: [{ id: ID, code: 'A-1', product: 'Echo' }], total: 2, total_exact: true, next_cursor: 'two' };
    const call = 'GET /api/serials';
    const answers: Scene['answers'] = { [call]: json(page) };
    const scene: Scene = { answers, onCall: secondOf(call, () => (answers[call] = ended)) };
    const { code, out, err, calls } = await play(await folderOf(), ['serials', 'list', '--all'], scene);
    expect([code, out, calls.length]).toEqual([4, '', 2]);
    expect(err).toContain('The credential comes from TONEROW_TOKEN');
  });

  it('ends a create before it is done, which then is no lost answer', async () => {
    const folder = await folderOf();
    const call = 'POST /api/serials/generate';
    const answers = { [`GET /api/products/${ID}`]: json({ id: ID, name: 'Echo' }), [call]: ended };
    const line = ['serials', 'generate', '--product', ID, '--out', 'out.csv'];
    const { code, err, calls } = await play(folder, line, { answers });
    expect([code, calls.at(-1)]).toEqual([4, call]);
    expect(err).not.toContain('Idempotency key');
    expect(await readdir(path.join(folder, 'tonerow/unanswered'))).toEqual([]);
    expect(await readdir(folder)).not.toContain('out.csv');
  });

  it('ends an upload, which the next sign-in goes on with', async () => {
    const folder = await folderOf();
    const { answers, line, call } = kinds['an upload'] as (typeof kinds)[string];
    const { code } = await play(folder, line, { answers: { ...answers, [call]: ended } });
    expect([code, await readdir(folder)]).toEqual([4, ['in.dmg', 'in.dmg.tonerow-upload']]);
    const again = await play(folder, line, { answers });
    expect([again.code, again.calls.includes('POST /api/files')]).toEqual([0, false]);
  });

  it('ends a watch', async () => {
    const call = 'GET /api/events';
    const body = `event: redemption\ndata: {"serial":"A-1"}\n\n`;
    const answers: Record<string, WireAnswer> = { [call]: { status: 200, type: 'text/event-stream', body } };
    const scene: Scene = { answers, onCall: secondOf(call, () => (answers[call] = ended)) };
    const { code, out } = await play(await folderOf(), ['serials', 'watch', '--jq', '.data.serial'], scene);
    expect([code, out]).toEqual([4, 'A-1\n']);
  });
});

/** Does something when this is called for the second time. */
function secondOf(call: string, act: () => unknown) {
  let received = 0;
  return (each: string) => {
    if (each !== call) return;
    received += 1;
    if (received === 2) act();
  };
}

describe('a proxy that wants a password', () => {
  let proxy: Server;
  let address: string;
  beforeAll(async () => {
    proxy = createServer((request, response) => {
      request.resume();
      response
        .writeHead(407, { 'proxy-authenticate': 'Basic realm="x"', 'content-type': 'text/html' })
        .end('<h1>Who are you?</h1>');
    });
    proxy.on('connect', (_request, socket) => {
      socket.on('error', () => undefined);
      socket.end(
        'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n',
      );
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    proxy.closeAllConnections();
    proxy.close();
  });

  it.each(
    Object.entries(kinds).flatMap(([name, kind]) =>
      ['http', 'https'].map((protocol) => [name, protocol, kind] as const),
    ),
  )('is named to %s over %s', async (_name, protocol, kind) => {
    const folder = await folderOf();
    const env = {
      TONEROW_URL: `${protocol}://licenses.example.com`,
      [`${protocol.toUpperCase()}_PROXY`]: address.replace('http://', 'http://ada:wrong@'),
    };
    const { code, out, err } = await play(folder, kind.line, { answers: {} }, { env });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain(
      `the proxy ${address} from ${protocol.toUpperCase()}_PROXY responded 407, it needs a name and a password`,
    );
    expect(err).not.toContain('wrong');
    expect((await readdir(folder)).filter((each) => each !== 'tonerow')).toEqual(['in.dmg']);
  });
});

describe('a clock that is an hour off', () => {
  const HOUR = 3_600_000;
  const MINUTE = 60_000;

  it.each([
    ['ahead', HOUR],
    ['behind', -HOUR],
  ])('and %s does not matter to a job, which uses its token as long as it works', async (_name, off) => {
    const folder = await folderOf();
    const exchange = 'POST /api/auth/oidc/exchange';
    const issued = { token: 'tnr_pat_x', expires_in: 900, expires_at: new Date(Date.now() + 15 * MINUTE) };
    const answers = { ...kinds['a read']?.answers, [exchange]: json(issued) };
    const { url, received } = server.play({ answers });
    const job = { TONEROW_URL: url, TONEROW_TRUST: ID, TONEROW_ID_TOKEN: 'given', XDG_STATE_HOME: folder };
    const exchanges = async (later: number) => {
      const before = received.length;
      const now = () => Date.now() + off + later;
      const { code, err } = await runCommand(['products', 'get', ID], { env: { ...job, HOME: folder }, now });
      expect(code, err).toBe(0);
      return received.slice(before).filter(({ call }) => call === exchange).length;
    };
    expect(await exchanges(0)).toBe(1);
    expect(await exchanges(10 * MINUTE)).toBe(0);
    expect(await exchanges(15 * MINUTE)).toBe(1);
  });

  it('is what a certificate that does not hold yet may mean', async () => {
    const { reportOf } = await import('#output/error.ts');
    const { ConnectionError } = await import('@tonerow/sdk');
    const { text } = reportOf(
      new ConnectionError('The server at https://x cannot be reached (CERT_NOT_YET_VALID).'),
      {},
    );
    expect(text).toMatch(/the clock here is wrong: it shows \d{4}-/);
  });
});

describe('two terminals at once', () => {
  it('lose neither of their sign-ins', async () => {
    const folder = await folderOf();
    const env = { XDG_CONFIG_HOME: folder };
    const names = Array.from({ length: 20 }, (_, at) => `profile-${at}`);
    const profile = { url: 'http://127.0.0.1:4000', token: 'x' };
    await Promise.all(names.map((name) => saveProfile(env, name, profile)));
    expect((await readProfiles(env)).map(([name]) => name).sort()).toEqual([...names].sort());
    expect(await readdir(path.join(folder, 'tonerow'))).toEqual(['config.json']);
  });

  it('are not stopped by one that was killed while it signed in', async () => {
    const folder = await folderOf();
    const env = { XDG_CONFIG_HOME: folder };
    await mkdir(path.join(folder, 'tonerow'));
    await writeFile(`${configFile(env)}.lock`, '4194304');
    await saveProfile(env, 'default', { url: 'http://127.0.0.1:4000', token: 'x' });
    expect(await readdir(path.join(folder, 'tonerow'))).toEqual(['config.json']);
  });

  it('write one file: the second one is refused it, and keeps nothing', async () => {
    const folder = await folderOf();
    const { answers } = kinds['a stream into a file'] as (typeof kinds)[string];
    // both have looked before either has written
    let waiting = 0;
    let go = () => {};
    const both = new Promise<void>((resolve) => {
      go = resolve;
    });
    const scene: Scene = {
      answers,
      onCall: async () => {
        waiting += 1;
        if (waiting === 2) go();
        await both;
      },
    };
    const line = ['serials', 'list', '--out', 'out.csv'];
    const codes = await Promise.all([0, 1].map(async () => (await play(folder, line, scene)).code));
    expect(codes.sort()).toEqual([0, 1]);
    expect(await readFile(path.join(folder, 'out.csv'), 'utf8')).toBe('Serial\r\nA-1\r\nA-2\r\n');
    expect((await readdir(folder)).sort()).toEqual(['in.dmg', 'out.csv']);
  });
});

/** A disk of its own, where this may be made. */
function disk(folder: string, options: string): boolean {
  return execaSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { reject: false }).exitCode === 0;
}
const remove = (folder: string) => execaSync('umount', [folder], { reject: false });

const canMount = (() => {
  const folder = path.join(tmpdir(), `tonerow-mount-${process.pid}`);
  execaSync('mkdir', ['-p', folder]);
  const could = disk(folder, 'size=64k');
  if (could) remove(folder);
  execaSync('rmdir', [folder]);
  return could;
})();
if (!canMount) console.warn('Skipped: disks that are full or read-only can be made only by root (mount).');

describe.skipIf(!canMount)('a full disk', () => {
  let small: string;
  beforeAll(async () => {
    small = path.join(home, 'small');
    await mkdir(small);
    disk(small, 'size=64k');
    await writeFile(path.join(small, 'in.dmg'), 'abc');
    await writeFile(path.join(small, 'filler'), 'x'.repeat(60 * 1024));
  });
  afterAll(() => remove(small));

  const large: WireAnswer = {
    status: 200,
    type: 'text/csv',
    body: `Serial\r\n${'A-1\r\n'.repeat(50_000)}`,
    chunked: true,
  };

  it('ends an export with its reason, and nothing of it is left', async () => {
    const scene = { answers: { 'GET /api/serials': large } };
    const { code, err } = await play(small, ['serials', 'list', '--out', 'out.csv'], scene, { env: elsewhere() });
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/out\.csv cannot be written \(ENOSPC\): the disk is full\./),
    ]);
    expect((await readdir(small)).sort()).toEqual(['filler', 'in.dmg']);
  });

  it('ends a batch with its reason and how to get it, because it was made', async () => {
    const answers = {
      [`GET /api/products/${ID}`]: json({ id: ID, name: 'Echo' }),
      'POST /api/serials/generate': { ...large, status: 201, headers: { 'x-batch-id': ID, 'x-total-count': '50000' } },
    };
    const line = ['serials', 'generate', '--product', ID, '--quantity', '50000', '--out', 'out.csv'];
    const { code, err } = await play(small, line, { answers }, { env: elsewhere() });
    expect(code).toBe(1);
    expect(err).toContain('the disk is full.');
    expect(err).toContain('Run the same command with --resume');
    expect((await readdir(small)).sort()).toEqual(['filler', 'in.dmg']);
  });

  it('is in the way of no command that only wants to remember something', async () => {
    await writeFile(path.join(small, 'more'), 'x'.repeat(64 * 1024)).catch(() => undefined);
    for (const name of ['a read', 'a create', 'an upload'] as const) {
      const { answers, line } = kinds[name] as (typeof kinds)[string];
      const { code, err } = await play(small, line, { answers });
      expect(code, `${name}: ${err}`).toBe(0);
    }
    const left = (await readdir(small, { recursive: true })).filter((each) => /tmp$|part$|upload$/.test(each));
    expect(left).toEqual([]);
  });

  const elsewhere = () => ({ XDG_STATE_HOME: home, XDG_CONFIG_HOME: home });
});

describe.skipIf(!canMount)('a home that cannot be written to', () => {
  let locked: string;
  beforeAll(async () => {
    locked = path.join(home, 'locked');
    await mkdir(locked);
    disk(locked, 'size=64k');
    await mkdir(path.join(locked, 'tonerow'));
    await writeFile(path.join(locked, 'in.dmg'), 'abc');
    execaSync('mount', ['-o', 'remount,ro', locked]);
  });
  afterAll(() => remove(locked));

  it.each(Object.keys(kinds).filter((name) => !name.startsWith('a stream')))(
    'is not in the way of %s',
    async (name) => {
      const { answers, line } = kinds[name] as (typeof kinds)[string];
      const { code, err } = await play(locked, line, { answers });
      expect(code, err).toBe(0);
    },
  );

  it('is reported before a password is sent', async () => {
    const line = ['login', '--email', 'ada@example.com', '--password-stdin'];
    const { code, err, calls } = await play(
      locked,
      line,
      { answers: {} },
      { stdin: 'secret words', env: { TONEROW_TOKEN: '' } },
    );
    expect([code, calls]).toEqual([1, []]);
    expect(err).toMatch(/config\.json cannot be written \(EROFS\): the disk is read-only\.\nName another folder/);
  });

  it('refuses a file there before anything is requested', async () => {
    const { code, err, calls } = await play(locked, ['serials', 'list', '--out', 'out.csv'], { answers: {} });
    expect([code, calls, err]).toEqual([1, [], expect.stringContaining('(EROFS): the disk is read-only.')]);
  });
});

it('standard output that cannot be written is a failure', async () => {
  const cli = path.resolve('packages/cli/bin/tonerow.cjs');
  const { code, err } = await runProgram('sh', ['-c', `'${process.execPath}' '${cli}' help > /dev/full`]);
  expect([code, err]).toEqual([1, 'Standard output cannot be written (ENOSPC).\n']);
});

it('what a run that was killed left of a file is removed by the next one', async () => {
  const folder = await folderOf();
  const { answers } = kinds['a stream into a file'] as (typeof kinds)[string];
  const [dead, alive] = ['.out.csv.4194304.0badcafe.part', `.out.csv.${process.ppid}.0badcafe.part`];
  for (const name of [dead, alive, '.other.csv.4194304.0badcafe.part'])
    await writeFile(path.join(folder, name), 'half');
  expect((await play(folder, ['serials', 'list', '--out', 'out.csv'], { answers })).code).toBe(0);
  expect((await readdir(folder)).sort()).toEqual(
    [alive, '.other.csv.4194304.0badcafe.part', 'in.dmg', 'out.csv'].sort(),
  );
});
