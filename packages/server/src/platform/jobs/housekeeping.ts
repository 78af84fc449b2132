import type { Logger } from '../log.ts';
import { type JobWorker, jobKind, jobWorker } from './job.ts';

/** Hourly work of a feature on its own rows: what has expired is deleted. */
export type Housekeeping = () => Promise<unknown>;

const expireRecords = jobKind({
  name: 'expire-records',
  cron: '17 * * * *',
  retryLimit: 2,
  retryDelay: 60,
  expireInSeconds: 600,
});

/** One task that fails does not keep the others from running; the job is tried again. */
export function housekeeping(tasks: readonly Housekeeping[], log: Logger): JobWorker {
  return jobWorker(expireRecords, async () => {
    const failures: unknown[] = [];
    for (const task of tasks) {
      await task().catch((error: unknown) => {
        log.warn({ err: error }, 'expired rows could not be deleted');
        failures.push(error);
      });
    }
    if (failures.length > 0) throw new AggregateError(failures, `${failures.length} housekeeping tasks failed`);
  });
}
