import pino from 'pino';
import { buildApp } from '../../packages/server/src/app.ts';
import { readConfig } from '../../packages/server/src/config.ts';
import { createDeps } from '../../packages/server/src/deps.ts';

/** The contract as the app declares it. Needs no database, because no route runs. */
export async function declaredContract(): Promise<string> {
  const config = { ...readConfig({}), databaseUrl: 'postgres://nobody@127.0.0.1:1/none', secrets: ['x'.repeat(32)] };
  const deps = await createDeps(config, { log: pino({ level: 'silent' }) });
  const app = await buildApp(deps);
  await app.ready();
  const text = `${JSON.stringify(app.swagger(), null, 2)}\n`;
  await app.close();
  await deps.close();
  return text;
}
