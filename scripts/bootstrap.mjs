// Runs before anything is installed: Node built-ins only, on Node 20 and newer.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { buildAll } from './lib/build.mjs';
import { ensureInstalled, modernNode, root } from './lib/install.mjs';

const commands = {
  start: () => [path.join(root, 'packages/server/dist/main.js')],
  test: () => [path.join(root, 'scripts/test.ts'), ...rest],
  demo: () => [path.join(root, 'scripts/demo/main.ts'), ...rest],
  pictures: () => [path.join(root, 'scripts/pictures.ts')],
  bench: () => [path.join(root, 'scripts/bench/main.ts'), ...rest],
  build: () => null,
  dev: () => [path.join(root, 'scripts/dev.ts')],
  check: () => [path.join(root, 'scripts/check.ts')],
  gen: () => [path.join(root, 'scripts/gen.ts')],
  mutants: () => [path.join(root, 'scripts/mutants/main.ts'), ...rest],
  soak: () => [path.join(root, 'scripts/soak.ts'), ...rest],
  'test:plugin': () => [path.join(root, 'scripts/plugin/main.ts'), ...rest],
  migration: () => [path.join(root, 'scripts/migration.ts'), ...rest],
  release: () => [path.join(root, 'scripts/release/main.ts'), ...rest],
};
// these work on the sources, or build what they need
const unbuilt = new Set(['dev', 'check', 'gen', 'migration', 'mutants', 'release', 'test', 'test:plugin']);

const [command = 'start', ...rest] = process.argv.slice(2);
if (!(command in commands)) {
  process.stderr.write(`Unknown command "${command}". Use one of: ${Object.keys(commands).join(', ')}\n`);
  process.exit(64);
}

try {
  await ensureInstalled();
  const node = modernNode();
  if (!unbuilt.has(command)) await buildAll(node);
  const args = commands[command]();
  if (args) await become(node, args);
} catch (error) {
  process.stderr.write(`\n  ${error instanceof Error ? error.message : error}\n\n`);
  process.exit(1);
}

/** Runs the command in place of this one: same terminal, same signals, same exit code. */
function become(node, args) {
  const bin = path.join(root, 'node_modules/.bin');
  const child = spawn(node, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, PATH: `${bin}${path.delimiter}${process.env.PATH ?? ''}` },
  });
  // a terminal sends Ctrl-C to both, and a second one means "now"; without a terminal, and for other signals, only this process is signaled
  process.on('SIGINT', () => {
    if (!process.stdin.isTTY) child.kill('SIGINT');
  });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // npm signals the shell between it and us, which exits without passing the signal on
  const shell = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, 300);
  if (process.env.npm_lifecycle_event === undefined || process.platform === 'win32') clearInterval(watch);
  watch.unref();
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code, signal) => {
      process.exitCode = code ?? (signal === 'SIGINT' ? 130 : 1);
      resolve();
    });
  });
}
