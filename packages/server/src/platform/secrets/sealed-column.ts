import { sql } from 'kysely';
import type { Sql } from '../db/database.ts';
import { acrossTenants } from '../db/tenant.ts';

/** A column that holds encrypted text for longer than a day. The feature that owns its table declares it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The purpose given to `secrets.seal`. */
  purpose: string;
  /** The words that the operator reads when its text is discarded, after a count: `3 <lossMeans>`. */
  lossMeans: string;
  /**
   * Discards text that cannot be opened any more because its secret is lost, so that the server can do without it.
   * @param marks the beginnings of text that one of the remaining secrets sealed.
   * @returns how many rows were changed.
   */
  discard(sql: Sql, marks: Buffer[], now: Date): Promise<number>;
}

/** Text that no remaining secret sealed. @param marks as for {@link SealedColumn.discard} */
export const hasLostSecret = (column: string, marks: Buffer[]) =>
  sql<boolean>`length(${sql.ref(column)}) > 0 and substring(${sql.ref(column)} from 1 for 4) <> all(${marks}::bytea[])`;

/** Lost text is discarded in the rows of all accounts. */
export const OF_ALL_ACCOUNTS = acrossTenants('the loss of a secret');
