import { AppError } from '#platform/errors.ts';
import { FairSlots } from '#platform/limits/fair-slots.ts';

const PATIENCE_MS = 5000;

/**
 * Keeps part of a pool free from work that can take long, and divides the rest among accounts: one account's slow
 * requests wait for each other, never for long in front of everybody else's. Nor do those of all accounts of one machine.
 * @param size of the pool: about 3 in 10 connections stay free, one account gets half of the others, and one machine of
 * several, as the group of its accounts, 7 in 10 of them.
 */
export function fairShare(size: number): FairSlots {
  const total = withoutThreeInTen(size);
  return new FairSlots({
    total,
    perKey: Math.max(1, Math.ceil(total / 2)),
    perGroup: withoutThreeInTen(total),
    queue: Number.POSITIVE_INFINITY,
    patience: PATIENCE_MS,
    busy: () => new AppError('busy', 'Too many requests are running. Try again in a moment.', { retryAfter: 2 }),
  });
}

const withoutThreeInTen = (all: number): number => Math.max(1, all - Math.max(1, Math.round(all * 0.3)));
