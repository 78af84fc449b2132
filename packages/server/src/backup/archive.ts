import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import type { Moment } from './moment.ts';

/** The entries of a backup, in this order: one header, tables, files, and the end without which it is not whole. */
export type Entry =
  | {
      kind: 'header';
      version: 1;
      createdAt: string;
      migrations: string[];
      secret: string | null;
      /** Missing in older ones, which are of one. */
      moment?: Moment;
      /** How many every table of accounts has, or 0; missing in older ones. */
      partitions?: number;
    }
  | { kind: 'table'; name: string; columns: string[] }
  | { kind: 'file'; path: string }
  | { kind: 'end'; tables: number; files: number };

export type Piece = { entry: Entry } | { data: Buffer };

const ENTRY = 1;
const DATA = 2;
const HEAD = 5;
const LARGEST = 64 * 1024 * 1024;

/** Writes pieces to a stream, and waits whenever that is full. */
export function archiveWriter(target: Writable) {
  const write = async (kind: number, payload: Buffer) => {
    // nothing waits for what nobody takes any longer
    if (target.destroyed) throw target.errored ?? new Error('The backup was stopped.');
    const head = Buffer.alloc(HEAD);
    head.writeUInt8(kind);
    head.writeUInt32BE(payload.length, 1);
    target.write(head);
    if (!target.write(payload)) await once(target, 'drain');
  };
  return {
    entry: (entry: Entry) => write(ENTRY, Buffer.from(JSON.stringify(entry))),
    async content(source: Readable): Promise<void> {
      for await (const chunk of source as AsyncIterable<Buffer>) await write(DATA, chunk);
    },
  };
}

export class NoArchiveError extends Error {
  constructor() {
    super('This is not a backup, or it is damaged.');
  }
}

export class CutOffError extends Error {
  constructor() {
    super('The backup is cut off.');
  }
}

/** @throws {NoArchiveError} when it is none. @throws {CutOffError} when it ends amid an entry. */
export async function* readArchive(source: Readable): AsyncGenerator<Piece> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let at = 0;
    while (rest.length - at >= HEAD) {
      const kind = rest.readUInt8(at);
      const length = rest.readUInt32BE(at + 1);
      if ((kind !== ENTRY && kind !== DATA) || length > LARGEST) throw new NoArchiveError();
      if (rest.length - at - HEAD < length) break;
      const payload = rest.subarray(at + HEAD, at + HEAD + length);
      at += HEAD + length;
      yield kind === ENTRY ? { entry: JSON.parse(payload.toString()) as Entry } : { data: payload };
    }
    rest = rest.subarray(at);
  }
  if (rest.length > 0) throw new CutOffError();
}
