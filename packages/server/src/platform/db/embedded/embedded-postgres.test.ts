import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import os, { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { execa } from 'execa';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createLogger } from '#platform/log.ts';
import { inLane, type LaneName } from '#platform/work-context.ts';
import { Lanes } from '../pools/pools.ts';
import { processExists } from './data-dir-lock.ts';
import { type EmbeddedPostgres, embeddedUrl, startEmbeddedPostgres } from './embedded-postgres.ts';

const log = { info: () => undefined, warn: () => undefined };
const isRoot = process.getuid?.() === 0;
const running: EmbeddedPostgres[] = [];
let root: string;
/** A data folder with a table in it; each test leaves it as it was. */
let shared: string;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tonerow-embedded-'));
  await chmod(root, 0o755);
  shared = path.join(root, 'shared');
  const server = await start(shared);
  await query(server.url, 'create table kept as select 12 as notes');
  await server.stop();
});
afterEach(async () => {
  for (const server of running.splice(0)) await server.stop();
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off', shared_buffers: '16MB' } });
  running.push(server);
  return server;
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

const pidFile = (dataDir: string) => path.join(dataDir, 'postgres/postmaster.pid');
const postmaster = async (dataDir: string) => Number((await readFile(pidFile(dataDir), 'utf8')).split('\n')[0]);

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1600; tries += 1) {
    if (await holds()) return;
    await pause(25);
  }
  throw new Error('it never came to be');
}

describe('the embedded PostgreSQL', () => {
  it('listens on loopback only, requires its password, and stores it readable only by its owner', async () => {
    const server = await start(shared);
    expect(await query(server.url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    const wrong = new URL(server.url);
    wrong.password = 'guessed';
    await expect(query(wrong.toString(), 'select 1')).rejects.toThrow('password authentication failed');
    for (const name of ['postgres.json', 'postgres.log'])
      expect((await stat(path.join(shared, name))).mode & 0o077).toBe(0);
    expect((await stat(path.join(shared, 'postgres'))).mode & 0o077).toBe(0);
  });

  it('keeps data and address over a restart, and leaves nothing running', async () => {
    const first = await start(shared);
    const pid = await postmaster(shared);
    await first.stop();
    expect(processExists(pid)).toBe(false);
    const second = await start(shared);
    expect(second).toMatchObject({ url: first.url, attached: false });
    expect(await embeddedUrl(shared)).toBe(first.url);
    expect(await query(second.url, 'select notes from kept')).toEqual([{ notes: 12 }]);
  });

  it('has a process group of its own, so that Ctrl-C does not reach it before us', async () => {
    await start(shared);
    const pid = await postmaster(shared);
    expect(() => process.kill(-pid, 0)).not.toThrow();
  });

  it('does large work at a lower priority than for plugins', async () => {
    const { url } = await start(shared);
    const priorities = async (embedded: boolean) => {
      const lanes = new Lanes({ url, embedded, sizes: { api: 1, licensing: 1, bulk: 1 }, log: createLogger('silent') });
      const of = (lane: LaneName) =>
        inLane(lane, async () => {
          const client = await lanes.connect();
          const { rows } = await client.query('select pg_backend_pid() as pid');
          client.release();
          return os.getPriority(rows[0].pid);
        });
      const both = [await of('licensing'), await of('bulk')];
      await lanes.close();
      return both;
    };
    expect(await priorities(true)).toEqual([0, os.constants.priority.PRIORITY_BELOW_NORMAL]);
    expect(await priorities(false)).toEqual([0, 0]);
  });

  it('attaches to the one that a killed server left, and watches over it', async () => {
    const first = await start(shared);
    const pid = await postmaster(shared);
    const second = await start(shared);
    expect(second).toMatchObject({ url: first.url, attached: true });
    expect(await postmaster(shared)).toBe(pid);
    await Promise.all([first.stop(), second.stop()]);
    expect(processExists(pid)).toBe(false);
  });

  it('comes back by itself after kill -9, at the same address and with its data', async () => {
    const server = await start(shared);
    const pid = await postmaster(shared);
    process.kill(pid, 'SIGKILL');
    await until(async () => (await postmaster(shared).catch(() => pid)) !== pid);
    await until(() =>
      query(server.url, 'select notes from kept').then(
        (rows) => rows[0]?.notes === 12,
        () => false,
      ),
    );
  });

  it('leaves nothing running when it is stopped while it comes back', async () => {
    const server = await start(shared);
    process.kill(await postmaster(shared), 'SIGKILL');
    await pause(60);
    await server.stop();
    await expect(stat(pidFile(shared))).rejects.toThrow('ENOENT');
  });

  it('starts over the pid file of a dead server, even when something else got its number', async () => {
    const server = await start(shared);
    const left = await readFile(pidFile(shared), 'utf8');
    const owner = await stat(pidFile(shared));
    await server.stop();
    const other = execa('sleep', ['60'], { reject: false, ...(isRoot ? { uid: owner.uid, gid: owner.gid } : {}) });
    try {
      await writeFile(pidFile(shared), left.replace(/^\d+/, String(other.pid)), { mode: 0o600 });
      await chown(pidFile(shared), owner.uid, owner.gid);
      const again = await start(shared);
      expect(again.attached).toBe(false);
      expect(await query(again.url, 'select notes from kept')).toEqual([{ notes: 12 }]);
      expect(other.nodeChildProcess.exitCode).toBeNull();
      await again.stop();
    } finally {
      other.kill();
      await other;
    }
  });

  it('takes another port when its own is taken', async () => {
    const taken = createServer();
    const port = Number(new URL((await embeddedUrl(shared)) ?? '').port);
    await new Promise<void>((resolve) => taken.listen(port, '127.0.0.1', resolve));
    try {
      const server = await start(shared);
      expect(new URL(server.url).port).not.toBe(String(port));
      expect(await embeddedUrl(shared)).toBe(server.url);
    } finally {
      taken.close();
    }
  });

  it('refuses to replace a database whose notes are lost or damaged, or to create a new one in place of a lost one', async () => {
    const notes = path.join(shared, 'postgres.json');
    const cluster = path.join(shared, 'postgres');
    const whole = await readFile(notes);
    await rm(notes);
    await expect(start(shared)).rejects.toThrow(`There is a database in ${cluster}, but its password is not`);
    await writeFile(notes, whole, { mode: 0o600 });
    await truncate(notes, 10);
    await expect(start(shared)).rejects.toThrow('postgres.json is damaged');
    await writeFile(notes, whole, { mode: 0o600 });
    await rename(cluster, `${cluster}.away`);
    await expect(start(shared)).rejects.toThrow(`The database that was in ${cluster} is gone`);
    await rename(`${cluster}.away`, cluster);
    expect(await query((await start(shared)).url, 'select notes from kept')).toEqual([{ notes: 12 }]);
  });

  it('finishes what an interrupted first start began', async () => {
    const dataDir = path.join(root, 'interrupted');
    await mkdir(path.join(dataDir, 'postgres.new/global'), { recursive: true });
    await writeFile(path.join(dataDir, 'postgres.new/global/pg_control'), 'half');
    await writeFile(path.join(dataDir, 'postgres.json'), '{"port":5999,"password":"remembered"}', { mode: 0o600 });
    const server = await start(dataDir);
    expect(new URL(server.url).password).toBe('remembered');
    expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  it('leaves alone what is in its way and no database', async () => {
    const dataDir = path.join(root, 'occupied');
    await mkdir(path.join(dataDir, 'postgres/somebody'), { recursive: true });
    await expect(start(dataDir)).rejects.toThrow('is in the way of the database');
    expect((await stat(path.join(dataDir, 'postgres/somebody'))).isDirectory()).toBe(true);
  });

  it('goes with its data folder when that is moved', async () => {
    const moved = path.join(root, 'moved');
    await rename(shared, moved);
    try {
      const server = await start(moved);
      expect(await query(server.url, 'select notes from kept')).toEqual([{ notes: 12 }]);
      await server.stop();
    } finally {
      await rename(moved, shared);
    }
  });
});

describe.runIf(isRoot)('started by root', () => {
  it('runs as an ordinary user, and as the owner of a cluster that is there', async () => {
    const uidOf = async () => (await stat(`/proc/${await postmaster(shared)}`)).uid;
    const first = await start(shared);
    const usual = await uidOf();
    expect(usual).not.toBe(0);
    await first.stop();
    await handOver(path.join(shared, 'postgres'), 65_534);
    try {
      const second = await start(shared);
      expect(await uidOf()).toBe(65_534);
      expect(await query(second.url, 'select notes from kept')).toEqual([{ notes: 12 }]);
      await second.stop();
    } finally {
      await handOver(path.join(shared, 'postgres'), usual);
    }
  });

  it('puts the cluster where that user can get to when it cannot get into the data folder', async () => {
    const closed = path.join(root, 'closed');
    await mkdir(closed, { mode: 0o700 });
    const clusters: string[] = [];
    try {
      // names that differ only in characters that are not allowed in a name
      for (const name of ['a-b', 'a_b']) {
        const dataDir = path.join(closed, name);
        const server = await start(dataDir);
        expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
        clusters.push(JSON.parse(await readFile(path.join(dataDir, 'postgres.json'), 'utf8')).cluster);
        await server.stop();
        expect((await start(dataDir)).url).toBe(server.url);
      }
      expect(new Set(clusters).size).toBe(2);
      expect((await stat(closed)).mode & 0o777).toBe(0o700);
    } finally {
      for (const server of running.splice(0)) await server.stop();
      for (const cluster of clusters) await rm(cluster, { recursive: true, force: true });
    }
  });
});

async function handOver(folder: string, uid: number): Promise<void> {
  await execa('chown', ['-R', String(uid), folder]);
}
