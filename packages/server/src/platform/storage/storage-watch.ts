import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, SECOND } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Storage } from './storage.ts';

const ASKED_EVERY = 30 * SECOND;
/** Health checks wait for the answer. */
const PATIENCE = SECOND;
/** An object that there is not: to answer that, a bucket has to be there, and to accept the credentials. */
const ABSENT = 'files/00000000-0000-7000-8000-000000000000.bin';
const AWAY = 'The file storage cannot be used right now. Try again in a moment.';

interface Dependencies {
  storage: Storage;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
}

/**
 * Watches the storage of files. Without it uploads and downloads of files fail, licensing does not: a storage that is away is a warning
 * in `/readyz`, a figure, and a line in the log when that begins and when it ends; never a reason to take no traffic.
 */
export class StorageWatch {
  /** The storage, whose failures are noticed and shown to callers as `unavailable`. */
  readonly storage: Storage;
  readonly #deps: Dependencies;
  readonly #failures;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #away = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#failures = deps.metrics.counter({
      name: 'tonerow_storage_failures_total',
      help: 'Requests of this process to the storage of files that failed because it could not be used',
      labelNames: ['operation'],
    });
    deps.metrics.gauge(
      { name: 'tonerow_storage_up', help: 'Whether the storage of files could be used when it was last tried: 1 or 0' },
      () => [[{}, this.#away ? 0 : 1]],
      'min',
    );
    this.storage = this.#watched(deps.storage);
  }

  async warnings(): Promise<string[]> {
    this.#ask();
    const limit = new AbortController();
    const late = pause(PATIENCE, undefined, { signal: limit.signal, ref: false }).catch(() => undefined);
    await Promise.race([this.#asking, late]);
    limit.abort();
    return this.#away ? ['storage_unreachable'] : [];
  }

  /** Asks the storage: one question at a time, and one in a while. */
  #ask(): void {
    const now = this.#deps.clock.now().getTime();
    if (this.#asking || now - this.#askedAt < ASKED_EVERY) return;
    this.#askedAt = now;
    this.#asking = this.#tried('stat', () => this.#deps.storage.stat(ABSENT))
      .then(
        () => undefined,
        () => undefined,
      )
      .finally(() => {
        this.#asking = undefined;
      });
  }

  async #tried<T>(operation: string, work: () => Promise<T>): Promise<T> {
    try {
      const result = await work();
      this.#note(false);
      return result;
    } catch (cause) {
      if (!isAway(cause)) throw cause;
      this.#failures.inc({ operation });
      this.#note(true, cause);
      throw new AppError('unavailable', AWAY, { cause, retryAfter: 2 });
    }
  }

  /** A line for each change. */
  #note(away: boolean, cause?: unknown): void {
    if (away === this.#away) return;
    this.#away = away;
    const { log } = this.#deps;
    if (away) log.error({ err: cause }, 'the storage of files cannot be used: uploads and downloads fail');
    else log.info('the storage of files can be used again');
  }

  #watched(storage: Storage): Storage {
    return {
      put: (...args) => this.#tried('put', () => storage.put(...args)),
      get: (...args) => this.#tried('get', () => storage.get(...args)),
      stat: (...args) => this.#tried('stat', () => storage.stat(...args)),
      delete: (...args) => this.#tried('delete', () => storage.delete(...args)),
      beginParts: (...args) => this.#tried('begin_parts', () => storage.beginParts(...args)),
      putPart: (...args) => this.#tried('put_part', () => storage.putPart(...args)),
      completeParts: (...args) => this.#tried('complete_parts', () => storage.completeParts(...args)),
      abortParts: (...args) => this.#tried('abort_parts', () => storage.abortParts(...args)),
      close: () => storage.close(),
    };
  }
}

const NETWORK = new Set(
  'ECONNREFUSED ECONNABORTED EHOSTUNREACH ENETUNREACH ENOTFOUND EAI_AGAIN EPIPE ETIMEDOUT CERT_HAS_EXPIRED'.split(' '),
);
/** The answers of buckets that are too busy, broken, or do not know us. */
const STATUSES = new Set([401, 403, 429, 500, 502, 503, 504]);

/** True when the storage is to blame, not the content, the one who sends it, or the object that there is not. */
export function isAway(error: unknown): boolean {
  for (let e = error; e !== null && typeof e === 'object'; e = (e as { cause?: unknown }).cause) {
    const { code, name, $metadata } = e as { code?: unknown; name?: unknown; $metadata?: { httpStatusCode?: number } };
    if (typeof code === 'string' && NETWORK.has(code)) return true;
    if (name === 'TimeoutError') return true;
    // a connection that breaks may be the sender's; the SDK notes what it tried on what it met itself
    if ($metadata && (code === 'ECONNRESET' || STATUSES.has($metadata.httpStatusCode ?? 0))) return true;
  }
  return false;
}
