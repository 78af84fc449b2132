import { type Job, type JobResult, PgBoss } from 'pg-boss';
import type { Sql } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Metrics } from '../metrics.ts';

/** Queue name → payload. One entry per kind of background work. */
export interface JobPayloads {
  mail: { to: string; subject: string; text: string; html: string };
  'expire-records': Record<string, never>;
}
export type JobName = keyof JobPayloads;

export type JobHandlers = { [Name in JobName]: (payload: JobPayloads[Name], jobId: string) => Promise<void> };

const queues: Record<
  JobName,
  { retryLimit: number; retryDelay: number; retryBackoff: boolean; expireInSeconds: number }
> = {
  mail: { retryLimit: 12, retryDelay: 5, retryBackoff: true, expireInSeconds: 120 },
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

const schedules: Partial<Record<JobName, string>> = { 'expire-records': '17 * * * *' };

/** Background work, queued in the transaction that asks for it: it is done if, and only if, that commits. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #worker: boolean;
  readonly #log: Logger;
  readonly #metrics: Metrics;

  constructor(options: { url: string; worker: boolean; log: Logger; metrics: Metrics }) {
    this.#log = options.log;
    this.#metrics = options.metrics;
    this.#worker = options.worker;
    this.#boss = new PgBoss({
      connectionString: options.url,
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
    for (const name of Object.keys(queues) as JobName[]) {
      const handle = handlers[name] as (payload: object, jobId: string) => Promise<void>;
      await this.#boss.work<object>(name, WORK, async (jobs) =>
        Promise.all(jobs.map((job) => this.#run(name, job, handle))),
      );
      const cron = schedules[name];
      if (cron) await this.#boss.schedule(name, cron, {});
    }
  }

  /** One job of a batch: it fails alone, and is tried again alone. */
  async #run(
    name: JobName,
    job: Job<object>,
    handle: (payload: object, jobId: string) => Promise<void>,
  ): Promise<JobResult> {
    try {
      await handle(job.data, job.id);
      this.#metrics.jobs.inc({ queue: name, outcome: 'done' });
      return { id: job.id, status: 'completed' };
    } catch (error) {
      this.#log.warn({ err: error, queue: name, job: job.id }, 'a job failed and will be tried again');
      this.#metrics.jobs.inc({ queue: name, outcome: 'failed' });
      return { id: job.id, status: 'failed', output: { message: (error as Error).message } };
    }
  }

  /** Queues a job inside the caller's transaction. */
  async enqueue<Name extends JobName>(sql: Sql, name: Name, payload: JobPayloads[Name]): Promise<void> {
    await this.#boss.send(name, payload, {
      db: { executeSql: async (text, values) => ({ rows: await sql.query(text, values ?? []) }) },
    });
  }

  /** Lets running jobs finish for a while; what is left goes back to the queue. */
  async stop(timeoutMs = 10_000): Promise<void> {
    await this.#boss.stop({ graceful: true, timeout: timeoutMs, close: true });
  }
}
