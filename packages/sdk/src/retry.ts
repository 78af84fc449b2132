import { type TonerowError, UnexpectedAnswerError } from './errors.ts';

/** Replaceable by tests. */
export interface Timing {
  random(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

const BASE = 500;
const CAP = 30_000;

/**
 * Milliseconds to wait before try number `attempt` + 1: full jitter over 0.5 s × 2^n, at most 30 s. A delay that the server
 * requested in Retry-After wins.
 */
export function delayOf(attempt: number, error: TonerowError, random: () => number): number {
  if (error.retryAfter !== undefined) return error.retryAfter * 1000;
  return random() * Math.min(CAP, BASE * 2 ** attempt);
}

/** True when the same request may succeed shortly; long delays, such as 15 minutes, are left to the caller, and what the server calls final. */
export function isTransient(error: TonerowError): boolean {
  const { status, retryAfter = 0 } = error;
  if (retryAfter * 1000 > CAP || error.final) return false;
  // whatever intercepts the server's responses won't go away shortly
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
