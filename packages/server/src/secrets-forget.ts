import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { features } from './features.ts';

export interface Forgotten {
  what: string;
  count: number;
}

interface Needs {
  db: Database;
  secrets: Secrets;
  clock: Clock;
}

/** The platform's own: answers to repeated requests, which are kept for a day. */
const DROP_ANSWERS =
  'delete from idempotency_records where substring(answer from 1 for 4) <> all($1::bytea[]) returning 1';

/**
 * Discards what lost secrets encrypted, so that the server can start without them. The fingerprints have to be exactly
 * the missing ones, because what each of them encrypted cannot be distinguished without it. Otherwise null.
 */
export async function forgetSecrets(
  { db, secrets, clock }: Needs,
  fingerprints: readonly string[],
): Promise<Forgotten[] | null> {
  return db.transaction(async (tx) => {
    const probes = await tx.query<{ fingerprint: string }>('select fingerprint from secret_probes for update');
    const configured = secrets.fingerprints();
    const missing = probes.map(({ fingerprint }) => fingerprint).filter((each) => !configured.includes(each));
    if (missing.length === 0 || missing.sort().join() !== [...new Set(fingerprints)].sort().join()) return null;
    await tx.query('delete from secret_probes where fingerprint = any($1::text[])', [missing]);
    const forgotten: Forgotten[] = [];
    for (const { purpose, lossMeans, discard } of features.sealed) {
      forgotten.push({ what: lossMeans, count: await discard(tx, secrets.marks(purpose), clock.now()) });
    }
    const answers = await tx.query(DROP_ANSWERS, [secrets.marks('idempotency')]);
    return [...forgotten, { what: 'answers kept for repeated requests, dropped', count: answers.length }];
  });
}
