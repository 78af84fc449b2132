/** What `tonerow-server --help` prints. */
export const HELP = `Usage: tonerow-server <command>

  start                 serve the API and the dashboard
  migrate               bring the database up to date
  backup FILE           write the database, the stored files and a generated secret into one file; never replaces one
  backup [--to PLACE]… [--keep N] [--schedule CRON]
                        the same with a name by its moment, to each place: a folder, or a bucket as s3://BUCKET/PREFIX;
                        without --to, to those of TONEROW_BACKUP_TO. --keep deletes all but the newest N there.
                        --schedule keeps running, and makes one whenever one is due: five fields of cron in UTC, such as
                        "0 3 * * *". What was missed or failed is made up for
  restore FILE [--by N] fill an empty database and an empty data folder from a backup of this version or an earlier one,
                        which may be s3://BUCKET/PREFIX/NAME, and bring it up to date; no server may run there. Tables
                        get as many partitions as those of the backup had, or N, or none for 0
  doctor [--json]       examine the installation: database, disk, clock, secrets, storage, email, addresses, jobs, backups and
                        the rest, each with what to do; ends with 0, with 2 for warnings, with 1 when something failed
  emails test ADDRESS   send one email by the settings, to see whether it comes; without SMTP_URL it becomes a file
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

Settings come from the environment. Without DATABASE_URL the commands use the embedded database of the
data folder: beside the server that runs on it, or without one.
`;

/** As the help lists them. */
export const COMMANDS = [...new Set([...HELP.matchAll(/^ {2}([a-z-]+)/gm)].map(([, name]) => name as string))];

/** The lines of the help about one command, or the whole for a name that is none. */
export function helpOf(name: string): string {
  const [, commands = ''] = HELP.split('<command>\n\n');
  const own = commands.split(/\n(?= {2}\S)|\n\n/).filter((lines) => lines.trim().split(/\s/, 1)[0] === name);
  return own.length === 0 ? HELP : `Usage: tonerow-server <command>\n\n${own.join('\n')}\n`;
}
