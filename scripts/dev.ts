/**
 * `npm run dev`: the server straight from its sources, restarted on every edit, and the dashboard with hot reload, in one
 * terminal. The embedded PostgreSQL keeps running in between, so that a restart takes a fraction of a second.
 */
import { once } from 'node:events';
import path from 'node:path';
import { execa } from 'execa';
import pretty from 'pino-pretty';
import { readConfig } from '../packages/server/src/config.ts';
import { createLogger } from '../packages/server/src/platform/log.ts';
import { prepareRuntime } from '../packages/server/src/runtime.ts';

const WEB_PORT = 5173;
const root = path.resolve(import.meta.dirname, '..');
const terminal = process.stdout.isTTY;

const config = readConfig({ TONEROW_PUBLIC_URL: `http://127.0.0.1:${WEB_PORT}`, ...process.env });
const ground = await prepareRuntime(config, createLogger('warn'));
const options = { cwd: root, reject: false, stdin: 'ignore', stderr: 'inherit', forceKillAfterDelay: 3000 } as const;

const server = execa(process.execPath, ['--watch', '--watch-preserve-output', 'scripts/dev-server.ts'], {
  ...options,
  stdout: 'pipe',
  env: {
    DATABASE_URL: ground.config.databaseUrl,
    TONEROW_SECRET: ground.config.secrets.join(','),
    TONEROW_DATA_DIR: ground.config.dataDir,
    TONEROW_PUBLIC_URL: config.publicUrl,
  },
});
server.stdout.pipe(
  terminal ? pretty({ colorize: true, ignore: 'pid,reqId', translateTime: 'SYS:HH:MM:ss' }) : process.stdout,
);
const web = execa(
  process.execPath,
  [path.join(root, 'node_modules/vite/bin/vite.js'), '--port', `${WEB_PORT}`, '--strictPort'],
  {
    ...options,
    cwd: path.join(root, 'packages/web'),
    stdout: 'inherit',
    env: { PORT: `${config.port}` },
  },
);

// the first Ctrl-C ends all three; so does the end of any of them
await Promise.race([server, web, once(process, 'SIGINT'), once(process, 'SIGTERM')]);
for (const child of [server, web]) child.kill();
await Promise.all([server, web]);
await ground.release();
process.exit();
