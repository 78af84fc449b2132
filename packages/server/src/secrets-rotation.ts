import type { Database } from '#platform/db/database.ts';
import type { SealedColumn } from '#platform/secrets/sealed-column.ts';
import type { Secrets } from '#platform/secrets/secrets.ts';
import { features } from './features.ts';

const BATCH = 500;

export interface Resealed {
  table: string;
  column: string;
  resealed: number;
  /** Sealed under a secret that is not configured. */
  unreadable: number;
}

/**
 * Seals everything that an older secret sealed with the newest one, in batches. What changes meanwhile is left to
 * whoever changed it, who seals with the newest anyway; so it can run while servers run, and be repeated.
 */
export async function resealAll(db: Database, secrets: Secrets): Promise<Resealed[]> {
  const results: Resealed[] = [];
  for (const place of features.sealed) results.push(await reseal(db, secrets, place));
  return results;
}

async function reseal(db: Database, secrets: Secrets, place: SealedColumn): Promise<Resealed> {
  const { table, column, purpose } = place;
  const [newest] = secrets.marks(purpose);
  const result = { table, column, resealed: 0, unreadable: 0 };
  let after = '00000000-0000-0000-0000-000000000000';
  for (;;) {
    const rows = await db.query<{ id: string; sealed: Buffer }>(
      `/* across tenants: the rotation of a secret */ select id, ${column} as sealed from ${table}
       where id > $1 and length(${column}) > 0 and substring(${column} from 1 for 4) <> $2 order by id limit ${BATCH}`,
      [after, newest],
    );
    const old: [string, Buffer, Buffer][] = [];
    for (const { id, sealed } of rows) {
      try {
        old.push([id, sealed, secrets.seal(secrets.open(sealed, purpose), purpose)]);
      } catch {
        result.unreadable += 1;
      }
    }
    const done = await db.query(
      `/* across tenants: the rotation of a secret */ update ${table} t set ${column} = n.fresh from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as n (id, old, fresh)
       where t.id = n.id and t.${column} = n.old returning t.id`,
      [old.map(([id]) => id), old.map(([, sealed]) => sealed), old.map(([, , fresh]) => fresh)],
    );
    result.resealed += done.length;
    const last = rows.at(-1);
    if (!last || rows.length < BATCH) return result;
    after = last.id;
  }
}
