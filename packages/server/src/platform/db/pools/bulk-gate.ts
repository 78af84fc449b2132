import { AppError } from '#platform/errors.ts';
import { FairSlots } from '#platform/limits/fair-slots.ts';
import { inLane } from '#platform/work-context.ts';
import type { MachineOf } from './pools.ts';

/**
 * Admission to the bulk pool. Large work waits in a short line. At most half of the slots go to one account, and not all
 * of them to one machine of several. Who finds the line full is sent away with `Retry-After` instead of holding on to a
 * socket.
 */
export class BulkGate {
  readonly #slots: FairSlots;
  readonly #machineOf: MachineOf | undefined;

  /** @param size of the bulk pool. */
  constructor(size: number, machineOf?: MachineOf) {
    this.#machineOf = machineOf;
    this.#slots = new FairSlots({
      total: size,
      perKey: Math.max(1, Math.ceil(size / 2)),
      perGroup: Math.max(1, size - 1),
      queue: 32,
      queuePerKey: 8,
      patience: 30_000,
      busy,
    });
  }

  /**
   * Runs large work on a connection of the bulk pool, which is then free for it.
   * @param account the account that the work belongs to.
   * @param work is passed whether it runs alone.
   * @throws {AppError} busy (429, with `Retry-After`) when the line is full or does not move.
   */
  async run<T>(account: string, work: (alone: boolean) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const release = await this.#slots.wait(account, { signal, group: this.#machineOf?.(account) });
    try {
      return await inLane('bulk', () => work(this.#slots.taken === 1 && this.#slots.waiting === 0));
    } finally {
      release();
    }
  }
}

function busy(): AppError {
  return new AppError('busy', 'Other large imports and exports are running. Try again in a moment.', {
    retryAfter: 10,
  });
}
