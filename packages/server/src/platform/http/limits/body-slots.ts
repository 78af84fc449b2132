import type { FastifyInstance } from 'fastify';
import { AppError } from '#platform/errors.ts';
import { FairSlots } from '#platform/limits/fair-slots.ts';
import { addressOf } from '#platform/network/addresses.ts';

/**
 * Counts bodies that are held in memory while they arrive and are worked on. One for all routes that share the memory.
 * @param limits how many there may be at once, and how many of one address.
 */
export function bodySlots({ total, each }: { total: number; each: number }): FairSlots {
  const busy = {
    key: () => new AppError('busy', 'Wait until your other uploads have finished.', { retryAfter: 2 }),
    total: () => new AppError('busy', 'Too many uploads right now. Try again in a moment.', { retryAfter: 5 }),
  };
  return new FairSlots({ total, perKey: each, busy: (reached) => busy[reached]() });
}

/**
 * Holds the forms of an encapsulated app to the slots, before anything of a body is read.
 * @param deadline milliseconds in which a body must have arrived.
 */
export function slotsForForms(app: FastifyInstance, slots: FairSlots, deadline: number): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return done();
    const release = slots.take(addressOf(request.ip));
    const late = setTimeout(() => request.raw.complete || request.raw.destroy(), deadline);
    reply.raw.once('close', () => {
      clearTimeout(late);
      release();
    });
    done();
  });
}
