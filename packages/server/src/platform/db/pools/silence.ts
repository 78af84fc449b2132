import { once } from 'node:events';
import type pg from 'pg';
import { currentWork } from '#platform/work-context.ts';

/** The database did not answer in time: it is stopped, or the network swallows what is sent. */
export class DatabaseSilent extends Error {
  override name = 'DatabaseSilent';

  constructor(ms: number) {
    super(`the database did not answer in ${Math.round(ms)} ms`);
  }
}

/**
 * Waits for a value, unless the running work loses its patience before.
 * @param late takes a value that comes afterwards.
 */
export async function inTime<T>(coming: Promise<T>, late: (value: T) => void): Promise<T> {
  const { patience } = currentWork();
  if (!patience || patience.left === Number.POSITIVE_INFINITY) return coming;
  const ms = patience.left;
  const waited = patience.wait();
  let timer: NodeJS.Timeout | undefined;
  let timedOut = false;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      timedOut = true;
      reject(new DatabaseSilent(ms));
    }, ms);
  });
  coming.then(
    (value) => timedOut && late(value),
    () => undefined,
  );
  try {
    return await Promise.race([coming, limit]);
  } finally {
    clearTimeout(timer);
    waited();
  }
}

/** The driver has this, but does not declare it. */
interface Inside {
  connection: { stream: { destroy(error: Error): void } };
  /** The server has announced that it takes a statement. */
  readyForQuery: boolean;
  /** False once the connection is lost. */
  _queryable: boolean;
}

/**
 * Ends a connection whose server does not answer a statement in time, with {@link DatabaseSilent} for all that waits on it. The
 * server's own limits can't be relied on then.
 * @param most milliseconds for one statement, also of work whose patience would last longer.
 */
export function endWhenSilent(client: pg.ClientBase, most: number): void {
  const { connection } = client as unknown as Inside;
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const watched = (...args: unknown[]) => {
    const { patience } = currentWork();
    const ms = Math.min(most, patience?.left ?? most);
    const waited = patience?.wait();
    const timer = setTimeout(() => connection.stream.destroy(new DatabaseSilent(ms)), ms);
    timer.unref();
    const answered = () => {
      clearTimeout(timer);
      waited?.();
    };
    try {
      const result = query(...args);
      whenEnded(result, answered);
      return result;
    } catch (error) {
      answered();
      throw error;
    }
  };
  client.query = watched as typeof client.query;
}

/** A statement is a promise, or the stream of a COPY. */
function whenEnded(result: unknown, then: () => void): void {
  const { on, then: settles } = result as Partial<Promise<unknown> & NodeJS.EventEmitter>;
  if (settles) (result as Promise<unknown>).then(then, then);
  else if (on)
    for (const event of ['end', 'finish', 'close', 'error']) (result as NodeJS.EventEmitter).once(event, then);
  else then();
}

/** So long, in milliseconds, a server may be at an error that it has reported. */
const LONGEST_RECOVERY = 1000;

/**
 * Whether a connection takes another statement. After an error it may not: a coordinator reports a statement that took
 * too long at once, and then waits until a worker that hangs has heard of it.
 */
export function recovers(client: pg.ClientBase): boolean | Promise<boolean> {
  const { readyForQuery, _queryable } = client as unknown as Inside;
  if (readyForQuery !== false || _queryable === false) return _queryable !== false;
  return once(client, 'drain', { signal: AbortSignal.timeout(LONGEST_RECOVERY) }).then(
    () => true,
    () => false,
  );
}
