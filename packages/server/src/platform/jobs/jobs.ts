import { type Job, type JobResult, PgBoss } from 'pg-boss';
import type { Counter } from 'prom-client';
import type { Sql } from '../db/database.ts';
import { inLane } from '../db/lane.ts';
import type { Logger } from '../log.ts';
import type { Mail } from '../mail/mailer.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Tracing } from '../tracing/tracing.ts';

/** Queue name → payload. One entry per kind of background work. */
export interface JobPayloads {
  /** `id` is that of its row in the log of mails; what the log needs comes along. */
  mail: Mail & { id?: string; kind?: string; developerId?: string | null; bulk?: true };
  /** What somebody who gave an address is to be sent there; whether it has an account is up to the job. */
  'account-email': { kind: 'reset' | 'verify' | 'exists'; email: string };
  'my-products': { developerId: string; email: string };
  /** Tells the customers of a developer who has deleted the account. */
  'account-closed': { developerId: string };
  'daily-digest': Record<string, never>;
  'check-domains': Record<string, never>;
  'expire-records': Record<string, never>;
}
export type JobName = keyof JobPayloads;

export type JobHandlers = { [Name in JobName]: (payload: JobPayloads[Name], jobId: string) => Promise<void> };

/** Port: notes payloads before they are queued, in the same transaction, and may complete them. */
type Preparation<Name extends JobName> = (sql: Sql, payloads: JobPayloads[Name][]) => Promise<JobPayloads[Name][]>;

/** Of two jobs in a queue the one with the higher number goes first. */
const PROMPT = 10;
const BULK = 0;

/** How often a letter is tried again, later each time: for about half a day. */
export const MAIL_RETRIES = 12;

const queues: Record<
  JobName,
  {
    retryLimit: number;
    retryDelay: number;
    retryBackoff: boolean;
    expireInSeconds: number;
    deleteAfterSeconds?: number;
  }
> = {
  // letters hold addresses and links that open accounts: what is done with is forgotten soon
  mail: { retryLimit: MAIL_RETRIES, retryDelay: 5, retryBackoff: true, expireInSeconds: 120, deleteAfterSeconds: 3600 },
  'account-email': { retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 60, deleteAfterSeconds: 3600 },
  'my-products': { retryLimit: 5, retryDelay: 5, retryBackoff: true, expireInSeconds: 60, deleteAfterSeconds: 3600 },
  'account-closed': { retryLimit: 12, retryDelay: 5, retryBackoff: true, expireInSeconds: 3600 },
  'daily-digest': { retryLimit: 2, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 },
  'check-domains': { retryLimit: 0, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 },
  'expire-records': { retryLimit: 2, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 },
};

/** Woken by NOTIFY; the polling is for notices that were lost. */
const WORK = {
  batchSize: 20,
  burstWhenBatchFull: true,
  pollingIntervalSeconds: 2,
  notifyPollingIntervalSeconds: 5,
  perJobResults: true,
} as const;

const schedules: Partial<Record<JobName, string>> = {
  'expire-records': '17 * * * *',
  'check-domains': '*/10 * * * *',
  'daily-digest': '3 * * * *',
};

/** Background work, queued in the transaction that asks for it: it is done if, and only if, that commits. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #worker: boolean;
  readonly #tracing: Tracing;
  readonly #log: Logger;
  readonly #ended: Counter<'queue' | 'outcome'>;
  readonly #preparations = new Map<JobName, Preparation<JobName>>();
  #handlers: JobHandlers | undefined;

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
    });
    this.#boss.on('error', (error) => options.log.warn({ err: error }, 'the job queue met an error'));
  }

  /** Makes the queues where they are missing; with handlers, starts to work on them. */
  async start(handlers?: JobHandlers): Promise<void> {
    await this.#boss.start();
    const existing = new Set((await this.#boss.getQueues()).map((queue) => queue.name));
    for (const [name, options] of Object.entries(queues)) {
      if (!existing.has(name)) await this.#boss.createQueue(name, { ...options, notify: true });
    }
    if (!handlers || !this.#worker) return;
    this.#handlers = handlers;
    for (const [name, cron] of Object.entries(schedules)) await this.#boss.schedule(name, cron, {});
    await this.resume();
  }

  /** Takes no more jobs until `resume`; those that run finish. */
  async pause(): Promise<void> {
    if (this.#handlers) await Promise.all(Object.keys(queues).map((name) => this.#boss.offWork(name)));
  }

  async resume(): Promise<void> {
    if (!this.#handlers) return;
    for (const name of Object.keys(queues) as JobName[]) {
      const handle = this.#handlers[name] as (payload: object, jobId: string) => Promise<void>;
      await this.#boss.work<object>(name, WORK, async (jobs) =>
        Promise.all(jobs.map((job) => this.#run(name, job, handle))),
      );
    }
  }

  /** One job of a batch: it fails alone, and is tried again alone. */
  async #run(
    name: JobName,
    job: Job<object>,
    handle: (payload: object, jobId: string) => Promise<void>,
  ): Promise<JobResult> {
    try {
      await this.#tracing.job(name, () => inLane('jobs', () => handle(job.data, job.id)));
      this.#ended.inc({ queue: name, outcome: 'done' });
      return { id: job.id, status: 'completed' };
    } catch (error) {
      this.#log.warn({ err: error, queue: name, job: job.id }, 'a job failed and will be tried again');
      this.#ended.inc({ queue: name, outcome: 'failed' });
      return { id: job.id, status: 'failed', output: { message: (error as Error).message } };
    }
  }

  /** From now on every payload of this name goes through `preparation` before it is queued. */
  prepare<Name extends JobName>(name: Name, preparation: Preparation<Name>): void {
    this.#preparations.set(name, preparation as unknown as Preparation<JobName>);
  }

  /** Queues a job inside the caller's transaction. */
  async enqueue<Name extends JobName>(sql: Sql, name: Name, payload: JobPayloads[Name]): Promise<void> {
    await this.enqueueAll(sql, name, [payload]);
  }

  /** Queues many at once inside the caller's transaction. */
  async enqueueAll<Name extends JobName>(sql: Sql, name: Name, payloads: JobPayloads[Name][]): Promise<void> {
    if (payloads.length === 0) return;
    const prepared = (await this.#preparations.get(name)?.(sql, payloads)) ?? payloads;
    await this.#boss.insert(
      name,
      prepared.map((data) => ({ data, priority: 'bulk' in data ? BULK : PROMPT })),
      { db: { executeSql: async (text, values) => ({ rows: await sql.query(text, values ?? []) }) } },
    );
  }

  /** Lets running jobs finish for a while; what is left goes back to the queue. */
  async stop(timeoutMs = 10_000): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}
