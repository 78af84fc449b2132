import { parseArgs } from 'node:util';
import { isPartitions, MOST_PARTITIONS } from '#platform/db/partitions/names.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { migrationsFolder } from '../base.ts';
import { besideServer } from '../beside-server.ts';
import { readConfig } from '../config.ts';
import { runDistribute } from '../distribute/index.ts';
import { runDoctor } from '../doctor/index.ts';
import { runPartition } from '../partition/index.ts';
import { spread } from '../spread.ts';
import { nearestOf } from '../unknown-settings.ts';
import { account, admin } from './accounts.ts';
import { backup, restore } from './backups.ts';
import { emails } from './emails.ts';
import { COMMANDS, HELP, helpOf } from './help.ts';
import { closeMonth, collection, reconcile } from './money.ts';
import { secrets } from './secrets.ts';
import { type Command, type Surroundings, USAGE_ERROR } from './surroundings.ts';

/** Commands by their typed names. A map, because the typed text may be the name of any property of an object. */
function named(commands: Record<string, Command>): ReadonlyMap<string, Command> {
  return new Map(Object.entries(commands));
}

/** Those that read no settings before they begin. */
const ALONE = named({
  async start() {
    await import('../main.ts');
    return 0;
  },
  async doctor({ action, options, env, out }) {
    return action ? null : runDoctor({ json: options.json === true, env, write: out });
  },
});

const BESIDE = named({
  async migrate({ env, out }) {
    return besideServer(
      async ({ orm }, { directUrl }) => {
        const migrations = await migrate(orm, { url: directUrl, folder: migrationsFolder, spread });
        out(migrations.length === 0 ? 'The database is up to date.\n' : `${migrations.join('\n')}\n`);
        return 0;
      },
      { env },
    );
  },
  backup,
  restore,
  async partition({ action, options, env, out, err }) {
    if (action) return null;
    const by = Number(options.by);
    if (isPartitions(by))
      return runPartition({ by, yes: options.yes === true, dryRun: options['dry-run'] === true, env, report: out });
    err(`--by takes a whole number from 2 to ${MOST_PARTITIONS}. 16 is a good one.\n`);
    return USAGE_ERROR;
  },
  async distribute({ action, options, env, out }) {
    if (action) return null;
    const { coordinator, shards, 'dry-run': dryRun = false } = options;
    return runDistribute({ coordinator, shards, dryRun, env, report: (line) => out(`${line}\n`) });
  },
  'close-month': closeMonth,
  collection,
  reconcile,
  emails,
  account,
  admin,
  secrets,
});

/**
 * `tonerow-server`, for a process and for tests.
 * @returns the exit code; what went wrong was written
 */
export async function runServerCommand(argv: readonly string[], around: Surroundings): Promise<number> {
  try {
    return await run(argv, around);
  } catch (thrown) {
    const error = thrown as Error & { code?: string };
    const isMisused = error.code?.startsWith('ERR_PARSE_ARGS_') === true;
    // the rest of the message is about arguments that begin with a dash, which no command has
    around.err(`${isMisused ? `${error.message.split('. ')[0]}. See: tonerow-server --help` : error.message}\n`);
    return isMisused ? USAGE_ERROR : 1;
  }
}

async function run(argv: readonly string[], around: Surroundings): Promise<number> {
  const { positionals, values } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      help: { type: 'boolean', short: 'h' },
      month: { type: 'string' },
      'dry-run': { type: 'boolean' },
      since: { type: 'string' },
      by: { type: 'string' },
      yes: { type: 'boolean' },
      coordinator: { type: 'string' },
      to: { type: 'string', multiple: true },
      keep: { type: 'string' },
      schedule: { type: 'string' },
      json: { type: 'boolean' },
      shards: { type: 'string' },
      'passphrase-file': { type: 'string' },
    },
  });
  const [name, action, ...subjects] = positionals;
  const { help, ...options } = values;
  const wanted = help || name === 'help';
  if (wanted || name === undefined) {
    around.out(HELP);
    return wanted ? 0 : USAGE_ERROR;
  }
  const call = { ...around, action, subjects, options };
  const alone = ALONE.get(name);
  if (!alone) for (const complaint of readConfig(around.env).complaints) around.err(`${complaint}\n`);
  return (await (alone ?? BESIDE.get(name))?.(call)) ?? misused(name, around);
}

function misused(name: string, { err }: Surroundings): number {
  const [meant, distance] = nearestOf(name, COMMANDS);
  const slip = distance > 0 && distance <= 2;
  err(slip ? `There is no command "${name}". Did you mean "tonerow-server ${meant}"?\n` : helpOf(name));
  return USAGE_ERROR;
}
