import { statfs } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Logger } from '../log.ts';
import type { Storage } from './storage.ts';

const MB = 1024 * 1024;
/** Below this, what comes next will probably not fit. */
const LOW = 512 * MB;
/** How long a failed write is remembered when the disk itself shows no problem: a quota, or a disk that is not ours. */
const REMEMBERED = 5 * MINUTE;
const CHECK_EVERY = MINUTE / 12;
/** A network disk may not answer at all, and health checks wait for this. */
const TIMEOUT = 1000;

export type DiskWarning = 'disk_full' | 'disk_low';

interface Dependencies {
  folder: string;
  clock: Clock;
  log: Logger;
  /** Free bytes where a folder is. */
  free?: (folder: string) => Promise<number>;
}

/**
 * Watches the disk of the data folder. A full one stops uploads, not licensing: it is a warning in `/readyz` and a line
 * in the log, never a reason to take no traffic.
 */
export class Disk {
  readonly #deps: Dependencies;
  #failedAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #free = Number.POSITIVE_INFINITY;
  #logged: DiskWarning | undefined;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** A write failed because there was no space. */
  noteFull(): void {
    this.#failedAt = this.#deps.clock.now().getTime();
    this.#log('disk_full');
  }

  /** The current problem; called by health checks, so the disk is checked at most once in five seconds. */
  async warnings(): Promise<DiskWarning[]> {
    await this.free();
    const now = this.#deps.clock.now().getTime();
    const full = this.#free < MB || now - this.#failedAt < REMEMBERED;
    const warning = full ? 'disk_full' : this.#free < LOW ? 'disk_low' : undefined;
    this.#log(warning);
    return warning ? [warning] : [];
  }

  /** Free bytes, a few seconds old; infinite when that is not known. */
  async free(): Promise<number> {
    const { clock, folder, free = freeBytes } = this.#deps;
    const now = clock.now().getTime();
    if (now - this.#checkedAt >= CHECK_EVERY) {
      this.#checkedAt = now;
      // a folder that cannot be looked at shows itself where it is written to
      const unknown = pause(TIMEOUT, Number.POSITIVE_INFINITY, { ref: false });
      this.#free = await Promise.race([free(folder), unknown]).catch(() => Number.POSITIVE_INFINITY);
    }
    return this.#free;
  }

  /** Once for each change. */
  #log(warning: DiskWarning | undefined): void {
    if (warning === this.#logged) return;
    this.#logged = warning;
    const { log, folder } = this.#deps;
    const facts = { folder, ...(Number.isFinite(this.#free) ? { free_mb: Math.floor(this.#free / MB) } : {}) };
    if (warning === 'disk_full') log.error(facts, 'the disk is full: uploads, imports and exports fail');
    else if (warning) log.warn(facts, 'the disk is nearly full');
    else log.info(facts, 'the disk has space again');
  }
}

async function freeBytes(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}

/** A storage that reports a full disk: to the caller as `storage_full`, and to the watch. */
export function namingFullDisk(storage: Storage, disk: Disk): Storage {
  const named = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (cause) {
      if (!isDiskFull(cause)) throw cause;
      disk.noteFull();
      throw storageFull(cause);
    }
  };
  return {
    ...storage,
    put: (...args) => named(storage.put(...args)),
    beginParts: (...args) => named(storage.beginParts(...args)),
    putPart: (...args) => named(storage.putPart(...args)),
    completeParts: (...args) => named(storage.completeParts(...args)),
  };
}

export function storageFull(cause: unknown): AppError {
  return new AppError('storage_full', 'The server’s disk is full. Try again later.', { cause, retryAfter: 60 });
}

/** No space left, or a quota used up: of a file, or of PostgreSQL (53100). */
export function isDiskFull(error: unknown): boolean {
  for (let e = error; e !== null && typeof e === 'object'; e = (e as { cause?: unknown }).cause) {
    const code = (e as { code?: unknown }).code;
    if (code === 'ENOSPC' || code === 'EDQUOT' || code === '53100') return true;
  }
  return false;
}
