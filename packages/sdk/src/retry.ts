import { type TonerowError, UnexpectedAnswerError } from './errors.ts';

/** What a test may hold still. */
export interface Timing {
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const BASE = 500;
const CAP = 30_000;

/**
 * Milliseconds to wait before try number `attempt` + 1: full jitter over 0.5 s × 2^n, at most 30 s. What the server
 * asked for in Retry-After wins.
 */
export function delayOf(attempt: number, error: TonerowError, random: () => number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  return random() * Math.min(CAP, BASE * 2 ** attempt);
}

/** True when the same request may succeed a moment later; a quarter of an hour is no moment, and the caller's to wait. */
export function isTransient(error: TonerowError): boolean {
  const { status, retryAfter = 0 } = error;
  if (retryAfter * 1000 > CAP) return false;
  // what stands in the way of the server does not go away in a moment
  if (error instanceof UnexpectedAnswerError) return false;
  if (status === undefined) return true;
  if (status === 409) return error.code === 'idempotency_in_progress';
  return status === 408 || status === 425 || status === 429 || status >= 500;
}

export const systemTiming: Timing = {
  random: Math.random,
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      if (signal?.aborted) {
        reject(signal.reason);
        return;
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};
