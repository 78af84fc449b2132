import path from 'node:path';
import { parseArgs } from 'node:util';
import { readConfig } from './config.ts';
import { createDeps, type ReadyConfig } from './deps.ts';
import { embeddedUrl } from './platform/db/embedded-postgres.ts';
import { migrate } from './platform/db/migrate.ts';
import { createLogger } from './platform/log.ts';
import { secretsIn } from './secrets-file.ts';

const HELP = `Usage: tonerow-server <command>

  start                 serve the API and the dashboard
  migrate               bring the database up to date
  admin grant EMAIL     make an account an admin
  admin revoke EMAIL    take that back

Settings come from the environment. Without DATABASE_URL the commands beside "start" speak to the
embedded database of the server that is running on the data folder.
`;

async function main(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { help: { type: 'boolean', short: 'h' } },
  });
  const [command, action, email] = positionals;
  if (values.help || command === undefined) {
    process.stdout.write(HELP);
    return values.help ? 0 : 64;
  }
  if (command === 'start') {
    await import('./main.ts');
    return 0;
  }
  if (command === 'migrate')
    return withDeps(async (deps, config) => report(await migrate(deps.orm, config.databaseUrl)));
  if (command === 'admin' && (action === 'grant' || action === 'revoke') && email) {
    return withDeps(async (deps) => setAdmin(deps, email, action === 'grant'));
  }
  process.stderr.write(HELP);
  return 64;
}

function report(migrations: string[]): number {
  process.stdout.write(migrations.length === 0 ? 'The database is up to date.\n' : `${migrations.join('\n')}\n`);
  return 0;
}

async function setAdmin(deps: Awaited<ReturnType<typeof createDeps>>, email: string, admin: boolean): Promise<number> {
  const found = await deps.accounts.setAdmin(email, admin);
  if (found) process.stdout.write(`${email} is ${admin ? 'now' : 'no longer'} an admin.\n`);
  else process.stderr.write(`There is no account with the address ${email}.\n`);
  return found ? 0 : 1;
}

async function withDeps(
  work: (deps: Awaited<ReturnType<typeof createDeps>>, config: ReadyConfig) => Promise<number>,
): Promise<number> {
  const config = readConfig();
  const dataDir = path.resolve(config.dataDir);
  const databaseUrl = config.databaseUrl ?? (await embeddedUrl(dataDir));
  if (!databaseUrl) throw new Error(`No server has run on ${dataDir} yet. Start it first: npm start`);
  const secrets =
    config.secrets ??
    (await secretsIn(dataDir, () => {
      throw new Error('no secret');
    }));
  const ready: ReadyConfig = { ...config, dataDir, databaseUrl, secrets };
  const deps = await createDeps(ready, { log: createLogger('error') });
  try {
    return await work(deps, ready);
  } finally {
    await deps.close();
  }
}

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error) => {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  },
);
