import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import pg from 'pg';
import { serviceAccount } from '../../packages/server/src/platform/db/embedded/postgres-home.ts';
import { isInstalled } from './command.ts';
import { freePort } from './process.ts';

/** The path of PgBouncer. Null, with a note, where it is not installed. */
export function findPgbouncer(): string | null {
  for (const place of ['pgbouncer', '/usr/sbin/pgbouncer']) {
    if (isInstalled(place)) return place;
  }
  process.stderr.write('skipped: the tests behind a real PgBouncer, which is not installed (Debian: pgbouncer)\n');
  return null;
}

interface Options {
  mode: 'transaction' | 'session';
  /** Server connections: few, so that clients have to share them. */
  size?: number;
}

/** A real PgBouncer in front of a test database, with its defaults but for the mode. */
export async function startPgbouncer(program: string, database: { url: string }, { mode, size = 3 }: Options) {
  const folder = await mkdtemp(path.join(tmpdir(), 'tonerow-pgbouncer-'));
  const { hostname, port, username, password, pathname } = new URL(database.url);
  const listen = await freePort();
  const file = path.join(folder, 'pgbouncer.ini');
  const user = username === '' ? '' : ` user=${username} password=${decodeURIComponent(password)}`;
  await writeFile(
    file,
    `[databases]
${pathname.slice(1)} = host=${hostname} port=${port} dbname=${pathname.slice(1)}${user}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${listen}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
default_pool_size = ${size}
max_client_conn = 500
`,
  );
  // it refuses to run as root
  const account = await serviceAccount(folder);
  await chmod(folder, 0o755);
  if (account) await chown(folder, account.uid, account.gid);
  const start = async () => {
    const child = execa(program, [file], {
      cwd: folder,
      stdio: 'ignore',
      reject: false,
      killSignal: 'SIGINT',
      forceKillAfterDelay: 3000,
      ...(account ? { uid: account.uid, gid: account.gid } : {}),
    });
    for (let tries = 0; tries < 800; tries += 1) {
      const client = new pg.Client({ connectionString: url });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await client.query('select 1');
        return { child };
      } catch {
        await pause(25);
      } finally {
        await client.end().catch(() => undefined);
      }
    }
    throw new Error('PgBouncer did not start');
  };
  const url = `postgres://tonerow:any@127.0.0.1:${listen}${pathname}`;
  let { child } = await start();
  const halt = async () => {
    child.kill();
    await child;
  };
  return {
    url,
    halt: async () => {
      child.kill('SIGKILL');
      await halt();
    },
    again: async () => {
      ({ child } = await start());
    },
    stop: async () => {
      await halt();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
