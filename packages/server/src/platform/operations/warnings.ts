import { setTimeout as pause } from 'node:timers/promises';
import { inLane } from '../work-context.ts';

const TIMEOUT = 2000;

/** Warnings that an operator should look at, although this process can take traffic. `/readyz` has all of them. */
export class Warnings {
  readonly #sources: (() => Promise<readonly string[]>)[] = [];

  add(source: () => Promise<readonly string[]>): void {
    this.#sources.push(source);
  }

  /** A source that fails or takes too long has no warnings: other places show what is wrong with it. */
  async all(): Promise<string[]> {
    const limit = new AbortController();
    const late = pause<readonly string[]>(TIMEOUT, [], { signal: limit.signal, ref: false }).catch(() => []);
    try {
      const answers = this.#sources.map((source) => inLane('probe', source).catch(() => []));
      return (await Promise.all(answers.map((each) => Promise.race([each, late])))).flat();
    } finally {
      limit.abort();
    }
  }
}
