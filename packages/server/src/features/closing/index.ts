import type { Base } from '#platform/feature.ts';
import { jobWorker } from '#platform/jobs/job.ts';
import { Closings, closeMonthsJob } from './closings.service.ts';
import type { MonthCloser } from './month-closer.ts';

export { refusedMonth } from './month-argument.ts';
export type { MadeOf, MonthCloser } from './month-closer.ts';

interface Needs {
  closePayouts: MonthCloser;
  closeBilling: MonthCloser;
}

export const closing = {
  create(base: Base, { closePayouts, closeBilling }: Needs) {
    const closings = new Closings({ ...base, closers: { payout: closePayouts, billing: closeBilling } });
    return { api: { closings }, jobs: [jobWorker(closeMonthsJob, () => closings.run())] };
  },
};
