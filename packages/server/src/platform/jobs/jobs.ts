import { type Job, type JobResult, PgBoss } from 'pg-boss';
import type { Counter } from 'prom-client';
import type { Sql } from '../db/database.ts';
import { longestWaits } from '../db/pools/pools.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { inLane } from '../work-context.ts';
import type { AnyWorker, JobKind, JobsWorker, JobWorker } from './job.ts';

/** Priorities: the job with the higher number goes first. */
const PROMPT = 10;
const BULK = 0;

/** As long as a job's own statements may take: a connection that stays silent longer is dropped. */
const LIMITS = { query_timeout: longestWaits.jobs };

/** A process shows that often that it has a job that others take over, which they do when it has not for that long. */
const ALIVE = { everySeconds: 3, deadAfterSeconds: 10 };
/** How often the others look. */
const LOOK_MS = 5_000;

/** Woken by NOTIFY; the polling is for notices that were lost. */
const WORK = {
  batchSize: 20,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  perJobResults: true,
  heartbeatRefreshSeconds: ALIVE.everySeconds,
} as const;

/** Seconds that the jobs of a deferred kind wait. */
const DEFERRED = 600;

/** Background work, queued in the transaction that needs it: it runs if, and only if, that transaction commits. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #worker: boolean;
  readonly #tracing: Tracing;
  readonly #log: Logger;
  readonly #ended: Counter<'queue' | 'outcome'>;
  readonly #workers = new Map<string, AnyWorker>();
  #deferred: readonly string[] = [];
  #working = false;
  #looks: NodeJS.Timeout | undefined;

  constructor(options: {
    url: string;
    /** The kind of database that holds the queue, as pg-boss names it. */
    backend: 'postgres' | 'citus';
    worker: boolean;
    log: Logger;
    metrics: Metrics;
    tracing: Tracing;
  }) {
    this.#log = options.log;
    this.#ended = options.metrics.counter({
      name: 'tonerow_jobs_total',
      help: 'Background jobs that ended in this process, by outcome; a failed one is tried again',
      labelNames: ['queue', 'outcome'],
    });
    this.#worker = options.worker;
    this.#tracing = options.tracing;
    this.#boss = new PgBoss({
      connectionString: options.url,
      backend: options.backend,
      application_name: 'tonerow-jobs',
      max: options.worker ? 4 : 2,
      supervise: options.worker,
      schedule: options.worker,
      useListenNotify: options.worker,
      ...LIMITS,
    });
    this.#boss.on('error', (error) => options.log.warn({ err: error }, 'the job queue met an error'));
  }

  /** Adds kinds of jobs with what does them, before `start`. */
  register(workers: readonly AnyWorker[]): void {
    for (const worker of workers) {
      const { name } = worker.kind;
      if (this.#workers.has(name)) throw new Error(`two kinds of jobs are called ${name}`);
      this.#workers.set(name, worker);
    }
  }

  /** The queues whose jobs send an email that a person waits for. */
  get emailQueues(): string[] {
    return [...this.#workers.values()].flatMap(({ kind }) => (kind.isEmail ? [kind.name] : []));
  }

  /**
   * Makes the queues where they are missing and, if `work`, starts to work on them.
   * @param deferred names of kinds that this process does itself at once: for other processes their jobs begin minutes later.
   */
  async start({ work, deferred = [] }: { work: boolean; deferred?: readonly string[] }): Promise<void> {
    this.#deferred = deferred;
    await this.#boss.start();
    const existing = new Set((await this.#boss.getQueues()).map((queue) => queue.name));
    for (const { kind } of this.#workers.values()) {
      if (!existing.has(kind.name)) await this.#boss.createQueue(kind.name, queueOf(kind));
    }
    if (!work || !this.#worker) return;
    this.#working = true;
    for (const { kind } of this.#workers.values()) {
      if (kind.cron) await this.#boss.schedule(kind.name, kind.cron, {});
    }
    await this.resume();
    for (const { kind } of this.#workers.values()) {
      if (kind.atStart) await this.#boss.send(kind.name, {});
    }
    const names = [...this.#workers.values()].flatMap(({ kind }) => (kind.isTakenOver ? [kind.name] : []));
    this.#looks = setInterval(() => void this.#takeOver(names), LOOK_MS).unref();
  }

  /** Gives the jobs of processes that are dead back to their queues. The last try of one is ended by pg-boss, later. */
  async #takeOver(names: readonly string[]): Promise<void> {
    try {
      await this.#boss.getDb().executeSql(
        `update pgboss.job set state = 'retry', start_after = pgboss.job_now()
         where name = any($1::text[]) and state = 'active' and retry_count < retry_limit
           and heartbeat_on < pgboss.job_now() - make_interval(secs => heartbeat_seconds)`,
        [names],
      );
    } catch (error) {
      this.#log.warn({ err: error }, 'the job queue met an error');
    }
  }

  /** Takes no more jobs until `resume`; running ones finish. */
  async pause(): Promise<void> {
    if (this.#working) await Promise.all([...this.#workers.keys()].map((name) => this.#boss.offWork(name)));
  }

  async resume(): Promise<void> {
    if (!this.#working) return;
    for (const worker of this.#workers.values()) {
      const { name } = worker.kind;
      if ('runAll' in worker)
        await this.#boss.work<object>(name, { ...WORK, batchSize: worker.atOnce }, (jobs) =>
          this.#runAll(worker, jobs),
        );
      else
        await this.#boss.work<object>(name, WORK, async (jobs) =>
          Promise.all(jobs.map((job) => this.#run(worker, job))),
        );
    }
  }

  /** One job of a batch: it fails alone, and is tried again alone. */
  async #run(worker: JobWorker, job: Job<object>): Promise<JobResult> {
    const { name } = worker.kind;
    try {
      await this.#tracing.job(name, () => inLane('jobs', () => worker.run(job.data, job.id)));
      return this.#done(name, job);
    } catch (error) {
      return this.#failed(name, job, error as Error);
    }
  }

  /** A batch that is done together: those of its jobs that fail are tried again, each alone. */
  async #runAll(worker: JobsWorker, jobs: readonly Job<object>[]): Promise<JobResult[]> {
    const { name } = worker.kind;
    const due = jobs.map(({ id, data }) => ({ id, payload: data }));
    try {
      const failures = await this.#tracing.job(name, () => inLane('jobs', () => worker.runAll(due)));
      return jobs.map((job) => {
        const failure = failures.get(job.id);
        return failure ? this.#failed(name, job, failure) : this.#done(name, job);
      });
    } catch (error) {
      return jobs.map((job) => this.#failed(name, job, error as Error));
    }
  }

  #done(name: string, { id }: Job<object>): JobResult {
    this.#ended.inc({ queue: name, outcome: 'done' });
    return { id, status: 'completed' };
  }

  #failed(name: string, { id }: Job<object>, error: Error): JobResult {
    this.#log.warn({ err: error, queue: name, job: id }, 'a job failed and will be tried again');
    this.#ended.inc({ queue: name, outcome: 'failed' });
    return { id, status: 'failed', output: { message: error.message } };
  }

  /** Queues a job inside the caller's transaction. */
  async enqueue<Payload extends object>(sql: Sql, kind: JobKind<Payload>, payload: Payload): Promise<void> {
    await this.enqueueAll(sql, kind, [payload]);
  }

  /**
   * Queues many jobs inside the caller's transaction. Payloads with `bulk` run after those without.
   * @param delay seconds before they run.
   */
  async enqueueAll<Payload extends object>(
    sql: Sql,
    kind: JobKind<Payload>,
    payloads: Payload[],
    { delay = 0 }: { delay?: number } = {},
  ): Promise<void> {
    if (payloads.length === 0) return;
    await this.#boss.insert(
      kind.name,
      payloads.map((data) => ({
        data,
        priority: 'bulk' in data ? BULK : PROMPT,
        startAfter: this.#deferred.includes(kind.name) ? DEFERRED : delay,
        ...(kind.isTakenOver ? { heartbeatSeconds: ALIVE.deadAfterSeconds } : {}),
      })),
      { db: { executeSql: async (text, values) => ({ rows: await sql.query(text, values ?? []) }) } },
    );
  }

  /** Lets running jobs finish for a while; what is left goes back to the queue. */
  async stop(timeoutMs = 10_000): Promise<void> {
    clearInterval(this.#looks);
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}

function queueOf({ retryLimit, retryDelay, retryDelayMax, expireInSeconds, deleteAfterSeconds }: JobKind<object>) {
  const kept = deleteAfterSeconds === undefined ? {} : { deleteAfterSeconds };
  const longest = retryDelayMax === undefined ? {} : { retryDelayMax };
  return { retryLimit, retryDelay, retryBackoff: true, ...longest, expireInSeconds, ...kept, notify: true };
}
