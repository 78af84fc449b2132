import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { StartupError } from '#platform/errors.ts';
import type { Fault } from '#platform/operations/readiness.ts';
import * as q from '#platform/secrets/secret-probes.queries.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { utcDay } from '#platform/time/days.ts';
import { features } from '../features.ts';
import { anySealed } from './sealed-rows.ts';

const PURPOSE = 'probe';

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
  await db.work({ tx: true }, async (tx) => {
    // one of two processes that start with different secrets is refused
    await q.lockProbes(tx);
    const probes = await q.readProbes(tx);
    const problem = probes.length > 0 ? missingOf(probes, secrets) : await unreadable(tx, secrets);
    if (problem) throw new StartupError(problem);
    const [fingerprint] = secrets.fingerprints() as [string];
    await q.addProbe(tx, { fingerprint, sealed: secrets.seal('probe', PURPOSE), now: clock.now() });
  });
}

/** The same for a process that runs already, such as after a restore beneath it. */
export async function checkSecrets(sql: Sql, secrets: Secrets): Promise<Fault | null> {
  const detail = missingOf(await q.readProbes(sql), secrets);
  return detail ? { reason: 'the secret does not fit the database', detail } : null;
}

/** Lists for the operator which secrets are configured, and which ones the database needs. */
export async function listSecrets(sql: Sql, secrets: Secrets): Promise<string[]> {
  const configured = secrets.fingerprints();
  const probes = await q.readProbes(sql);
  return [
    ...configured.map((fingerprint, i) => `${fingerprint}  configured${i === 0 ? ', seals' : ''}`),
    ...probes
      .filter(({ fingerprint }) => !configured.includes(fingerprint))
      .map(({ fingerprint, created_at }) => `${fingerprint}  MISSING, sealed here since ${day(created_at)}`),
  ];
}

/** Once everything is re-encrypted, older secrets are no longer needed. */
export async function forgetOldProbes(sql: Sql, secrets: Secrets): Promise<void> {
  const [newest] = secrets.fingerprints() as [string];
  await q.deleteProbesBut(sql, newest);
}

function missingOf(probes: q.Probe[], secrets: Secrets): string | null {
  const missing = probes.filter(({ sealed }) => !secrets.canOpen(sealed, PURPOSE));
  if (missing.length === 0) return null;
  const names = missing.map(({ fingerprint, created_at }) => `${fingerprint} (in use since ${day(created_at)})`);
  return refusal(`The secret ${names.join(' and ')} is missing: it sealed what is stored here`, secrets);
}

/** Looks at one sealed value of each kind, for a database from before the probes. */
async function unreadable(sql: Sql, secrets: Secrets): Promise<string | null> {
  for (const place of features.sealed) {
    const sealed = await anySealed(sql, place);
    if (sealed && !secrets.canOpen(sealed, place.purpose)) {
      return refusal(`A secret is missing: ${place.table}.${place.column} was sealed with another one`, secrets);
    }
  }
  return null;
}

function refusal(what: string, secrets: Secrets): string {
  return `${what}. Configured: ${secrets.fingerprints().join(', ')}. Put the missing secret into TONEROW_SECRET, or into the file "secret" of the data folder, as it was when the database was backed up. See "Secrets" in docs/operations.md.`;
}

function day(date: Date): string {
  return utcDay(date);
}
