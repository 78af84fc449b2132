import type { FastifyInstance } from 'fastify';
import { AppError } from '#platform/errors.ts';
import { addressOf } from '#platform/network/addresses.ts';

interface Limits {
  /** How many bodies may be in transit at once. */
  total: number;
  /** The same of one address. */
  each: number;
  /** Milliseconds in which a body must have arrived. */
  deadline: number;
}

/**
 * Counts bodies that are held in memory while they arrive and are worked on. One for all routes that share the memory.
 */
export class BodySlots {
  readonly #limits: Limits;
  readonly #taken = new Map<string, number>();
  #total = 0;

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get deadline(): number {
    return this.#limits.deadline;
  }

  /**
   * Takes a slot and answers how to give it back.
   * @throws {AppError} busy when the address, or the process, has no slot left.
   */
  take(address: string): () => void {
    const { total, each } = this.#limits;
    const mine = this.#taken.get(address) ?? 0;
    if (mine >= each) throw new AppError('busy', 'Wait until your other uploads have finished.', { retryAfter: 2 });
    if (this.#total >= total)
      throw new AppError('busy', 'Too many uploads right now. Try again in a moment.', { retryAfter: 5 });
    this.#taken.set(address, mine + 1);
    this.#total += 1;
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#total -= 1;
      const left = (this.#taken.get(address) ?? 1) - 1;
      if (left > 0) this.#taken.set(address, left);
      else this.#taken.delete(address);
    };
  }
}

/** Holds the forms of an encapsulated app to the slots, before anything of a body is read. */
export function slotsForForms(app: FastifyInstance, slots: BodySlots): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (!/^multipart\//i.test(request.headers['content-type'] ?? '')) return done();
    const release = slots.take(addressOf(request.ip));
    const late = setTimeout(() => request.raw.complete || request.raw.destroy(), slots.deadline);
    reply.raw.once('close', () => {
      clearTimeout(late);
      release();
    });
    done();
  });
}
