import type { Sql } from '../../platform/db/database.ts';

/** A month of a developer that has just been closed, in the transaction that is given along. */
export interface ClosedMonth {
  developerId: string;
  /** Its first day. */
  month: string;
  now: Date;
}

/** Port: makes a feature's statements of a month, in the transaction that closes it. All of them, or the month stays open. */
export type MonthCloser = (
  sql: Sql,
  closed: ClosedMonth,
) => Promise<{
  /** Statements. */
  made: number;
  /** Whether the month after has to be closed too, although nothing may fall into it. */
  opensNext: boolean;
}>;
