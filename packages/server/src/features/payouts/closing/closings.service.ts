import type { Counter } from 'prom-client';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Sql } from '../../../platform/db/database.ts';
import { dryRunnable } from '../../../platform/db/dry-run.ts';
import { jobKind } from '../../../platform/jobs/job.ts';
import type { Jobs } from '../../../platform/jobs/jobs.ts';
import type { Logger } from '../../../platform/log.ts';
import type { Metrics } from '../../../platform/metrics/metrics.ts';
import { closeMonth, expectClose, monthOf, type OpenMonth, openMonths, openMonthsOf } from '../../plans/index.ts';
import { nextMonth } from '../calendar.ts';
import { statementsMadeJob } from '../notices/statement-notices.service.ts';
import { closeStatements } from './close-statements.ts';

export const closeMonthsJob = jobKind({
  name: 'close-months',
  cron: '5 * * * *',
  atStart: true,
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 3600,
});

interface Dependencies {
  db: Database;
  clock: Clock;
  jobs: Jobs;
  log: Logger;
  metrics: Metrics;
}

export interface CloseReport {
  /** Months of developers that were closed. */
  months: number;
  statements: number;
  /** Months of developers whose close failed; the next run tries them again. */
  failed: number;
}

const PAGE = 500;

/** Closes months: from then on nothing falls into them, and their statements are made. */
export class Closings {
  readonly #deps: Dependencies;
  readonly #closed: Counter;
  readonly #made: Counter;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#closed = deps.metrics.counter({
      name: 'tonerow_months_closed_total',
      help: 'Months of developers that this process has closed',
    });
    this.#made = deps.metrics.counter({
      name: 'tonerow_statements_made_total',
      help: 'Payout statements that this process has made',
    });
  }

  /**
   * Closes what is not closed yet of the months before the current one (UTC). Any number of runs, at once, late or killed in
   * between, close each month exactly once: a month is closed together with its statements, in one transaction per developer.
   * @param options through: the last month to close, `YYYY-MM`; dryRun: everything is rolled back and only counted.
   */
  async run(options: { through?: string | undefined; dryRun?: boolean } = {}): Promise<CloseReport> {
    const { db, clock, log } = this.#deps;
    const current = monthOf(clock.now());
    const through = options.through ? nextMonth(`${options.through}-01`) : current;
    const [before = current] = [through, current].sort();
    const report: CloseReport = { months: 0, statements: 0, failed: 0 };
    let last: OpenMonth | undefined;
    for (;;) {
      const page = await openMonths(db, before, last, PAGE);
      for (const open of page) {
        last = open;
        try {
          const statements = options.dryRun ? await this.#rehearse(open) : await this.#close(open);
          if (statements === null) continue;
          report.months += 1;
          report.statements += statements;
        } catch (error) {
          report.failed += 1;
          log.error({ err: error, developer: open.developer_id, month: open.month }, 'a month could not be closed');
        }
      }
      // a month that had something to bring forward has just opened the next one
      if (page.length < PAGE && !(await this.#more(before, last))) break;
    }
    return report;
  }

  async #more(before: string, last: OpenMonth | undefined): Promise<boolean> {
    return last !== undefined && (await openMonths(this.#deps.db, before, last, 1)).length > 0;
  }

  async #close(open: OpenMonth): Promise<number | null> {
    const made = await this.#deps.db.transaction((tx) => this.#within(tx, open));
    if (made === null) return null;
    this.#closed.inc();
    this.#made.inc(made);
    return made;
  }

  /** The months of one developer build on each other, so a rehearsal starts with the earliest. */
  async #rehearse(open: OpenMonth): Promise<number | null> {
    let made: number | null = null;
    await dryRunnable(true, (end) =>
      this.#deps.db.transaction(async (tx) => {
        const months = await openMonthsOf(tx, open.developer_id, open.month);
        for (const month of months) made = await this.#within(tx, { ...open, month });
        end();
      }),
    );
    return made;
  }

  async #within(tx: Sql, { developer_id, month }: OpenMonth): Promise<number | null> {
    const { clock, jobs } = this.#deps;
    const now = clock.now();
    if (!(await closeMonth(tx, developer_id, month, now))) return null;
    const { statements, credit } = await closeStatements(tx, developer_id, month, now);
    if (credit) await expectClose(tx, developer_id, nextMonth(month));
    if (statements > 0) await jobs.enqueue(tx, statementsMadeJob, { developerId: developer_id, month });
    return statements;
  }
}
