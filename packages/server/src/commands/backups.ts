import { isPartitions, MOST_PARTITIONS } from '#platform/db/partitions/names.ts';
import { type Cron, readCron } from '#platform/time/cron.ts';
import type { BackupReport } from '../backup/backup.ts';
import { runBackup, runBackups, runRestore } from '../backup/index.ts';
import { type Call, USAGE_ERROR } from './surroundings.ts';

const MOST_KEPT = 10_000;

const EACH_MACHINE = `
Its tables are not of one moment: somebody wrote for longer than the backup waited, so the part of each machine is of a
moment of its own. What was written in between may be in one table and missing in another. Make another backup when
less is written.
`;

/** What is to be done before invoices are charged again. */
export const ON_HOLD = `Nothing is charged before you have looked, because what was collected since the backup is known to Stripe alone:

  tonerow-server reconcile             lists what Stripe has that is not here, with the step for each
  tonerow-server collection            what is due
  tonerow-server collection release    from then on the rest is charged
`;

/** `backup FILE`, `backup [--to PLACE]… [--keep N] [--schedule CRON]` */
export async function backup(call: Call): Promise<number | null> {
  const { action: file, subjects, options, env, out, err } = call;
  const { to, keep, schedule } = options;
  if (subjects.length > 0) return null;
  if (file !== undefined) {
    if (to || keep !== undefined || schedule !== undefined) {
      err('--to, --keep and --schedule go without a file: backups at a place are named by their moment.\n');
      return USAGE_ERROR;
    }
    note(file, await runBackup(file, env), call);
    return 0;
  }
  const most = keep === undefined ? undefined : Number(keep);
  if (most !== undefined && !(Number.isInteger(most) && most >= 1 && most <= MOST_KEPT)) {
    err(`--keep takes a whole number from 1 to ${MOST_KEPT}.\n`);
    return USAGE_ERROR;
  }
  let cron: Cron | undefined;
  try {
    cron = schedule === undefined ? undefined : readCron(schedule);
  } catch (error) {
    err(`--schedule: ${(error as Error).message}\n`);
    return USAGE_ERROR;
  }
  const made = await runBackups({ to: to ?? [], keep: most, schedule: cron }, env);
  if (made?.report) note(`${made.name} in ${made.places.join(' and ')}`, made.report, call);
  if (made && made.deleted > 0) out(`${made.deleted} older ones were deleted.\n`);
  return 0;
}

/** `restore FILE [--by N]` */
export async function restore({ action: file, options, env, out, err }: Call): Promise<number | null> {
  if (!file) return null;
  const partitions = options.by === undefined ? undefined : Number(options.by);
  if (partitions !== undefined && partitions !== 0 && !isPartitions(partitions)) {
    err(`--by takes a whole number from 2 to ${MOST_PARTITIONS}, or 0 for tables without partitions.\n`);
    return USAGE_ERROR;
  }
  const report = (line: string) => err(`${line}\n`);
  const { tables, files, migrated, whole, collects, moment } = await runRestore(file, env, { report, partitions });
  if (whole)
    out(
      `The tables of the backup had ${whole.had} partitions, and these have none: ${whole.because} To give them some, run: tonerow-server partition --by ${whole.had}\n`,
    );
  out(`Restored ${tables} tables and ${files} files. ${upgraded(migrated)}Start the server now.\n`);
  if (moment === 'each_machine') out(EACH_MACHINE);
  if (collects) out(`\n${ON_HOLD}`);
  return 0;
}

function note(what: string, { tables, files, secret, moment }: BackupReport, { out }: Call): void {
  const missing = secret ? '' : ' TONEROW_SECRET is not in it: keep that as well.';
  out(`${what}: ${tables} tables and ${files} files.${missing}\n`);
  if (moment === 'each_machine') out(EACH_MACHINE);
}

const upgraded = ({ length }: string[]) =>
  length > 0
    ? `The backup is of an earlier version: ${length === 1 ? '1 migration' : `${length} migrations`} brought it up to date. `
    : '';
