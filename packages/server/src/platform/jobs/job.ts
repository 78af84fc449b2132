/** A kind of background work: its queue, and how often and for how long it is tried. */
export interface JobKind<Payload extends object> {
  readonly name: string;
  readonly retryLimit: number;
  /** Seconds before the second try; each further one waits longer. */
  readonly retryDelay: number;
  /** The longest wait between two tries, in seconds. Without it each wait is twice as long as the one before. */
  readonly retryDelayMax?: number;
  readonly expireInSeconds: number;
  /** How long pg-boss keeps a finished job. Default: its own. */
  readonly deleteAfterSeconds?: number;
  /** A cron expression, for work that is queued by the clock and has no payload. */
  readonly cron?: string;
  /** Queued whenever a worker process starts, too. */
  readonly atStart?: true;
  /**
   * Set for jobs that another process takes over within seconds, if theirs is dead. One that is only slow may lose its job, too: two of
   * them at once must do no harm.
   */
  readonly isTakenOver?: true;
  /** Set for jobs that send or lead to an email that a person waits for: the metrics measure how long that takes. */
  readonly isEmail?: true;
  /** Never set: it only carries the type. */
  readonly payload?: Payload;
}

/** A kind of job with what does it. */
export interface JobWorker {
  readonly kind: JobKind<object>;
  run(payload: object, jobId: string): Promise<void>;
}

/** One of the jobs that are due together. */
export interface DueJob<Payload extends object = object> {
  readonly id: string;
  readonly payload: Payload;
}

/** A kind of job with what does all of those together that are due, up to a number. */
export interface JobsWorker {
  readonly kind: JobKind<object>;
  readonly atOnce: number;
  /** @returns why a job failed, by its id: each of them is tried again by itself. Throwing means that all of them are. */
  runAll(jobs: readonly DueJob[]): Promise<ReadonlyMap<string, Error>>;
}

export type AnyWorker = JobWorker | JobsWorker;

/**
 * Declares a kind of job, to be queued by `jobs.enqueue` and done by a {@link jobWorker}.
 * @example
 * const welcomeJob = jobKind<{ email: string }>({ name: 'welcome', retryLimit: 5, retryDelay: 5, expireInSeconds: 60
 * });
 */
export function jobKind<Payload extends object = Record<string, never>>(
  kind: Omit<JobKind<Payload>, 'payload'>,
): JobKind<Payload> {
  return kind;
}

/** Makes the worker for jobs of a kind. If it throws, the job is tried again. */
export function jobWorker<Payload extends object>(
  kind: JobKind<Payload>,
  run: (payload: Payload, jobId: string) => Promise<unknown>,
): JobWorker {
  return {
    kind,
    async run(payload, jobId) {
      await run(payload as Payload, jobId);
    },
  };
}

/** Makes the worker for jobs of a kind that are due together: see {@link JobsWorker}. */
export function jobsWorker<Payload extends object>(
  kind: JobKind<Payload>,
  atOnce: number,
  runAll: (jobs: readonly DueJob<Payload>[]) => Promise<ReadonlyMap<string, Error>>,
): JobsWorker {
  return { kind, atOnce, runAll: (jobs) => runAll(jobs as readonly DueJob<Payload>[]) };
}
