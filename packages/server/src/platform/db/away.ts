import { sqlState } from '../errors.ts';
import { DatabaseSilent } from './pools/silence.ts';

const DATABASE_AWAY = new Set(['57P01', '57P02', '57P03', '53300', '08000', '08001', '08003', '08004', '08006']);
const CONNECTION_LOST =
  /Connection terminated|timeout exceeded when trying to connect|connection timeout|Client has encountered a connection error|Cannot use a pool after/;

/** True when the statement failed because the database went away, not because of its content. */
export function isDatabaseAway(error: unknown): boolean {
  if (DATABASE_AWAY.has(sqlState(error) ?? '')) return true;
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = (e as { code?: unknown }).code;
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ENOENT') return true;
    // PgBouncer has one code for all of its own troubles, and ends the connection with it
    if (code === '08P01' && (e as { severity?: unknown }).severity === 'FATAL') return true;
    if (e instanceof DatabaseSilent || CONNECTION_LOST.test(e.message)) return true;
  }
  return false;
}

const WAITED_LONG = /timeout exceeded when trying to connect|connection timeout/;

/** True when nothing came back for a long time: whoever tries again waits as long again. */
export function isDatabaseSilent(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    if (e instanceof DatabaseSilent || WAITED_LONG.test(e.message)) return true;
  }
  return false;
}

// canceled by statement_timeout, by lock_timeout, or ended for being idle inside a transaction
const CUT_SHORT = new Set(['57014', '55P03', '25P03']);

/** True when a statement ran into the limits of its lane. */
export function isCutShort(error: unknown): boolean {
  return CUT_SHORT.has(sqlState(error) ?? '');
}
