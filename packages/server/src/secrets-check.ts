import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { StartupError } from '#platform/errors.ts';
import type { Fault } from '#platform/operations/readiness.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { features } from './features.ts';

const PURPOSE = 'probe';

interface Probe {
  fingerprint: string;
  sealed: Buffer;
  created_at: Date;
}

interface Needs {
  db: Database;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Makes sure that everything sealed in this database can be opened, and leaves a probe for the secret that seals from
 * now on. With the wrong secret nothing is written.
 * @throws {StartupError} naming the secrets that are missing.
 */
export async function proveSecrets({ db, secrets, clock }: Needs): Promise<void> {
  await db.transaction(async (tx) => {
    // of two processes that start with different secrets, one is refused
    await tx.query('lock table secret_probes in share row exclusive mode');
    const probes = await readProbes(tx);
    const problem = probes.length > 0 ? missingOf(probes, secrets) : await unreadable(tx, secrets);
    if (problem) throw new StartupError(problem);
    await tx.query(
      'insert into secret_probes (fingerprint, sealed, created_at) values ($1, $2, $3) on conflict do nothing',
      [secrets.fingerprints()[0], secrets.seal('probe', PURPOSE), clock.now()],
    );
  });
}

/** The same for a process that runs already, such as after a restore beneath it. */
export async function checkSecrets(sql: Sql, secrets: Secrets): Promise<Fault | null> {
  const detail = missingOf(await readProbes(sql), secrets);
  return detail ? { reason: 'the secret does not fit the database', detail } : null;
}

/** For the operator: which secrets are configured, and which ones the database needs. */
export async function listSecrets(sql: Sql, secrets: Secrets): Promise<string[]> {
  const configured = secrets.fingerprints();
  const probes = await readProbes(sql);
  return [
    ...configured.map((fingerprint, i) => `${fingerprint}  configured${i === 0 ? ', seals' : ''}`),
    ...probes
      .filter(({ fingerprint }) => !configured.includes(fingerprint))
      .map(({ fingerprint, created_at }) => `${fingerprint}  MISSING, sealed here since ${day(created_at)}`),
  ];
}

/** Once everything is re-encrypted, older secrets are no longer needed. */
export async function forgetOldProbes(sql: Sql, secrets: Secrets): Promise<void> {
  await sql.query('delete from secret_probes where fingerprint <> $1', [secrets.fingerprints()[0]]);
}

function readProbes(sql: Sql): Promise<Probe[]> {
  return sql.query<Probe>('select fingerprint, sealed, created_at from secret_probes order by created_at');
}

function missingOf(probes: Probe[], secrets: Secrets): string | null {
  const missing = probes.filter(({ sealed }) => !secrets.canOpen(sealed, PURPOSE));
  if (missing.length === 0) return null;
  const names = missing.map(({ fingerprint, created_at }) => `${fingerprint} (in use since ${day(created_at)})`);
  return refusal(`The secret ${names.join(' and ')} is missing: it sealed what is stored here`, secrets);
}

/** For a database from before the probes: looks at one sealed value of each kind. */
async function unreadable(sql: Sql, secrets: Secrets): Promise<string | null> {
  for (const { table, column, purpose } of features.sealed) {
    const [row] = await sql.query<{ sealed: Buffer }>(
      `/* across tenants: any one will do */ select ${column} as sealed from ${table} where length(${column}) > 0 order by id desc limit 1`,
    );
    if (row && !secrets.canOpen(row.sealed, purpose)) {
      return refusal(`A secret is missing: ${table}.${column} was sealed with another one`, secrets);
    }
  }
  return null;
}

function refusal(what: string, secrets: Secrets): string {
  return `${what}. Configured: ${secrets.fingerprints().join(', ')}. Put the missing secret into TONEROW_SECRET, or into the file "secret" of the data folder, as it was when the database was backed up. See "Secrets" in docs/operations.md.`;
}

function day(date: Date): string {
  return date.toISOString().slice(0, 10);
}
