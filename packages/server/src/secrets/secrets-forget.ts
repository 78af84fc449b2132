import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/db/database.ts';
import { deleteSealedOtherwise } from '#platform/http/idempotency.queries.ts';
import type { SealedColumn } from '#platform/secrets/sealed-column.ts';
import { deleteProbes, holdProbes } from '#platform/secrets/secret-probes.queries.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { features } from '../features.ts';
import { spread } from '../spread.ts';

export interface Forgotten {
  what: string;
  count: number;
}

interface Needs {
  db: Database;
  secrets: Secrets;
  clock: Clock;
}

/**
 * Discards what lost secrets encrypted, so that the server can start without them. The fingerprints have to be exactly
 * the missing ones, because what each of them encrypted cannot be distinguished without it. Otherwise null.
 */
export async function forgetSecrets(
  { db, secrets, clock }: Needs,
  fingerprints: readonly string[],
): Promise<Forgotten[] | null> {
  return db.work({ tx: true }, async (tx) => {
    const probes = await holdProbes(tx);
    const configured = secrets.fingerprints();
    const missing = probes.map(({ fingerprint }) => fingerprint).filter((each) => !configured.includes(each));
    if (missing.length === 0 || missing.sort().join() !== [...new Set(fingerprints)].sort().join()) return null;
    await deleteProbes(tx, missing);
    const forgotten = new Map<string, number>();
    // many machines write what each of them has before they are asked for their parts
    const ofTenants = ({ table }: SealedColumn) => Number(spread[table] === 'tenant');
    for (const { purpose, lossMeans, discard } of features.sealed.toSorted((a, b) => ofTenants(a) - ofTenants(b))) {
      forgotten.set(lossMeans, await discard(tx, secrets.marks(purpose), clock.now()));
    }
    const count = await deleteSealedOtherwise(tx, secrets.marks('idempotency'));
    const found = features.sealed.map(({ lossMeans }) => ({ what: lossMeans, count: forgotten.get(lossMeans) ?? 0 }));
    return [...found, { what: 'answers kept for repeated requests, dropped', count }];
  });
}
