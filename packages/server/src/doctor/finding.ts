import { setTimeout as pause } from 'node:timers/promises';
import { bytesIn } from '#platform/text/languages.ts';

/** `skipped`: it could not be looked at, for a reason that is another finding, or it is not used here. */
export type FindingState = 'ok' | 'warning' | 'failed' | 'skipped';

export interface Finding {
  check: string;
  state: FindingState;
  /** What was found, in a sentence. */
  found: string;
  /** What to do about it. */
  todo: string | null;
}

/** A finding without the name of its check. */
export type Found = Omit<Finding, 'check'>;

export const ok = (found: string): Found => ({ state: 'ok', found, todo: null });
export const skipped = (found: string): Found => ({ state: 'skipped', found, todo: null });
export const warning = (found: string, todo: string): Found => ({ state: 'warning', found, todo });
export const failed = (found: string, todo: string): Found => ({ state: 'failed', found, todo });

export interface Examination {
  name: string;
  /** Throwing is a finding, too: that it failed, with the reason. */
  run(): Promise<Found | Found[]>;
  /** What to do when it throws, or does not end in time. */
  todo: string;
}

/** How long one may take, whatever it waits for. */
export const PATIENCE = 10_000;

/** Runs an examination. It never throws and always ends. */
export async function examine({ name, run, todo }: Examination, patience = PATIENCE): Promise<Finding[]> {
  const limit = new AbortController();
  const late = pause(patience, failed(`It did not end within ${patience / 1000} seconds.`, todo), {
    signal: limit.signal,
  });
  late.catch(() => undefined);
  try {
    const found = await Promise.race([run(), late]);
    return [found].flat().map((each) => ({ check: name, ...each }));
  } catch (error) {
    return [{ check: name, ...failed(wordsOf(error), todo) }];
  } finally {
    limit.abort();
  }
}

/** OpenSSL's errors for a peer that does not speak TLS. */
export const NO_TLS = /wrong version number|packet length too long/;

/** One sentence. Several attempts to connect fail as one error without words of its own. */
export function wordsOf(error: unknown): string {
  const inner = error instanceof AggregateError ? (error.errors as unknown[])[0] : error;
  const { message = '', code, cause } = inner as { message?: string; code?: string; cause?: Error };
  if (NO_TLS.test(`${message} ${cause?.message}`)) return 'it does not begin with TLS there.';
  // fetch calls everything that, and has a reason
  if (message === 'fetch failed' && cause) return wordsOf(cause);
  const [words = ''] = (message.trim() || code || String(inner)).split('\n');
  if (/[.!?]$/.test(words)) return words;
  return cause?.message ? `${words}: ${wordsOf(cause)}` : `${words}.`;
}

/** 0: nothing to do. 1: something failed. 2: there are warnings. */
export function exitCodeOf(findings: readonly Finding[]): number {
  if (findings.some(({ state }) => state === 'failed')) return 1;
  return findings.some(({ state }) => state === 'warning') ? 2 : 0;
}

export const MB = 1024 * 1024;

export const inBytes = (bytes: number): string => bytesIn('en', bytes);
