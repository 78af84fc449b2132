import type { Readable } from 'node:stream';

export interface StoredObject {
  stream: Readable;
  size: number;
  type: string;
}

/** Port: object storage. Keys are made by us: `images/<uuid>.webp`, never from a user's file name. */
export interface Storage {
  /** Stores the whole or nothing. */
  put(key: string, body: Buffer | Readable, type: string): Promise<void>;
  /** Null when there is no such object. */
  get(key: string): Promise<StoredObject | null>;
  delete(key: string): Promise<void>;
  close(): void;
}

const KEY = /^[a-z]+\/[0-9a-f-]{36}\.[a-z0-9]{1,8}$/;

export function assertKey(key: string): void {
  if (!KEY.test(key)) throw new Error('not a storage key');
}
