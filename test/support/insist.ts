import { setTimeout as pause } from 'node:timers/promises';
import type { Answer } from './http.ts';

const TRIES = 12;
/** The limit of a counter is an answer: asking again changes nothing. */
const USED_UP = /;r=0;/;

/**
 * Asks until it is answered, as a client of a busy server does: it waits as long as the server asks, and repeats the same
 * request. The request must be safe to repeat, because a refusal by a time limit may come after it was carried out.
 */
export async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    const answer = await ask();
    if (!isBusy(answer) || tries === TRIES) return answer;
    const seconds = Number(answer.headers.get('retry-after'));
    if (!(seconds > 0)) throw new Error(`a ${answer.status} that does not say when to come back: ${answer.text}`);
    for (const due = performance.now() + seconds * 1000; performance.now() < due; ) await pause(50);
  }
}

function isBusy({ status, headers }: Answer): boolean {
  return status === 503 || (status === 429 && !USED_UP.test(headers.get('ratelimit') ?? ''));
}
