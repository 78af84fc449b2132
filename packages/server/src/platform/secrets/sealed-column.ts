import type { Sql } from '../db/database.ts';

/** A column that holds encrypted text for longer than a day. The feature that owns its table declares it. */
export interface SealedColumn {
  table: string;
  column: string;
  /** The purpose given to `secrets.seal`. */
  purpose: string;
  /** What the operator reads when its text is discarded, after a count: `3 <lossMeans>`. */
  lossMeans: string;
  /**
   * Discards what cannot be opened any more because its secret is lost, so that the server can do without it.
   * @param marks how text begins that one of the remaining secrets sealed.
   * @returns how many rows were changed.
   */
  discard(sql: Sql, marks: Buffer[], now: Date): Promise<number>;
}
