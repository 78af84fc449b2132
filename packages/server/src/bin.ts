import { parseArgs } from 'node:util';
import { refusedMonth } from '#features/closing';
import { systemClock } from '#platform/clock.ts';
import { MOST_PARTITIONS } from '#platform/db/partitions/names.ts';
import { migrate } from '#platform/db/schema/migrate.ts';
import { money } from '#platform/paper/words.ts';
import { type Cron, readCron } from '#platform/time/cron.ts';
import { passphraseIn, restoreAccount } from './account-restore.ts';
import type { BackupReport } from './backup/backup.ts';
import { runBackup, runBackups, runRestore } from './backup/index.ts';
import { migrationsFolder } from './base.ts';
import { readConfig } from './config.ts';
import type { Deps } from './deps.ts';
import { runDistribute } from './distribute/index.ts';
import { runDoctor } from './doctor/index.ts';
import { features } from './features.ts';
import { runPartition } from './partition/index.ts';
import { withRunningServer } from './running-server.ts';
import { forgetOldProbes, listSecrets } from './secrets-check.ts';
import { forgetSecrets } from './secrets-forget.ts';
import { resealAll } from './secrets-rotation.ts';
import { spread } from './spread.ts';
import { nearestOf } from './unknown-settings.ts';

const HELP = `Usage: tonerow-server <command>

  start                 serve the API and the dashboard
  migrate               bring the database up to date
  backup FILE           write the database, the stored files and a generated secret into one file; never replaces one
  backup [--to PLACE]… [--keep N] [--schedule CRON]
                        the same with a name by its moment, to each place: a folder, or a bucket as s3://BUCKET/PREFIX;
                        without --to, to those of TONEROW_BACKUP_TO. --keep deletes all but the newest N there.
                        --schedule keeps running, and makes one whenever one is due: five fields of cron in UTC, such as
                        "0 3 * * *". What was missed or failed is made up for
  restore FILE          fill an empty database and an empty data folder from a backup of this version or an earlier one,
                        which may be s3://BUCKET/PREFIX/NAME, and bring it up to date; no server may run there
  doctor [--json]       examine the installation: database, disk, clock, secrets, storage, email, addresses, jobs, backups and
                        the rest, each with what to do; ends with 0, with 2 for warnings, with 1 when something failed
  partition --by N [--yes | --dry-run]
                        give every table of accounts N partitions by account, such as 16, while the server serves;
                        shows beforehand how long that takes and how much disk it needs, and with --dry-run that alone
  close-month [--month YYYY-MM] [--dry-run]
                        close the months that are over, up to one, and make their statements; the server does so
                        by itself every hour, and a repeat changes nothing
  reconcile             compare invoices with Stripe and with the ledger; ends with 1 when something differs
  collection            whether invoices are charged; they are not after a restore
  collection release    charge again: Stripe and "reconcile" were looked at
  collection hold --since TIME
                        charge nothing until then, because the database was set back to TIME by other means than
                        "restore", such as those of PostgreSQL; before the server is started
  distribute [--coordinator HOST:PORT] [--shards N] [--dry-run]
                        spread the accounts of a Citus cluster's database over its workers; no server may run there.
                        It says what the cluster lacks, goes on where it was stopped, and works on an empty database,
                        which it makes, or on a full one. HOST:PORT: where the workers reach this coordinator
  account restore FILE --passphrase-file FILE
                        make an account again from the archive of another server: same ids, codes and keys. Refuses what
                        is here already, and an archive that was changed; writes everything or nothing
  admin grant EMAIL     make an account an admin
  admin revoke EMAIL    take that back
  secrets list          fingerprints of the secrets that are set, and of those that the database needs
  secrets forget FINGERPRINT…
                        give up what lost secrets sealed, so that the server can start without them
  secrets rotate        seal again, with the newest secret, what an older one sealed

Settings come from the environment. Without DATABASE_URL the commands beside "start" speak to the
embedded database of the server that is running on the data folder.
`;

/** As the help lists them. */
const COMMANDS = [...new Set([...HELP.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name as string))];

const EACH_MACHINE = `
Its tables are not of one moment: somebody wrote for longer than the backup waited, so the part of each machine is of a
moment of its own. What was written in between may be in one table and missing in another. Make another backup when
less is written.
`;

const ON_HOLD = `
Nothing is charged before you have looked, because what was collected since the backup is known to Stripe alone:

  tonerow-server reconcile             lists what Stripe has that is not here, and what becomes of it
  tonerow-server collection            what is due
  tonerow-server collection release    from then on the rest is charged
`;

async function main(argv: string[]): Promise<number> {
  const { positionals, values } = parseArgs({
    args: argv,
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
  const [command, action, ...subjects] = positionals;
  const [subject] = subjects;
  const wanted = values.help || command === 'help';
  if (wanted || command === undefined) {
    process.stdout.write(HELP);
    return wanted ? 0 : 64;
  }
  if (command === 'start') {
    await import('./main.ts');
    return 0;
  }
  if (command === 'doctor' && !action) {
    const code = await runDoctor({ json: values.json === true, write: (text) => process.stdout.write(text) });
    // a connection that hangs keeps nobody waiting
    process.stdout.write('', () => process.exit(code));
    return code;
  }
  for (const complaint of readConfig().complaints) process.stderr.write(`${complaint}\n`);
  if (command === 'migrate')
    return withRunningServer(async (deps, config) =>
      report(await migrate(deps.orm, { url: config.directUrl, folder: migrationsFolder, spread })),
    );
  if (command === 'backup' && subjects.length === 0) return makeBackups(action, values);
  if (command === 'restore' && action) {
    const { tables, files, migrated, collects, moment } = await runRestore(action);
    process.stdout.write(`Restored ${tables} tables and ${files} files. ${upgraded(migrated)}Start the server now.\n`);
    if (moment === 'each_machine') process.stdout.write(EACH_MACHINE);
    if (collects) process.stdout.write(ON_HOLD);
    return 0;
  }
  if (command === 'partition' && !action && values.by !== undefined) {
    const by = Number(values.by);
    if (Number.isInteger(by) && by >= 2 && by <= MOST_PARTITIONS) {
      return runPartition({ by, yes: values.yes === true, dryRun: values['dry-run'] === true });
    }
    process.stderr.write(`--by takes a whole number from 2 to ${MOST_PARTITIONS}. 16 is a good one.\n`);
    return 64;
  }
  if (command === 'distribute' && !action) {
    const { coordinator, shards, 'dry-run': dryRun = false } = values;
    return runDistribute({ coordinator, shards, dryRun, say: (line) => process.stdout.write(`${line}\n`) });
  }
  if (command === 'close-month' && !action) {
    const { month, 'dry-run': dryRun = false } = values;
    const refused = month === undefined ? undefined : refusedMonth(month, systemClock.now());
    if (refused !== undefined) {
      process.stderr.write(`${refused}\n`);
      return 64;
    }
    return withRunningServer((deps) => closeMonths(deps, month, dryRun));
  }
  if (command === 'collection' && subjects.length === 0) {
    if (action === undefined) return withRunningServer(showCollection);
    if (action === 'release') return withRunningServer(releaseCollection);
    const since = Date.parse(values.since ?? '');
    if (action === 'hold' && !Number.isNaN(since)) return withRunningServer((deps) => holdCollection(deps, since));
  }
  if (command === 'reconcile' && !action) return withRunningServer(reconcile);
  if (command === 'account' && action === 'restore' && subject && values['passphrase-file'] !== undefined) {
    const passphrase = await passphraseIn(values['passphrase-file']);
    return withRunningServer((deps) => restoreOne(deps, subject, passphrase));
  }
  if (command === 'admin' && (action === 'grant' || action === 'revoke') && subject) {
    return withRunningServer(async (deps) => setAdmin(deps, subject, action === 'grant'));
  }
  if (command === 'secrets' && action === 'list') {
    return withRunningServer(async ({ db, secrets }) => {
      process.stdout.write(`${(await listSecrets(db, secrets)).join('\n')}\n`);
      return 0;
    });
  }
  if (command === 'secrets' && action === 'forget' && subject) {
    return withRunningServer((deps) => forget(deps, subjects));
  }
  if (command === 'secrets' && action === 'rotate') return withRunningServer(rotateSecrets);
  const [meant, distance] = nearestOf(command, COMMANDS);
  const slip = distance > 0 && distance <= 2;
  process.stderr.write(slip ? `There is no command "${command}". Did you mean "tonerow-server ${meant}"?\n` : HELP);
  return 64;
}

async function restoreOne(deps: Deps, file: string, passphrase: string): Promise<number> {
  const done = await restoreAccount({ ...deps, file, passphrase, sealed: features.sealed });
  const { email, plan, rows, files, absent, skipped } = done;
  process.stdout.write(`${email}, on the plan "${plan}": ${rows} rows and ${files} files.\n`);
  if (absent > 0)
    process.stdout.write(`Resellers who have no account here: ${absent}. Their partnerships are ended.\n`);
  if (skipped.length > 0) process.stdout.write(`This version does not have: ${skipped.join(', ')}.\n`);
  return 0;
}

interface BackupOptions {
  to?: string[] | undefined;
  keep?: string | undefined;
  schedule?: string | undefined;
}

async function makeBackups(file: string | undefined, { to, keep, schedule }: BackupOptions): Promise<number> {
  if (file !== undefined) {
    if (to || keep !== undefined || schedule !== undefined) {
      process.stderr.write(
        '--to, --keep and --schedule go without a file: backups at a place are named by their moment.\n',
      );
      return 64;
    }
    noteBackup(file, await runBackup(file));
    return 0;
  }
  const most = keep === undefined ? undefined : Number(keep);
  if (most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= MOST_KEPT)) {
    process.stderr.write(`--keep takes a whole number from 1 to ${MOST_KEPT}.\n`);
    return 64;
  }
  let cron: Cron | undefined;
  try {
    cron = schedule === undefined ? undefined : readCron(schedule);
  } catch (error) {
    process.stderr.write(`--schedule: ${(error as Error).message}\n`);
    return 64;
  }
  const made = await runBackups({ to: to ?? [], keep: most, schedule: cron });
  if (made?.report) noteBackup(`${made.name} in ${made.places.join(' and ')}`, made.report);
  if (made && made.deleted > 0) process.stdout.write(`${made.deleted} older ones were deleted.\n`);
  return 0;
}

const MOST_KEPT = 10_000;

function noteBackup(what: string, { tables, files, secret, moment }: BackupReport): void {
  const missing = secret ? '' : ' TONEROW_SECRET is not in it: keep that as well.';
  process.stdout.write(`${what}: ${tables} tables and ${files} files.${missing}\n`);
  if (moment === 'each_machine') process.stdout.write(EACH_MACHINE);
}

async function rotateSecrets(deps: Deps): Promise<number> {
  const results = await resealAll(deps.db, deps.secrets);
  for (const { table, column, resealed } of results)
    process.stdout.write(`${table}.${column}: ${resealed} sealed again\n`);
  const unreadable = results.filter((result) => result.unreadable > 0);
  for (const { table, unreadable: count } of unreadable) {
    process.stderr.write(`${table}: ${count} cannot be opened with the secrets that are set\n`);
  }
  if (unreadable.length > 0) return 1;
  await forgetOldProbes(deps.db, deps.secrets);
  return 0;
}

async function forget(deps: Deps, fingerprints: string[]): Promise<number> {
  const losses = await forgetSecrets(deps, fingerprints);
  for (const { what, count } of losses ?? []) process.stdout.write(`${count} ${what}\n`);
  if (losses) return 0;
  process.stderr.write('Name all secrets that are missing, and no others. See: tonerow-server secrets list\n');
  return 1;
}

async function closeMonths(deps: Deps, month: string | undefined, dryRun: boolean): Promise<number> {
  // the emails about statements are queued with them
  await deps.jobs.start({ work: false });
  const { months, statements, failed, collected } = await closeAndCollect(deps, month, dryRun).finally(() =>
    deps.jobs.stop(),
  );
  process.stdout.write(
    `${dryRun ? 'Would close' : 'Closed'} ${months} months of developers, with ${statements.payout} payout statements and ${statements.billing} billing statements.\n`,
  );
  if (failed > 0) process.stderr.write(`${failed} could not be closed. See the log; the next run tries them again.\n`);
  if (!collected) return failed > 0 ? 1 : 0;
  if (collected.onHold) {
    process.stderr.write('Nothing is charged since the database was set back. See: tonerow-server collection\n');
    return 1;
  }
  process.stdout.write(`Collected ${collected.paid} invoices.\n`);
  const uncollected = collected.failed + collected.later;
  if (uncollected > 0)
    process.stderr.write(
      `${collected.failed} could not be charged, and ${collected.later} are tried again by the next run.\n`,
    );
  const { held } = collected;
  if (held.until)
    process.stderr.write(
      `${held.count} ${held.count === 1 ? 'is' : 'are'} in the hands of another run. If that was killed, a run after ${held.until.toISOString().slice(0, 16).replace('T', ' ')} UTC collects them.\n`,
    );
  return failed + uncollected + held.count > 0 ? 1 : 0;
}

async function closeAndCollect(deps: Deps, month: string | undefined, dryRun: boolean) {
  const closed = await deps.closings.run({ through: month, dryRun });
  // a command ends when nothing is left, however long that takes
  const collected = dryRun || !deps.payments ? undefined : await deps.collection.run(Number.POSITIVE_INFINITY);
  return { ...closed, collected };
}

async function reconcile(deps: Deps): Promise<number> {
  const { compared, differences } = await deps.reconciliation.run();
  for (const words of differences) process.stdout.write(`${words}\n`);
  const what = `${compared} ${compared === 1 ? 'invoice' : 'invoices'} compared`;
  process.stdout.write(differences.length === 0 ? `${what}. Nothing differs.\n` : `${what}.\n`);
  if (await deps.collectionHold.current())
    process.stdout.write('Nothing is charged until you run: tonerow-server collection release\n');
  return differences.length > 0 ? 1 : 0;
}

const minute = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

async function showCollection({ collectionHold }: Deps): Promise<number> {
  const view = await collectionHold.view();
  if (!view) {
    process.stdout.write('Invoices are charged when they are due.\n');
    return 0;
  }
  const { since, forgotten, reconciled, due } = view;
  process.stdout.write(
    `Nothing is charged since ${minute(since)}, when the database was set back to ${minute(forgotten)}.\n` +
      `${due.count} ${due.count === 1 ? 'invoice' : 'invoices'} over ${money(due.cents)} ${due.count === 1 ? 'is' : 'are'} due; those that Stripe has a payment of are not charged again.\n` +
      (reconciled
        ? `Last reconciled at ${minute(reconciled)}. To charge again: tonerow-server collection release\n`
        : 'Not reconciled since. Look first: tonerow-server reconcile\n'),
  );
  return 1;
}

async function releaseCollection({ collectionHold }: Deps): Promise<number> {
  await collectionHold.release();
  process.stdout.write(
    'Invoices are charged again: by the next hourly run, or now by tonerow-server close-month. Reconcile once more after it.\n',
  );
  return 0;
}

async function holdCollection({ collectionHold }: Deps, since: number): Promise<number> {
  await collectionHold.begin(new Date(since));
  process.stdout.write(ON_HOLD.trimStart());
  return 0;
}

const upgraded = ({ length }: string[]) =>
  length > 0
    ? `The backup is of an earlier version: ${length === 1 ? '1 migration' : `${length} migrations`} brought it up to date. `
    : '';

function report(migrations: string[]): number {
  process.stdout.write(migrations.length === 0 ? 'The database is up to date.\n' : `${migrations.join('\n')}\n`);
  return 0;
}

async function setAdmin(deps: Deps, email: string, admin: boolean): Promise<number> {
  const account = await deps.accounts.setAdmin(email, admin);
  if (!account) {
    process.stderr.write(`There is no account with the address ${email}.\n`);
    return 1;
  }
  process.stdout.write(`${email} is ${admin ? 'now' : 'no longer'} an admin.\n`);
  if (admin && !account.verified) {
    process.stderr.write(
      'Nobody has verified this address yet. If you did not create the account yourself, revoke this: somebody else may have.\n',
    );
  }
  return 0;
}

// whoever reads the first lines only, as in "doctor | head", has what was asked for
process.stdout.on('error', (error: Error & { code?: string }) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: Error & { code?: string }) => {
    const misused = error.code?.startsWith('ERR_PARSE_ARGS_') === true;
    // what follows is about arguments that begin with a dash, which no command has
    const words = misused ? `${error.message.split('. ')[0]}. See: tonerow-server --help` : error.message;
    process.stderr.write(`${words}\n`);
    process.exitCode = misused ? 64 : 1;
  },
);
