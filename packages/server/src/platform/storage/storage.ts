import type { Readable } from 'node:stream';

export interface StoredObject {
  stream: Readable;
  /** The bytes of the stream: those of the range, if one was requested. */
  size: number;
  type: string;
}

/** Both ends belong to it, as in HTTP. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * Port: object storage. Keys are made by us: `images/<uuid>.webp`, never from a user's file name.
 *
 * Large objects arrive in parts. Concurrent attempts at the same part need different numbers: what `putPart` returned,
 * passed to `completeParts`, decides which attempt counts.
 */
export interface Storage {
  /** Stores the whole or nothing. */
  put(key: string, body: Buffer | Readable, type: string): Promise<void>;
  /** Null when there is no such object. What is open already can be read to its end, even when it is deleted. */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  /** The whole object's size without opening it; null when there is none. */
  stat(key: string): Promise<{ size: number } | null>;
  delete(key: string): Promise<void>;
  /** Answers the id of a new upload in parts. */
  beginParts(key: string, type: string): Promise<string>;
  /** Stores one part, whole or not at all. `number` is 1 to 10,000; every part but the last has 5 MiB or more. */
  putPart(key: string, uploadId: string, number: number, body: Readable, size: number): Promise<string>;
  /** Assembles the object from the given parts, in this order with rising numbers, and discards all others. */
  completeParts(key: string, uploadId: string, parts: readonly string[]): Promise<void>;
  /** Forgets an upload. One that is not there is no error. */
  abortParts(key: string, uploadId: string): Promise<void>;
  close(): void;
}

const KEY = /^[a-z]+\/[0-9a-f-]{36}\.[a-z0-9]{1,8}$/;

export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not a storage key');
}

export class ShortPart extends Error {
  constructor() {
    super('a part is not as long as announced');
  }
}
