import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireDataDirLock, DataDirInUseError, processExists } from './data-dir-lock.ts';

let dataDir: string;
let file: string;
const about = { address: 'http://127.0.0.1:4000' };

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'tonerow-lock-'));
  file = path.join(dataDir, 'server.lock');
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

async function deadPid(): Promise<number> {
  const child = execa('true');
  await child;
  return child.pid as number;
}

describe('the lock of a data folder', () => {
  it('refuses a second holder and names the first', async () => {
    const lock = await acquireDataDirLock(dataDir, about);
    const second = acquireDataDirLock(dataDir, { address: 'http://127.0.0.1:4001' });
    await expect(second).rejects.toThrow(DataDirInUseError);
    await expect(second).rejects.toThrow(`process ${process.pid}, http://127.0.0.1:4000`);
    await lock.release();
    await expect(stat(file)).rejects.toThrow('ENOENT');
    await (await acquireDataDirLock(dataDir, about)).release();
  });

  it('is taken over from a process that died', async () => {
    await writeFile(file, JSON.stringify({ pid: await deadPid(), started: '1', address: 'http://127.0.0.1:4000' }));
    const lock = await acquireDataDirLock(dataDir, about);
    expect(JSON.parse(await readFile(file, 'utf8')).pid).toBe(process.pid);
    await lock.release();
  });

  it('is taken over when its number was given to another process', async () => {
    await writeFile(file, JSON.stringify({ pid: process.pid, started: 'earlier', address: 'http://127.0.0.1:4000' }));
    await (await acquireDataDirLock(dataDir, about)).release();
  });

  it('is taken over when its holder cannot be determined', async () => {
    await writeFile(file, '{"pid":');
    await (await acquireDataDirLock(dataDir, about)).release();
  });

  it('is left alone by a holder that lost it', async () => {
    const lock = await acquireDataDirLock(dataDir, about);
    await writeFile(file, 'somebody else');
    await lock.release();
    expect(await readFile(file, 'utf8')).toBe('somebody else');
  });

  it('goes to exactly one of many processes that start at once over a stale one', async () => {
    await writeFile(file, JSON.stringify({ pid: await deadPid(), started: '1', address: 'http://127.0.0.1:4000' }));
    const module = new URL('./data-dir-lock.ts', import.meta.url).href;
    // each holds on until its input ends, so that none gets the lock after another
    const script = `import('${module}').then((m) => m.acquireDataDirLock('${dataDir}', { address: 'x' })).then(
      () => console.log('got it'), (error) => console.log(error.code)); process.stdin.resume();`;
    const racers = Array.from({ length: 6 }, () => {
      const child = execa(process.execPath, ['-e', script], { stderr: 'inherit' });
      return {
        child,
        message: new Promise<string>((resolve) => child.stdout.once('data', (t) => resolve(`${t}`))),
      };
    });
    const messages = (await Promise.all(racers.map((racer) => racer.message))).map((line) => line.trim());
    for (const { child } of racers) child.stdin.end();
    await Promise.all(racers.map((racer) => racer.child));
    expect(messages.sort()).toEqual([...Array(5).fill('DATA_DIR_IN_USE'), 'got it']);
  });
});

it.runIf(process.platform === 'linux')(
  'does not take a dead process that nobody collected for a living one',
  async () => {
    // a shell that turns into a process that never waits for its child
    const parent = execa('sh', ['-c', 'true & echo $!; exec sleep 30'], { stderr: 'inherit', reject: false });
    try {
      const pid = Number(await new Promise<string>((resolve) => parent.stdout.once('data', (t) => resolve(`${t}`))));
      await expect.poll(() => processExists(pid)).toBe(false);
    } finally {
      parent.kill();
      await parent;
    }
  },
);
