import { chmod, cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { execa } from 'execa';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

// Commands that are started together in a fresh checkout: each installs and builds before it does anything.

let root: string;
beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'tonerow-first-'));
  await cp('scripts/lib', path.join(root, 'scripts/lib'), { recursive: true });
  await cp('scripts/bootstrap.mjs', path.join(root, 'scripts/bootstrap.mjs'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const log = async () => (await readFile(path.join(root, 'log'), 'utf8').catch(() => '')).split('\n').filter(Boolean);

/** A checkout whose npm notes when it runs, and does this meanwhile. */
async function checkout(npm: string) {
  await writeFile(
    path.join(root, 'package.json'),
    JSON.stringify({
      type: 'module',
      optionalDependencies: { [`node-${process.platform}-${process.arch}`]: '24.0.0' },
    }),
  );
  await writeFile(path.join(root, 'package-lock.json'), '{}');
  await writeFile(path.join(root, 'scripts/gen.ts'), "process.stdout.write('generated');");
  await mkdir(path.join(root, 'bin'));
  await mkdir(path.join(root, 'node_modules/.bin'), { recursive: true });
  await symlink(process.execPath, path.join(root, 'node_modules/.bin/node'));
  await writeFile(path.join(root, 'bin/npm'), `#!/bin/sh\necho begins >> log\n${npm}\necho ends >> log\n`);
  await chmod(path.join(root, 'bin/npm'), 0o755);
}

const start = (name: string, options: { detached?: true } = {}) =>
  execa(process.execPath, ['scripts/bootstrap.mjs', 'gen'], {
    cwd: root,
    reject: false,
    ...options,
    env: { PATH: `${path.join(root, 'bin')}:${process.env.PATH}`, npm_lifecycle_event: name },
  });

const untilWaiting = (command: ReturnType<typeof start>) =>
  new Promise<void>((resolve) => command.stderr.on('data', (text) => `${text}`.includes('waiting') && resolve()));

describe('two commands at once', () => {
  it('install once: the second waits and names the first', async () => {
    // without its log the checkout is gone, after a failure
    await checkout('while [ -e log ] && [ ! -e go ]; do sleep 0.05; done');
    const first = start('start');
    await expect.poll(log, { timeout: 20_000 }).toEqual(['begins']);
    const second = start('demo');
    await untilWaiting(second);
    await writeFile(path.join(root, 'go'), '');
    const { exitCode, stdout, stderr } = await second;
    expect([exitCode, stdout]).toEqual([0, 'generated']);
    expect(stderr).toContain(`waiting for process ${first.pid} (npm start), which installs or builds here`);
    expect((await first).stdout).toBe('generated');
    expect(await log()).toEqual(['begins', 'ends']);
  });

  it('go on after one was killed in the middle', async () => {
    await checkout('[ -e again ] || { touch again; sleep 60; }');
    const first = start('start', { detached: true });
    await expect.poll(log, { timeout: 20_000 }).toEqual(['begins']);
    const second = start('demo');
    await untilWaiting(second);
    // with all that it started
    process.kill(-(first.pid as number), 'SIGKILL');
    expect((await second).stdout).toBe('generated');
    expect(await log()).toEqual(['begins', 'begins', 'ends']);
    expect((await start('gen')).stderr).toBe('');
  });
});

it('of many who find the lock of a dead process, one after the other works', async () => {
  const dead = execa(process.execPath, ['-e', '']);
  await dead;
  await mkdir(path.join(root, '.cache'));
  const stale = { pid: dead.pid, started: '1', command: 'npm start' };
  await writeFile(path.join(root, '.cache/setup.lock'), JSON.stringify(stale));
  const worker = `
    import { appendFileSync } from 'node:fs';
    import { setTimeout as pause } from 'node:timers/promises';
    import { alone } from ${JSON.stringify(path.join(root, 'scripts/lib/alone.mjs'))};
    await alone('.cache', async () => {
      appendFileSync('log', 'in\\n');
      await pause(20);
      appendFileSync('log', 'out\\n');
    }, () => undefined);`;
  const workers = Array.from({ length: 6 }, () =>
    execa(process.execPath, ['--input-type=module', '-e', worker], { cwd: root }),
  );
  await Promise.all(workers);
  expect(await log()).toEqual(Array.from({ length: 6 }, () => ['in', 'out']).flat());
});
