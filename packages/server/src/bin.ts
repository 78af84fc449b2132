import { parseArgs } from 'node:util';
import { withRunningServer } from './beside.ts';
import type { Deps } from './deps.ts';
import { migrate } from './platform/db/migrate.ts';
import { resealAll } from './secrets-rotation.ts';

const HELP = `Usage: tonerow-server <command>

  start                 serve the API and the dashboard
  migrate               bring the database up to date
  admin grant EMAIL     make an account an admin
  admin revoke EMAIL    take that back
  secrets rotate        seal again, with the newest secret, what an older one sealed

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
    return withRunningServer(async (deps, config) => report(await migrate(deps.orm, config.databaseUrl)));
  if (command === 'admin' && (action === 'grant' || action === 'revoke') && email) {
    return withRunningServer(async (deps) => setAdmin(deps, email, action === 'grant'));
  }
  if (command === 'secrets' && action === 'rotate') return withRunningServer(rotateSecrets);
  process.stderr.write(HELP);
  return 64;
}

async function rotateSecrets(deps: Deps): Promise<number> {
  const results = await resealAll(deps.db, deps.secrets);
  for (const { table, resealed } of results) process.stdout.write(`${table}: ${resealed} sealed again\n`);
  const unreadable = results.filter((result) => result.unreadable > 0);
  for (const { table, unreadable: count } of unreadable) {
    process.stderr.write(`${table}: ${count} cannot be opened with the secrets that are set\n`);
  }
  return unreadable.length === 0 ? 0 : 1;
}

function report(migrations: string[]): number {
  process.stdout.write(migrations.length === 0 ? 'The database is up to date.\n' : `${migrations.join('\n')}\n`);
  return 0;
}

async function setAdmin(deps: Deps, email: string, admin: boolean): Promise<number> {
  const found = await deps.accounts.setAdmin(email, admin);
  if (found) process.stdout.write(`${email} is ${admin ? 'now' : 'no longer'} an admin.\n`);
  else process.stderr.write(`There is no account with the address ${email}.\n`);
  return found ? 0 : 1;
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
