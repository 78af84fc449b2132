import { groupOf, type ReasonGroup } from './assistant/plan.ts';
import type { Rejection } from './importer.ts';

const GROUPS = 100;

/** Refused lines by their reasons, each with an example. */
export class Reasons {
  #groups = new Map<string, ReasonGroup>();
  readonly #groupOf: (reason: string) => string;

  constructor(group = groupOf) {
    this.#groupOf = group;
  }

  add({ line, reason }: Rejection): void {
    const key = this.#groupOf(reason);
    const group = this.#groups.get(key);
    if (group) group.count += 1;
    else if (this.#groups.size < GROUPS) this.#groups.set(key, { reason: key, count: 1, example: { line, reason } });
  }

  clear(): void {
    this.#groups = new Map();
  }

  /** The most frequent first. */
  get sorted(): ReasonGroup[] {
    return [...this.#groups.values()].sort((one, other) => other.count - one.count);
  }
}
