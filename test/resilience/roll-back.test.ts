import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runCommand } from '@tonerow/test-support/cli.ts';
import { run } from '@tonerow/test-support/command.ts';
import { call, makeProduct, signUp } from '@tonerow/test-support/http.ts';
import { type ServerProcess, spawnServer } from '@tonerow/test-support/process.ts';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { VERSION } from '../../packages/server/src/platform/version.ts';

// docs/operations.md, "Upgrading and rolling back", as an operator does it: the next release is the one of today with one migration more.

const NEXT = 'Migration20991231000000_of_the_next_release';
const NEXT_VERSION = '99.0.0';
let folder: string;
const processes: ServerProcess[] = [];

/** The next release: older processes can live with its migration, or they cannot. */
async function nextRelease(name: string, rolling: boolean): Promise<string> {
  const place = path.join(folder, name);
  for (const each of ['packages/server/dist', 'packages/server/package.json', 'package.json', 'migrations'])
    await cp(each, path.join(place, each), { recursive: true });
  await mkdir(path.join(place, 'packages/web'));
  for (const each of ['node_modules', 'packages/web/dist']) await symlink(path.resolve(each), path.join(place, each));
  await renumber(path.join(place, 'packages/server/dist'));
  const declared = rolling ? `this.addSql("insert into rolling_migrations (name) values ('${NEXT}')");` : '';
  await writeFile(
    path.join(place, 'migrations', `${NEXT}.ts`),
    `import { Migration } from '@mikro-orm/migrations';
     export class ${NEXT} extends Migration {
       override up() {
         this.addSql('alter table products add next_field text null');
         this.addSql("update products set next_field = 'of ' || name");
         ${declared}
       }
       override down() {
         this.addSql('alter table products drop column next_field');
       }
     }\n`,
  );
  return place;
}

/** Gives what was built the version of the next release. */
async function renumber(dist: string): Promise<void> {
  let found = 0;
  for (const name of await readdir(dist)) {
    if (!name.endsWith('.js')) continue;
    const text = await readFile(path.join(dist, name), 'utf8');
    const numbered = text.replace(`VERSION = "${VERSION}"`, `VERSION = "${NEXT_VERSION}"`);
    if (numbered !== text) found += 1;
    await writeFile(path.join(dist, name), numbered);
  }
  expect(found).toBe(1);
}

const start = async (dataDir: string, release = '.', { nowait = false, env = {} } = {}) => {
  const server = await spawnServer({ dataDir, release, nowait, env });
  processes.push(server);
  return server;
};
const stop = async (server: ServerProcess) => {
  server.child.kill('SIGTERM');
  await server.ended();
};
const command = (release: string, dataDir: string, ...words: string[]) => {
  const { DATABASE_URL: _, TONEROW_SECRET: __, ...env } = process.env;
  return run(process.execPath, [path.resolve(release, 'packages/server/dist/bin.js'), ...words], {
    env: { ...env, TONEROW_DATA_DIR: dataDir },
    extendEnv: false,
  });
};
const namesOf = async (server: { url: string }, token: string) => {
  const { status, text, body } = await call(server, 'GET', '/api/products', { token });
  expect(status, text).toBe(200);
  return body.map(({ name }: { name: string }) => name).sort();
};

/** The address at which a release is announced. */
async function feedOf(announced: object): Promise<string> {
  const feed = createServer((_request, response) => response.end(JSON.stringify(announced)));
  await new Promise<void>((resolve) => feed.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    feed.closeAllConnections();
    feed.close();
  });
  return `http://127.0.0.1:${(feed.address() as { port: number }).port}/latest.json`;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tonerow-roll-back-'));
});
afterAll(async () => {
  for (const each of processes) if (each.isRunning()) await stop(each);
  await rm(folder, { recursive: true, force: true });
});

it('past a migration that the older release cannot live with, the backup is restored, and the older release goes on', async () => {
  const [dataDir, file] = [path.join(folder, 'data'), path.join(folder, 'before.backup')];
  const older = await start(dataDir);
  const ada = await signUp(older);
  await makeProduct(older, ada.token, { name: 'Before' });
  // 1. a backup, beside the running server
  const made = await command('.', dataDir, 'backup', file);
  expect(made, made.err).toMatchObject({ code: 0 });
  await stop(older);
  // 2. the new release migrates, and goes on
  const release = await nextRelease('next', false);
  const newer = await start(dataDir, release);
  expect(newer.output()).toContain(NEXT);
  await makeProduct(newer, ada.token, { name: 'After' });
  expect(await namesOf(newer, ada.token)).toEqual(['After', 'Before']);
  await stop(newer);
  // the older one does not touch what it does not know, and reports what to do
  const refused = await start(dataDir, '.', { nowait: true });
  expect(await refused.ended()).toBe(1);
  expect(refused.output()).toContain('belongs to a newer version of the server');
  expect(refused.output()).toContain('restore the backup that was made before the upgrade');
  // back: into an empty place, by the older release
  const back = path.join(folder, 'back');
  const restored = await command('.', back, 'restore', file);
  expect(restored, restored.err).toMatchObject({ code: 0 });
  const again = await start(back);
  expect(await namesOf(again, ada.token)).toEqual(['Before']);
  await stop(again);
  // and the same backup restores into the new release, which migrates it
  const forth = path.join(folder, 'forth');
  const upgraded = await command(release, forth, 'restore', file);
  expect(upgraded, upgraded.err).toMatchObject({ code: 0 });
  expect(upgraded.out).toContain('1 migration brought it up to date');
}, 240_000);

it('past a migration that the older release can live with, it is started, and has what came since', async () => {
  const dataDir = path.join(folder, 'rolling');
  const release = await nextRelease('rolling-release', true);
  const newer = await start(dataDir, release);
  const ada = await signUp(newer);
  await makeProduct(newer, ada.token, { name: 'Kept' });
  // the terminal client of the older release reports the newer one to the person at the terminal
  const env = { HOME: folder, TONEROW_URL: newer.url, TONEROW_TOKEN: ada.token, NO_COLOR: '1' };
  const asked = await runCommand(['products', 'list'], { env, tty: true });
  expect(asked.out).toContain('Kept');
  expect(asked.err).toContain(`The server runs Tonerow ${NEXT_VERSION}, this client is ${VERSION}.`);
  await stop(newer);
  // and so does its server, where that is announced
  const older = await start(dataDir, '.', { env: { TONEROW_RELEASE_FEED: await feedOf({ version: NEXT_VERSION }) } });
  await expect.poll(older.output).toContain(`Version ${NEXT_VERSION} is available, and this is ${VERSION}.`);
  expect(await namesOf(older, ada.token)).toEqual(['Kept']);
  await makeProduct(older, ada.token, { name: 'Made by the older one' });
  await stop(older);
}, 120_000);
