import type { Counter } from 'prom-client';
import type { Clock } from '../../platform/clock.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { dryRunnable } from '../../platform/db/dry-run.ts';
import { jobKind } from '../../platform/jobs/job.ts';
import type { Logger } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics/metrics.ts';
import { nextMonth } from '../../platform/months.ts';
import {
  closeMonth,
  countOpen,
  expectClose,
  monthOf,
  type OpenMonth,
  openMonths,
  openMonthsOf,
} from '../plans/index.ts';
import type { MonthCloser } from './month-closer.ts';

export const closeMonthsJob = jobKind({
  name: 'close-months',
  cron: '5 * * * *',
  atStart: true,
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 3600,
});

interface Dependencies<Kind extends string> {
  db: Database;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** By the kind of statement that they make. They run one after the other, in this order. */
  closers: Record<Kind, MonthCloser>;
}

export interface CloseReport<Kind extends string> {
  /** Months of developers that were closed. */
  months: number;
  /** How many were made of each kind. */
  statements: Record<Kind, number>;
  /** Developers of whom a month could not be closed; the next run tries it again, and then those after it. */
  failed: number;
}

const PAGE = 500;
/** Developers whose month is closed at the same time: one connection less than background work has. */
export const AT_ONCE = 3;

/** Closes months: from then on nothing falls into them, and their statements are made. */
export class Closings<Kind extends string> {
  readonly #deps: Dependencies<Kind>;
  readonly #kinds: readonly Kind[];
  readonly #closed: Counter;
  readonly #made: Counter<'kind'>;

  constructor(deps: Dependencies<Kind>) {
    const { db, clock, metrics } = deps;
    this.#deps = deps;
    this.#kinds = Object.keys(deps.closers) as Kind[];
    this.#closed = metrics.counter({
      name: 'tonerow_months_closed_total',
      help: 'Months of developers that this process has closed',
    });
    this.#made = metrics.counter({
      name: 'tonerow_statements_made_total',
      help: 'Statements that this process has made, by kind',
      labelNames: ['kind'],
    });
    metrics.measured(
      {
        name: 'tonerow_months_unclosed',
        help: 'Months of developers that are over and not closed yet; the hourly close-months job closes them',
      },
      async () => [[{}, await countOpen(db, monthOf(clock.now()))]],
      60_000,
    );
  }

  /**
   * Closes what is not closed yet of the months before the current one (UTC). Any number of runs, at once, late or killed in
   * between, close each month exactly once: a month is closed together with its statements, in one transaction per developer.
   * @param options through: the last month to close, `YYYY-MM`; dryRun: everything is rolled back and only counted.
   */
  async run(options: { through?: string | undefined; dryRun?: boolean } = {}): Promise<CloseReport<Kind>> {
    const { clock, log } = this.#deps;
    const current = monthOf(clock.now());
    const through = options.through ? nextMonth(`${options.through}-01`) : current;
    const [before = current] = [through, current].sort();
    const report: CloseReport<Kind> = { months: 0, statements: this.#none(), failed: 0 };
    const failed = new Set<string>();
    const close = async (open: OpenMonth) => {
      if (failed.has(open.developer_id)) return;
      try {
        const closed = options.dryRun ? await this.#rehearse(open, before) : await this.#close(open);
        report.months += closed.length;
        for (const made of closed) for (const kind of this.#kinds) report.statements[kind] += made[kind];
      } catch (error) {
        failed.add(open.developer_id);
        log.error({ err: error, developer: open.developer_id, month: open.month }, 'a month could not be closed');
      }
    };
    // a month that was not there before may have been in the way of later ones
    for (let closed = -1; report.months > closed; ) {
      closed = report.months;
      await this.#each(before, close);
      if (options.dryRun) break;
    }
    return { ...report, failed: failed.size };
  }

  /** Every open month, those of several developers at once, but never two months of one: the earlier one comes first. */
  async #each(before: string, close: (open: OpenMonth) => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    let month = '';
    try {
      for await (const open of this.#openMonths(before)) {
        if (open.month !== month) await Promise.all(running);
        month = open.month;
        const done: Promise<void> = close(open).finally(() => running.delete(done));
        running.add(done);
        if (running.size === AT_ONCE) await Promise.race(running);
      }
    } finally {
      await Promise.all(running);
    }
  }

  /** Page by page, the earliest month first; also months that are opened while others are closed, if they come later. */
  async *#openMonths(before: string): AsyncGenerator<OpenMonth> {
    let last: OpenMonth | undefined;
    for (;;) {
      const page = await openMonths(this.#deps.db, before, last, PAGE);
      yield* page;
      last = page.at(-1);
      if (!last) return;
    }
  }

  /**
   * Closes every month of an account that is being deleted, also the current one, in the transaction that deletes it. The
   * caller holds the account's row.
   */
  async closeAccount(sql: Sql, developerId: string): Promise<void> {
    const current = monthOf(this.#deps.clock.now());
    for (;;) {
      const [month] = await openMonthsOf(sql, developerId, current);
      if (!month) return;
      await this.#within(sql, { developer_id: developerId, month }, current);
    }
  }

  async #close(open: OpenMonth): Promise<Record<Kind, number>[]> {
    const made = await this.#deps.db.transaction((tx) => this.#within(tx, open));
    if (made === null) return [];
    this.#closed.inc();
    for (const kind of this.#kinds) this.#made.inc({ kind }, made[kind]);
    return [made];
  }

  /** A developer's months build on each other, so all of them are rehearsed together, when the earliest has its turn. */
  async #rehearse(open: OpenMonth, before: string): Promise<Record<Kind, number>[]> {
    const { db } = this.#deps;
    const [earliest] = await openMonthsOf(db, open.developer_id, open.month);
    if (earliest !== open.month) return [];
    let closed: Record<Kind, number>[] = [];
    await dryRunnable(true, (end) =>
      db.transaction(async (tx) => {
        closed = [];
        for (let month: string | undefined = open.month; month && month < before; ) {
          const made = await this.#within(tx, { ...open, month });
          if (made === null) break;
          closed.push(made);
          [month] = await openMonthsOf(tx, open.developer_id, before);
        }
        end();
      }),
    );
    return closed;
  }

  /**
   * @param last no month after it is opened.
   * @returns null when there is nothing to close.
   */
  async #within(sql: Sql, { developer_id, month }: OpenMonth, last?: string): Promise<Record<Kind, number> | null> {
    const now = this.#deps.clock.now();
    // before the month, because a deletion of the account takes the two in this order
    await sql.query('select 1 from users where id = $1 for key share', [developer_id]);
    if (!(await closeMonth(sql, developer_id, month, now))) return null;
    const statements = this.#none();
    let opensNext = false;
    for (const kind of this.#kinds) {
      const done = await this.#deps.closers[kind](sql, { developerId: developer_id, month, now });
      statements[kind] = done.made;
      opensNext ||= done.opensNext;
    }
    const next = nextMonth(month);
    if (opensNext && (last === undefined || next <= last)) await expectClose(sql, developer_id, next);
    return statements;
  }

  #none(): Record<Kind, number> {
    return Object.fromEntries(this.#kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  }
}
