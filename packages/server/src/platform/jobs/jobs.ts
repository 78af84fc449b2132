import { PgBoss } from 'pg-boss';
import type { Sql } from '../db/database.ts';
import type { Logger } from '../log.ts';

/** Queue name → payload. One entry per kind of background work. */
export interface JobPayloads {
  mail: { to: string; subject: string; text: string; html: string };
  'expire-records': Record<string, never>;
}
export type JobName = keyof JobPayloads;

export type JobHandlers = { [Name in JobName]: (payload: JobPayloads[Name], jobId: string) => Promise<void> };

const queues: Record<JobName, { retryLimit: number; retryDelay: number; retryBackoff: boolean; expireInSeconds: number }> = {
  mail: { retryLimit: 12, retryDelay: 5, retryBackoff: true, expireInSeconds: 120 },
  'expire-records': { retryLimit: 2, retryDelay: 60, retryBackoff: true, expireInSeconds: 600 },
};

const schedules: Partial<Record<JobName, string>> = { 'expire-records': '17 * * * *' };

/** Background work, queued in the transaction that asks for it: it is done if, and only if, that commits. */
export class Jobs {
  readonly #boss: PgBoss;
  readonly #worker: boolean;

  constructor(options: { url: string; worker: boolean; log: Logger }) {
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
      await this.#boss.work<object>(name, { pollingIntervalSeconds: 5 }, async (jobs) => {
        for (const job of jobs) await handle(job.data, job.id);
      });
      const cron = schedules[name];
      if (cron) await this.#boss.schedule(name, cron, {});
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
