import { mkdir, open, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { AppError } from '../errors.ts';
import { Tally } from '../limits/tally.ts';
import type { Random } from '../random.ts';
import { type Budget, SpoolFile } from './spool-file.ts';

interface Options {
  folder: string;
  /** Bytes that all files of this process may have together. */
  limit: number;
  random: Random;
}

/**
 * Files on their way between a socket and the database. A body is written here before a connection is taken for it,
 * and an export before it is sent, so that no connection ever waits for a client.
 *
 * A file has no name once it is open: it disappears with its last handle, and with its process.
 */
export class Spool {
  readonly #folder: string;
  readonly #random: Random;
  readonly #limit: number;
  /** One account may fill a quarter. */
  readonly #accountLimit: number;
  readonly #accounts = new Tally();
  #used = 0;

  private constructor({ folder, limit, random }: Options) {
    this.#folder = folder;
    this.#limit = limit;
    this.#accountLimit = Math.ceil(limit / 4);
    this.#random = random;
  }

  /** Makes the folder, for its owner only, and removes what a process left that died between two calls. */
  static async open(options: Options): Promise<Spool> {
    await mkdir(options.folder, { recursive: true, mode: 0o700 });
    for (const name of await readdir(options.folder)) await rm(path.join(options.folder, name), { force: true });
    return new Spool(options);
  }

  /** Bytes on disk right now. */
  get used(): number {
    return this.#used;
  }

  /** An empty file, to be written and then read, or read while it is written. Close it in any case. */
  async create(account: string): Promise<SpoolFile> {
    const name = path.join(this.#folder, this.#random.id());
    const handle = await open(name, 'wx+', 0o600);
    await rm(name, { force: true });
    return new SpoolFile(handle, this.#budget(account));
  }

  /**
   * Writes a whole stream into a file. What fails, or is cut off, leaves nothing.
   * @param onChunk sees every chunk, as for a fingerprint or an early refusal; it may throw.
   * @throws {AppError} payload_too_large beyond what one account may keep here; busy when the spool is full.
   */
  async receive(
    source: Readable,
    account: string,
    options: { signal?: AbortSignal; onChunk?: (chunk: Buffer) => void } = {},
  ): Promise<SpoolFile> {
    const file = await this.create(account);
    try {
      for await (const chunk of source) {
        options.signal?.throwIfAborted();
        options.onChunk?.(chunk as Buffer);
        if (file.size + (chunk as Buffer).length > this.#accountLimit) {
          throw new AppError('payload_too_large', `The file is larger than ${gigabytes(this.#accountLimit)} GB.`);
        }
        await file.write(chunk as Buffer);
      }
      options.signal?.throwIfAborted();
      file.finish();
      return file;
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  #budget(account: string): Budget {
    let own = 0;
    const add = (bytes: number) => {
      own += bytes;
      this.#used += bytes;
      this.#accounts.change(account, bytes);
    };
    return {
      take: (bytes) => {
        const full = this.#accounts.of(account) + bytes > this.#accountLimit;
        if (full || this.#used + bytes > this.#limit) {
          const message = full
            ? 'Your other imports and exports are still running. Let them finish, then try again.'
            : 'Too many imports and exports are running. Try again in a moment.';
          throw new AppError('busy', message, { retryAfter: 30 });
        }
        add(bytes);
      },
      giveBack: () => add(-own),
    };
  }
}

function gigabytes(bytes: number): number {
  return Math.round((bytes / 1024 ** 3) * 10) / 10;
}
