import { isCutShort } from '#platform/db/away.ts';
import { sqlState } from '#platform/errors.ts';

/** How often a month that somebody else has in hand is waited for, each time as long as its lane waits for a lock. */
const PATIENCE = 3;

/** The same month of several developers. */
export interface Months {
  developerIds: readonly string[];
  month: string;
  /** Whether to wait for processes that hold one of them; otherwise held months stay open. */
  wait: boolean;
}

/** The part of a run that all of its passes share. */
export interface Run {
  /** Developers with a month that could not be closed. The run closes none of their months after that. */
  failed: Set<string>;
  /** Developers whose months a dry run has rehearsed: all of them at once. */
  rehearsed: Set<string>;
  /** How often a month of each developer could not be closed. */
  tries: Map<string, number>;
  /**
   * Closes or rehearses months.
   * @returns the developers whose month is still open: somebody holds it, or an earlier one.
   */
  attempt(months: Months): Promise<readonly string[]>;
  isOpen(developerId: string, month: string): Promise<boolean>;
  /** Called with the error for which a developer's month could not be closed. */
  onFailure(error: unknown, developer: string, month: string): void;
}

/** One pass over the open months. */
export class Pass {
  /** Developers whose month this pass left open, because somebody else holds it. */
  readonly left = new Set<string>();
  readonly #run: Run;
  readonly #wait: boolean;
  #met = false;

  /** @param wait whether to wait for months that somebody else holds. */
  constructor(run: Run, wait: boolean) {
    this.#run = run;
    this.#wait = wait;
  }

  /** Whether it found an open month. */
  get met(): boolean {
    return this.#met;
  }

  /** Closes a month of several developers together, or each alone when one of them is in the way of the others. */
  async close(ids: readonly string[], month: string): Promise<void> {
    const developerIds = ids.filter((id) => this.#isNext(id));
    const [developer, ...others] = developerIds;
    if (developer === undefined) return;
    this.#met = true;
    if (others.length === 0) return this.#closeAlone(developer, month);
    let open: readonly string[];
    try {
      // several never wait: one that is held would be in the way of the others
      open = await this.#run.attempt({ developerIds, month, wait: false });
    } catch {
      return this.#closeEach(developerIds, month);
    }
    if (this.#wait) return this.#closeEach(open, month);
    this.#leave(open);
  }

  /** An obstacle to one must not hold up the others. */
  async #closeEach(developerIds: readonly string[], month: string): Promise<void> {
    for (const id of developerIds) if (this.#isNext(id)) await this.#closeAlone(id, month);
  }

  async #closeAlone(developer: string, month: string): Promise<void> {
    try {
      this.#leave(await this.#run.attempt({ developerIds: [developer], month, wait: this.#wait }));
    } catch (error) {
      const { tries, failed } = this.#run;
      const tried = (tries.get(developer) ?? 0) + 1;
      tries.set(developer, tried);
      // the process that holds it may be closing it
      if (isHeldUp(error) && tried < PATIENCE) this.left.add(developer);
      else if (await this.#run.isOpen(developer, month)) {
        failed.add(developer);
        this.#run.onFailure(error, developer, month);
      }
    }
  }

  #leave(developerIds: readonly string[]): void {
    for (const id of developerIds) this.left.add(id);
  }

  /** Whether this run has not ended for a developer. */
  #isNext(id: string): boolean {
    return !this.#run.failed.has(id) && !this.#run.rehearsed.has(id);
  }
}

/** Whether somebody else was in the way, for longer than a lock is waited for or again and again. */
const isHeldUp = (error: unknown): boolean => isCutShort(error) || ['40001', '40P01'].includes(sqlState(error) ?? '');
