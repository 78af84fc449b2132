import type { FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { isDiskFull, storageFull } from '../storage/disk.ts';

/** The space that a file may take on the disk. */
export interface Budget {
  /** @throws {AppError} busy */
  take(bytes: number): void;
  giveBack(): void;
}

const CHUNK = 64 * 1024;

/** One file of the spool. One writes it; any number may read it, also before it is whole. */
export class SpoolFile {
  readonly #handle: FileHandle;
  readonly #budget: Budget;
  #size = 0;
  #state: 'open' | 'whole' | 'closed' = 'open';
  #failure: unknown;
  #closing: Promise<void> | undefined;
  #wake: (() => void)[] = [];

  constructor(handle: FileHandle, budget: Budget) {
    this.#handle = handle;
    this.#budget = budget;
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#size;
  }

  /** @throws {AppError} busy when the spool is full, storage_full when the disk is. */
  async write(chunk: Buffer): Promise<void> {
    if (this.#state !== 'open') throw new Error('the spool file is not open');
    this.#budget.take(chunk.length);
    try {
      for (let done = 0; done < chunk.length; ) {
        done += (await this.#handle.write(chunk, done, chunk.length - done, this.#size + done)).bytesWritten;
      }
    } catch (cause) {
      throw isDiskFull(cause) ? storageFull(cause) : cause;
    }
    this.#size += chunk.length;
    this.#notify();
  }

  /** Everything has been written. */
  finish(): void {
    if (this.#state === 'open') this.#state = 'whole';
    this.#notify();
  }

  /** The writer gave up: readers fail where the file ends. */
  fail(error: unknown): void {
    this.#failure ??= error;
    this.#notify();
  }

  /** Waits until there is something to read, or the file is whole. @throws what the writer failed with. */
  async begun(): Promise<void> {
    while (this.#size === 0 && this.#state === 'open' && this.#failure === undefined) await this.#change();
    if (this.#failure !== undefined && this.#size === 0) throw this.#failure;
  }

  /** The bytes from the beginning. A reader that is faster than the writer waits for it. */
  read(): Readable {
    return Readable.from(this.#chunks(), { objectMode: false, highWaterMark: CHUNK });
  }

  /** Some of the bytes, of a file that is whole. @param end where it ends, exclusive */
  slice(start: number, end: number): Readable {
    return Readable.from(this.#between(start, Math.min(end, this.#size)), { objectMode: false, highWaterMark: CHUNK });
  }

  async *#between(start: number, end: number): AsyncGenerator<Buffer> {
    for (let position = start; position < end; ) {
      const most = Math.min(CHUNK, end - position);
      const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(most), 0, most, position);
      if (bytesRead === 0) throw new Error('the spool file is shorter than it was');
      position += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (let position = 0; ; ) {
      if (position < this.#size) {
        const most = Math.min(CHUNK, this.#size - position);
        const { bytesRead, buffer } = await this.#handle.read(Buffer.allocUnsafe(most), 0, most, position);
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      } else if (this.#failure !== undefined) throw this.#failure;
      else if (this.#state === 'whole') return;
      else if (this.#state === 'closed') throw new Error('the spool file was closed');
      else await this.#change();
    }
  }

  /** Deletes the file. May be called more than once. */
  close(): Promise<void> {
    this.#closing ??= this.#delete();
    return this.#closing;
  }

  async #delete(): Promise<void> {
    this.#state = 'closed';
    this.#notify();
    try {
      await this.#handle.close();
    } finally {
      this.#budget.giveBack();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
    });
  }

  #notify(): void {
    const waiting = this.#wake;
    this.#wake = [];
    for (const wake of waiting) wake();
  }
}
