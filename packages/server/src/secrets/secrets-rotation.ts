import type { Database } from '#platform/db/database.ts';
import type { SealedColumn } from '#platform/secrets/sealed-column.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { features } from '../features.ts';
import { nextSealed, replaceSealed, type SealedRow } from './sealed-rows.ts';

const BATCH = 500;

export interface Resealed {
  table: string;
  column: string;
  resealed: number;
  /** Sealed under a secret that is not configured. */
  unreadable: number;
}

/**
 * Seals everything that an older secret sealed with the newest one, in batches. Rows that change meanwhile are skipped:
 * the process that changed them sealed them with the newest secret. So it can run while servers run, and be repeated.
 */
export async function resealAll(db: Database, secrets: Secrets): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const place of features.sealed) results.push(await reseal(db, secrets, place));
  return results;
}

async function reseal(db: Database, secrets: Secrets, place: SealedColumn): Promise<Resealed> {
  const { table, column, purpose } = place;
  const [mark] = secrets.marks(purpose) as [Buffer];
  const result = { table, column, resealed: 0, unreadable: 0 };
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await nextSealed(db, place, { after, mark, limit: BATCH });
    const opened: (SealedRow & { fresh: Buffer })[] = [];
    for (const row of rows) {
      try {
        opened.push({ ...row, fresh: secrets.seal(secrets.open(row.sealed, purpose), purpose) });
      } catch {
        result.unreadable += 1;
      }
    }
    result.resealed += await replaceSealed(db, place, opened);
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return result;
    after = last.id;
  }
}
