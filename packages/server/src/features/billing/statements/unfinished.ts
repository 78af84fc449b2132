import { sql } from 'kysely';
import type { BillingState } from './statements.schemas.ts';

/** The states in which money is still expected. */
export const unfinished: readonly BillingState[] = ['rated', 'invoiced', 'open', 'failed'];
/** Also what was given up, which may still be paid. */
export const unpaid: readonly BillingState[] = [...unfinished, 'uncollectible'];

/** Whether money is still expected, by a column of states. */
export const isUnfinished = (state: string) =>
  sql<boolean>`${sql.ref(state)} in (${sql.join(unfinished.map((each) => sql.lit(each)))})`;
