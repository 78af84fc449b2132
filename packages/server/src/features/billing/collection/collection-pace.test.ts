import { setImmediate as everythingElse } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { MINUTE, SECOND } from '#platform/clock.ts';
import { REQUESTS_PER_SECOND, RequestBudget } from '#platform/payments/request-budget.ts';
import { AT_ONCE, LONGEST } from './collection-rules.ts';

/** Time that passes only when everybody waits for it, so that half an hour takes a moment. */
function heldTime() {
  let now = 0;
  let waiting: { at: number; goOn: () => void }[] = [];
  return {
    now: () => now,
    pause: (milliseconds: number) =>
      new Promise<void>((goOn) => {
        waiting.push({ at: now + milliseconds, goOn });
      }),
    async run(work: Promise<unknown>): Promise<void> {
      let isDone = false;
      const ended = work.finally(() => {
        isDone = true;
      });
      while (!isDone) {
        await everythingElse();
        if (waiting.length === 0) continue;
        now = Math.min(...waiting.map(({ at }) => at));
        const due = waiting.filter(({ at }) => at <= now);
        waiting = waiting.filter(({ at }) => at > now);
        for (const { goOn } of due) goOn();
      }
      await ended;
    },
  };
}

it('ten thousand statements are collected within one run of a Stripe that answers in 300 ms, and never is its limit exceeded', async () => {
  const [statements, calls, latency] = [10_000, 4, 300];
  const time = heldTime();
  const budget = new RequestBudget(REQUESTS_PER_SECOND, time);
  const begun: number[] = [];
  let left = statements;
  // as the collection does: so many at once, each with one call after the other
  const worker = async () => {
    for (; left > 0; ) {
      left -= 1;
      for (let call = 0; call < calls; call += 1) {
        await budget.take();
        begun.push(time.now());
        await time.pause(latency);
      }
    }
  };
  await time.run(Promise.all(Array.from({ length: AT_ONCE }, worker)));
  expect(begun).toHaveLength(statements * calls);
  let first = 0;
  let most = 0;
  for (const [last, at] of begun.entries()) {
    while (at - (begun[first] as number) >= SECOND - 1e-6) first += 1;
    most = Math.max(most, last - first + 1);
  }
  expect(most).toBeLessThanOrEqual(REQUESTS_PER_SECOND);
  expect(time.now()).toBeLessThan(LONGEST);
  // the limit is what takes the time, and nothing else
  expect(time.now()).toBeLessThan(28 * MINUTE);
});
