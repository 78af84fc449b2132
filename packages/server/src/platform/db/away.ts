import { sqlState } from '../errors.ts';
import { DatabaseSilent } from './pools/silence.ts';

/**
 * Connection exceptions, but for a message that nobody understood, an operator's intervention, and a machine that only reads, which was
 * the one that writes before a failover.
 */
const DATABASE_AWAY = /^(?:08(?!P01)|57P|53300|25006)/;

const CONNECTION_LOST =
  /Connection terminated|timeout exceeded when trying to connect|connection timeout|Client has encountered a connection error|Cannot use a pool after/;

/** True when the statement failed because the database went away, not because of its content. */
export function isDatabaseAway(error: unknown): boolean {
  if (DATABASE_AWAY.test(sqlState(error) ?? '') || isPartAway(error)) return true;
  for (let e = error; e instanceof Error; e = e.cause) {
    const code = (e as { code?: unknown }).code;
    if (code === 'ECONNREFUSED' || code === 'ECONNRESET' || code === 'EPIPE' || code === 'ENOENT') return true;
    // PgBouncer has one code for all of its own troubles, and ends the connection with it
    if (code === '08P01' && (e as { severity?: unknown }).severity === 'FATAL') return true;
    if (e instanceof DatabaseSilent || CONNECTION_LOST.test(e.message)) return true;
  }
  return false;
}

/** Codes and words of a coordinator that cannot reach one of its workers. Its own connection, which reports that, stays. */
const PART_AWAY = /^(?:08(?!P01)|57P)/;
const WORKER_LOST =
  /could not connect|connection to the remote node|connection not open|server closed the connection|could not (?:establish|send|receive)|marked as essential|any active placements/i;

/** True when the database answers, but one of the machines behind it, which has some of its tenants, does not. */
export function isPartAway(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) {
    const { code, severity } = e as { code?: unknown; severity?: unknown };
    if (severity !== 'ERROR' || typeof code !== 'string') continue;
    if (PART_AWAY.test(code) || (code === 'XX000' && WORKER_LOST.test(e.message))) return true;
  }
  return false;
}

const WAITED_LONG = /timeout exceeded when trying to connect|connection timeout/;

/** True when nothing came back for a long time: another try would wait as long again. */
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
