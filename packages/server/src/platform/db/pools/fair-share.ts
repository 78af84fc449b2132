import { AppError } from '#platform/errors.ts';
import { FairSlots } from '#platform/limits/fair-slots.ts';

const PATIENCE_MS = 5000;

/**
 * Keeps part of a pool free from work that can take long, and divides the rest among accounts: one account's slow
 * requests wait for each other, never for long in front of everybody else's.
 * @param size of the pool: about 3 in 10 connections stay free, one account gets half of the others.
 */
export function fairShare(size: number): FairSlots {
  const total = Math.max(1, size - Math.max(1, Math.round(size * 0.3)));
  return new FairSlots({
    total,
    perKey: Math.max(1, Math.ceil(total / 2)),
    queue: Number.POSITIVE_INFINITY,
    patience: PATIENCE_MS,
    busy: () => new AppError('busy', 'Too many requests are running. Try again in a moment.', { retryAfter: 2 }),
  });
}
