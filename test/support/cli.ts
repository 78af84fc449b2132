import { PassThrough, Readable } from 'node:stream';
import type { Io } from '../../packages/cli/src/io.ts';
import { main } from '../../packages/cli/src/main.ts';

export interface Given {
  env: Record<string, string>;
  stdin?: string | undefined;
  signal?: AbortSignal;
  /** After so long it shows that it waits; unless a test is about that, never, however busy the machine is. */
  slowSeconds?: number;
  now?: () => number;
  /** Waits in its place, also between tries. */
  pause?: Io['pause'];
  /** Whether standard error looks like a terminal. */
  tty?: boolean;
  /** A person at a terminal, who can be asked: what they are told is on standard error. */
  person?: Pick<Io, 'pause' | 'openBrowser'>;
  /** Hears standard error while it is being written. */
  onError?: (text: string) => void;
  /** Hears all that it writes, while it does. */
  onOutput?: (text: string) => void;
}

/** Runs one command line of the terminal client in this process. */
export async function runCommand(line: string[], given: Given): Promise<{ code: number; out: string; err: string }> {
  const { person } = given;
  const isTTY = given.tty === true || person !== undefined;
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY })];
  let [out, err] = ['', ''];
  stdout.on('data', (chunk) => {
    out += chunk;
    given.onOutput?.(String(chunk));
  });
  stderr.on('data', (chunk) => {
    err += chunk;
    given.onError?.(String(chunk));
    given.onOutput?.(String(chunk));
  });
  const typed = Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]);
  const stdin = Object.assign(typed, { isTTY: person !== undefined });
  const signal = given.signal ?? new AbortController().signal;
  const slow = { slowSeconds: given.slowSeconds ?? 86_400 };
  const clock = given.now === undefined ? {} : { now: given.now };
  const waits = given.pause === undefined ? {} : { pause: given.pause };
  const own = { stdin, stdout, stderr, env: given.env, signal };
  const code = await main(line, { ...own, ...slow, ...clock, ...waits, ...person });
  return { code, out, err };
}

/** The words after `tonerow` of an example in the help, as a shell splits them. */
export function wordsOf(example: string): string[] {
  const words = [...example.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(
    ([, double, single, bare]) => double ?? single ?? bare ?? '',
  );
  const end = words.findIndex((word) => word === '|' || word === '<');
  const own = end === -1 ? words : words.slice(0, end);
  return own.slice(own.lastIndexOf('tonerow') + 1);
}
