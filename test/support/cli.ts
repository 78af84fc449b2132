import { PassThrough, Readable } from 'node:stream';
import { main } from '../../packages/cli/src/main.ts';

interface Given {
  env: Record<string, string>;
  stdin?: string | undefined;
  signal?: AbortSignal;
  slowSeconds?: number;
  now?: () => number;
  /** Whether standard error looks like a terminal. */
  tty?: boolean;
  /** Hears standard error while it is being written. */
  onError?: (text: string) => void;
  /** Hears all that it writes, while it does. */
  onOutput?: (text: string) => void;
}

/** Runs one command line of the terminal client in this process. */
export async function runCommand(line: string[], given: Given): Promise<{ code: number; out: string; err: string }> {
  const [stdout, stderr] = [new PassThrough(), Object.assign(new PassThrough(), { isTTY: given.tty === true })];
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
  const stdin = Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]);
  const signal = given.signal ?? new AbortController().signal;
  const slow = given.slowSeconds === undefined ? {} : { slowSeconds: given.slowSeconds };
  const clock = given.now === undefined ? {} : { now: given.now };
  const code = await main(line, { stdin, stdout, stderr, env: given.env, signal, ...slow, ...clock });
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
