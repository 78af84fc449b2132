import type { Readable, Writable } from 'node:stream';

/** Everything of its process that a command may touch, so that a test can replace it. */
export interface Io {
  stdin: Readable & { isTTY?: boolean; setRawMode?: (on: boolean) => unknown };
  stdout: Writable & { isTTY?: boolean; columns?: number };
  stderr: Writable & { isTTY?: boolean; columns?: number };
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  /** Seconds without a response before a warning. Default 10. */
  slowSeconds?: number;
  /** The current time. Default: `Date.now()`. */
  now?: () => number;
  /** Waits, unless it is canceled. Default: a timer. */
  pause?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Opens an address for the person. Default: their browser. */
  openBrowser?: (address: string) => Promise<boolean>;
}

/** Writes all of it, as fast as the stream is read. */
export async function write(stream: Writable, text: string | Uint8Array): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
}

/** All of standard input, without the line end. */
export async function readAll(io: Io): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of io.stdin) chunks.push(Buffer.from(chunk as Buffer));
  return Buffer.concat(chunks)
    .toString('utf8')
    .replace(/\r?\n$/, '');
}
