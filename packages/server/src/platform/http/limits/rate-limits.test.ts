import { expect, it } from 'vitest';
import type { Database } from '#platform/db/database.ts';
import { RateLimits, rateLimitPolicies } from './rate-limits.ts';

const limits = () => new RateLimits({ enabled: true, db: {} as Database });
const once = { points: 1, seconds: 60, shared: false };

it('counts each policy by itself', async () => {
  const { calls, guesses } = rateLimitPolicies({ calls: once, guesses: once });
  const counted = limits();
  await counted.take(calls, 'somebody');
  await counted.take(guesses, 'somebody');
  await expect(counted.take(calls, 'somebody')).rejects.toMatchObject({ code: 'rate_limited' });
});

it('refuses two policies of one name, which would share their counts', async () => {
  const counted = limits();
  await counted.take(rateLimitPolicies({ calls: once }).calls, 'somebody');
  await expect(counted.take(rateLimitPolicies({ calls: once }).calls, 'somebody')).rejects.toThrow('are called calls');
});

it.each([
  [60, 'Try again in 60 s.'],
  [3600, 'Try again in 60 minutes.'],
])('refuses until a window of %i seconds is over, in words that a person can use', async (seconds, words) => {
  const { calls } = rateLimitPolicies({ calls: { points: 1, seconds, shared: false } });
  const counted = limits();
  await counted.take(calls, 'somebody');
  await expect(counted.take(calls, 'somebody')).rejects.toThrow(words);
});
