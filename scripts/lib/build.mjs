import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { log, oneAtATime, root, run } from './install.mjs';

/** The packages to build, with their inputs and outputs. */
const targets = [
  {
    name: 'server',
    inputs: ['packages/server/src', 'packages/server/build.mjs', 'packages/server/package.json'],
    output: 'packages/server/dist',
    command: ['packages/server/build.mjs'],
  },
  {
    name: 'terminal client',
    inputs: [
      'packages/cli/src',
      'packages/cli/build.mjs',
      'packages/cli/package.json',
      'packages/sdk/src',
      'packages/plugin',
    ],
    output: 'packages/cli/dist',
    command: ['packages/cli/build.mjs'],
  },
  {
    name: 'dashboard',
    inputs: [
      'packages/web/src',
      'packages/web/public',
      'packages/web/index.html',
      'packages/web/redeem.html',
      'packages/web/docs.html',
      'packages/web/help.html',
      'packages/web/help',
      'docs/guides',
      'packages/web/scripts/scalar.ts',
      'packages/web/vite.config.ts',
      'packages/web/package.json',
      'packages/sdk/src',
    ],
    output: 'packages/web/dist',
    command: ['node_modules/vite/bin/vite.js', 'build', '--logLevel', 'warn'],
    cwd: 'packages/web',
  },
];

/** Builds what is older than its sources. */
export async function buildAll(node) {
  const isBuilt = await Promise.all(targets.map(async (target) => (await statusOf(target)).isBuilt));
  if (isBuilt.every(Boolean)) return;
  await oneAtATime(() => buildOld(node));
}

async function statusOf(target) {
  const stamp = path.join(root, target.output, '.built');
  if (!existsSync(path.join(root, target.command[0]))) return { stamp, isBuilt: true };
  const wanted = await fingerprint([...target.inputs, 'package-lock.json']);
  return { stamp, wanted, isBuilt: (await readFile(stamp, 'utf8').catch(() => '')) === wanted };
}

async function buildOld(node) {
  for (const target of targets) {
    const { stamp, wanted, isBuilt } = await statusOf(target);
    if (isBuilt) continue;
    log(`building the ${target.name}`);
    await run(node, [path.join(root, target.command[0]), ...target.command.slice(1)], {
      cwd: path.join(root, target.cwd ?? '.'),
    });
    await mkdir(path.join(root, target.output), { recursive: true });
    await writeFile(stamp, wanted);
  }
}

/** Names, sizes and times of all input files: cheap to read, and different whenever one was written. */
async function fingerprint(inputs) {
  const hash = createHash('sha256');
  for (const input of inputs) await add(hash, path.join(root, input));
  return hash.digest('hex');
}

async function add(hash, place) {
  const info = await stat(place).catch(() => null);
  if (!info) return;
  if (!info.isDirectory()) {
    hash.update(`${path.relative(root, place)}:${info.size}:${Math.round(info.mtimeMs)}\n`);
    return;
  }
  for (const name of (await readdir(place)).sort()) await add(hash, path.join(place, name));
}
