/**
 * Writes the contract from the running app to packages/sdk/openapi.json. `--check` only compares and exits 1 on a
 * difference. Needs no database, because no route runs.
 */
import { readFile, writeFile } from 'node:fs/promises';
import pino from 'pino';
import { buildApp } from '../packages/server/src/app.ts';
import { readConfig } from '../packages/server/src/config.ts';
import { createDeps } from '../packages/server/src/deps.ts';

const file = new URL('../packages/sdk/openapi.json', import.meta.url);
const config = { ...readConfig({}), databaseUrl: 'postgres://nobody@127.0.0.1:1/none', secrets: ['x'.repeat(32)] };
const deps = await createDeps(config, { log: pino({ level: 'silent' }) });
const app = await buildApp(deps);
await app.ready();
const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
await app.close();

if (process.argv.includes('--check')) {
  const committed = await readFile(file, 'utf8').catch(() => '');
  if (committed !== text) {
    process.stderr.write('packages/sdk/openapi.json is not what the server says. Run: node scripts/openapi.ts\n');
    process.exitCode = 1;
  }
} else {
  await writeFile(file, text);
}
await deps.close();
