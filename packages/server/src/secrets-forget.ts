import type { Clock } from './platform/clock.ts';
import type { Database } from './platform/db/database.ts';
import type { Secrets } from './platform/secrets.ts';

export interface Forgotten {
  what: string;
  count: number;
}

interface Needs {
  db: Database;
  secrets: Secrets;
  clock: Clock;
}

/** What is lost with a secret, and what replaces it. `$1` are the marks of the remaining secrets. */
const losses = [
  {
    what: 'signing keys replaced; tokens they signed stay valid until they end',
    purpose: 'signing-key',
    statement: `/* across tenants: the loss of a secret */ update signing_keys set private_key = '', retired_at = coalesce(retired_at, $2)
      where length(private_key) > 0 and substring(private_key from 1 for 4) <> all($1::bytea[]) returning 1`,
    dated: true,
  },
  {
    what: 'accounts without their second factor',
    purpose: 'two-factor',
    statement: `update users set two_factor_secret = null, two_factor_since = null, two_factor_step = null
      where substring(two_factor_secret from 1 for 4) <> all($1::bytea[]) returning 1`,
  },
  {
    what: 'plugin keys that work but cannot be shown again',
    purpose: 'plugin-key',
    statement: `update plugin_keys set sealed = ''
      where length(sealed) > 0 and substring(sealed from 1 for 4) <> all($1::bytea[]) returning 1`,
  },
  {
    what: 'RSA pairs for JUCE and HISE that have to be imported again',
    purpose: 'product-key',
    statement: `/* across tenants: the loss of a secret */ update product_keys set private_key = ''
      where length(private_key) > 0 and substring(private_key from 1 for 4) <> all($1::bytea[]) returning 1`,
  },
  {
    what: 'answers kept for repeated requests, dropped',
    purpose: 'idempotency',
    statement: 'delete from idempotency_records where substring(answer from 1 for 4) <> all($1::bytea[]) returning 1',
  },
];

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
    for (const { what, purpose, statement, dated } of losses) {
      const rows = await tx.query(statement, [secrets.marks(purpose), ...(dated ? [clock.now()] : [])]);
      forgotten.push({ what, count: rows.length });
    }
    return forgotten;
  });
}
