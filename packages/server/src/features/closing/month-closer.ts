import type { Sql } from '#platform/db/database.ts';

/** A month of some developers that has just been closed, in the transaction that is given along. */
export interface ClosedMonths {
  developerIds: readonly string[];
  /** Its first day. */
  month: string;
  now: Date;
  /** Whether others have theirs closed after them: what can wait is not to get in their way. */
  more: boolean;
}

/** The result of closing one developer's month. */
export interface MadeOf {
  /** Statements. */
  made: number;
  /** Whether the month after has to be closed too, although nothing may fall into it. */
  opensNext: boolean;
}

/**
 * Port: makes a feature's statements of a month, in the transaction that closes it. All of them, or the months stay open.
 * @returns by developer; those without anything may be left out.
 */
export type MonthCloser = (sql: Sql, closed: ClosedMonths) => Promise<Map<string, MadeOf>>;
