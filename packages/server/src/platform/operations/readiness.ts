import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from '../log.ts';
import { inLane } from '../work-context.ts';

export interface Fault {
  /** The public details, for any caller of `/readyz`. */
  reason: string;
  /** What the operator has to do, for the log. */
  detail?: string;
}

/** One thing that must hold before this process may take traffic. */
export interface Check {
  name: string;
  /** Resolves with what is wrong, or null. Throwing means that the database cannot be reached. */
  run(): Promise<Fault | null>;
  /** While it fails, this process leaves the jobs to others as well. */
  stopsWork?: boolean;
}

export interface State {
  ready: boolean;
  reason?: string;
  /** The check that failed. */
  failed?: string;
}

const TIMEOUT = 3000;
const WATCH_EVERY = 5000;
const READY: State = { ready: true };
const STARTING: State = { ready: false, reason: 'starting', failed: 'starting' };

/** Whether this process may take traffic. Concurrent callers share one check. */
export class Readiness {
  readonly #checks: readonly Check[];
  readonly #log: Logger;
  #draining = false;
  #starting = false;
  #looking: Promise<State> | undefined;
  #last: State = READY;
  #mayWork = true;
  /** The last pause or resume; it never fails. */
  #working: Promise<void> = Promise.resolve();
  #onWork: (mayWork: boolean) => Promise<void> = async () => undefined;

  constructor(checks: readonly Check[], log: Logger) {
    this.#checks = checks;
    this.#log = log;
  }

  /** The answer is no until {@link started}: the database is being brought up to date. */
  start(): void {
    this.#starting = true;
  }

  started(): void {
    this.#starting = false;
  }

  /** Whether the database was brought up to date and the process listens; whatever came afterwards. */
  get isStarted(): boolean {
    return !this.#starting;
  }

  /** Makes the process not ready from now on. */
  drain(): void {
    this.#draining = true;
  }

  async state(): Promise<State> {
    if (this.#draining) return { ready: false, reason: 'shutting down', failed: 'draining' };
    if (this.#starting) return STARTING;
    // on a connection of its own: a server whose pools are busy is not down
    this.#looking ??= inLane('probe', () => this.#look()).finally(() => {
      this.#looking = undefined;
    });
    return this.#looking;
  }

  /** The last answer, without asking again: for figures. */
  get last(): State {
    if (this.#starting) return STARTING;
    return this.#draining ? { ready: false, failed: 'draining' } : this.#last;
  }

  /** Looks every few seconds until the process drains, and calls back when jobs have to pause or may go on. */
  watch(onWork: (mayWork: boolean) => Promise<void>): void {
    this.#onWork = onWork;
    const timer = setInterval(() => {
      if (this.#draining) clearInterval(timer);
      else void this.state();
    }, WATCH_EVERY);
    timer.unref();
  }

  async #look(): Promise<State> {
    for (const check of this.#checks) {
      const fault = await within(TIMEOUT, check);
      if (fault) return this.#changed({ ready: false, reason: fault.reason, failed: check.name }, check, fault.detail);
    }
    return this.#changed(READY);
  }

  #changed(state: State, check?: Check, detail?: string): State {
    const before = this.#last;
    this.#last = state;
    if (before.reason !== state.reason) {
      if (state.ready) this.#log.info('ready again');
      else this.#log.error({ check: check?.name, ...(detail ? { detail } : {}) }, `not ready: ${state.reason}`);
    }
    this.#allowWork(check?.stopsWork !== true);
    return state;
  }

  #allowWork(mayWork: boolean): void {
    if (mayWork === this.#mayWork) return;
    this.#mayWork = mayWork;
    // one after the other: pausing waits for what runs, and must not end after a resume
    this.#working = this.#working
      .then(() => this.#onWork(mayWork))
      .then(
        () => this.#log.info(mayWork ? 'jobs are taken again' : 'jobs are left to other processes'),
        (error) => this.#log.error({ err: error }, 'the jobs could not be paused or resumed'),
      );
  }
}

async function within(ms: number, check: Check): Promise<Fault | null> {
  const limit = new AbortController();
  try {
    return await Promise.race([
      check.run(),
      pause(ms, { reason: 'the database does not answer' }, { signal: limit.signal, ref: false }),
    ]);
  } catch {
    return { reason: 'the database cannot be reached' };
  } finally {
    limit.abort();
  }
}
