import { mkdir, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import { acquireDataDirLock } from './data-dir-lock.ts';
import { type EmbeddedPostgres, embeddedUrl, startEmbeddedPostgres } from './embedded-postgres.ts';

const log = { info: () => undefined, warn: () => undefined };
const folders: string[] = [];
const servers: EmbeddedPostgres[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function folder(): Promise<string> {
  const made = await mkdtemp(path.join(tmpdir(), 'tonerow-pg-'));
  folders.push(made);
  return made;
}

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const server = await startEmbeddedPostgres({ dataDir, log, settings: { fsync: 'off' } });
  servers.push(server);
  return server;
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

describe('the embedded PostgreSQL', () => {
  it('keeps what was written, over a stop and a start', async () => {
    const dataDir = await folder();
    const first = await start(dataDir);
    await ask(first.url, 'create table kept as select 1 as n');
    await first.stop();
    const second = await start(dataDir);
    expect(second.attached).toBe(false);
    expect(await ask(second.url, 'select n from kept')).toEqual([{ n: 1 }]);
    expect(await embeddedUrl(dataDir)).toBe(second.url);
  });

  it('is attached to while it runs, instead of being started a second time', async () => {
    const dataDir = await folder();
    const first = await start(dataDir);
    const second = await start(dataDir);
    expect([second.attached, second.url]).toEqual([true, first.url]);
  });

  it('listens on loopback only, and wants its password', async () => {
    const dataDir = await folder();
    const { url } = await start(dataDir);
    expect(await ask(url, 'show listen_addresses')).toEqual([{ listen_addresses: '127.0.0.1' }]);
    const wrong = new URL(url);
    wrong.password = 'wrong';
    await expect(ask(wrong.toString(), 'select 1')).rejects.toThrow('password authentication failed');
    expect((await stat(path.join(dataDir, 'postgres.json'))).mode & 0o077).toBe(0);
  });

  it('starts anew over what an interrupted first start left', async () => {
    const dataDir = await folder();
    await mkdir(path.join(dataDir, 'postgres/base'), { recursive: true });
    const { url } = await start(dataDir);
    expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

describe('the lock of a data folder', () => {
  it('is held by one process, named to the second, and free again afterwards', async () => {
    const dataDir = await folder();
    const lock = await acquireDataDirLock(dataDir, { address: 'http://127.0.0.1:4000' });
    await expect(acquireDataDirLock(dataDir, { address: 'x' })).rejects.toThrow(
      `process ${process.pid}, http://127.0.0.1:4000`,
    );
    await lock.release();
    await (await acquireDataDirLock(dataDir, { address: 'x' })).release();
  });

  it('is taken over from a process that died, by exactly one of several', async () => {
    const dataDir = await folder();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      path.join(dataDir, 'server.lock'),
      JSON.stringify({ pid: 2_000_000_000, started: '1', address: 'gone' }),
    );
    const tries = await Promise.allSettled(
      Array.from({ length: 5 }, () => acquireDataDirLock(dataDir, { address: 'new' })),
    );
    expect(tries.filter((each) => each.status === 'fulfilled')).toHaveLength(1);
    expect(await readFile(path.join(dataDir, 'server.lock'), 'utf8')).toContain('new');
  });

  it('of a pid that was given out again is taken over too', async () => {
    const dataDir = await folder();
    const { writeFile } = await import('node:fs/promises');
    await writeFile(
      path.join(dataDir, 'server.lock'),
      JSON.stringify({ pid: process.pid, started: '1', address: 'gone' }),
    );
    await (await acquireDataDirLock(dataDir, { address: 'new' })).release();
  });
});
