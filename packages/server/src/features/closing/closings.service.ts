import type { Counter } from 'prom-client';
import { holdAccounts } from '#features/accounts';
import {
  closeMonth,
  countOpen,
  expectClose,
  type OpenMonth,
  openAmong,
  openMonths,
  openMonthsOf,
} from '#features/plans';
import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { dryRunnable } from '#platform/db/dry-run.ts';
import type { Door } from '#platform/db/work.ts';
import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import { monthOf, nextMonth } from '#platform/time/months.ts';
import type { MonthCloser } from './month-closer.ts';
import { type Months, Pass, type Run } from './pass.ts';

export const closeMonthsJob = jobKind({
  name: 'close-months',
  cron: '5 * * * *',
  atStart: true,
  retryLimit: 3,
  retryDelay: 60,
  expireInSeconds: 3600,
});

interface Dependencies<Kind extends string> {
  db: Door;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  /** Closers by the kind of statement that they make. They run one after the other, in this order. */
  closers: Record<Kind, MonthCloser>;
}

export interface CloseReport<Kind extends string> {
  /** Months of developers that were closed. */
  months: number;
  /** How many were made of each kind. */
  statements: Record<Kind, number>;
  /** Developers with a month that could not be closed; the next run retries it, then those after it. */
  failed: number;
}

type Made<Kind extends string> = Pick<CloseReport<Kind>, 'months' | 'statements'>;

const PAGE = 500;
/** Developers whose month is closed in one transaction: planning a close costs as much as a hundred of its statements. */
export const TOGETHER = 10;
/** Such transactions at the same time: one connection less than background work has. */
export const AT_ONCE = 3;
/**
 * On many machines, an update of several accounts keeps every other such update from the same parts of a table until its transaction ends,
 * so that a close that waits for somebody would keep all others waiting. No two closes have an account in common, except where two
 * processes close: one that waits for another in turn is ended there as here, and closed again. Elsewhere a name without a meaning.
 */
const SIDE_BY_SIDE = { 'citus.enable_deadlock_prevention': 'off' };

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
   * between, close each month exactly once: a month is closed together with its statements, in one transaction.
   * @param options through: the last month to close, `YYYY-MM`; dryRun: everything is rolled back and only counted.
   */
  async run(options: { through?: string | undefined; dryRun?: boolean } = {}): Promise<CloseReport<Kind>> {
    const { clock, log } = this.#deps;
    const current = monthOf(clock.now());
    const through = options.through ? nextMonth(`${options.through}-01`) : current;
    const [before = current] = [through, current].sort();
    const report: CloseReport<Kind> = { months: 0, statements: this.#none(), failed: 0 };
    const run: Run = {
      failed: new Set(),
      rehearsed: new Set(),
      tries: new Map(),
      attempt: async (months) => {
        if (options.dryRun) {
          this.#add(report, await this.#rehearse(months, before));
          for (const id of months.developerIds) run.rehearsed.add(id);
          return [];
        }
        const made = await this.#close(months);
        this.#add(report, made);
        return made.open;
      },
      isOpen: (developerId, month) => this.#isOpen(developerId, month),
      onFailure: (err, developer, month) => log.error({ err, developer, month }, 'a month could not be closed'),
    };
    // repeats until a pass finds no open month: another process may leave what this pass left to it, and a new earlier
    // month may have been in the way of later ones
    let wait = false;
    for (let again = true; again; ) {
      const pass = new Pass(run, wait);
      await this.#each(before, (developerIds, month) => pass.close(developerIds, month));
      wait = pass.left.size > 0;
      again = options.dryRun ? wait : pass.met;
    }
    return { ...report, failed: run.failed.size };
  }

  /** Every open month, those of several developers at once, but never two months of one: the earlier one comes first. */
  async #each(before: string, close: (developerIds: string[], month: string) => Promise<void>): Promise<void> {
    const running = new Set<Promise<void>>();
    let month = '';
    try {
      for await (const open of this.#openMonths(before)) {
        if (open.month !== month) await Promise.all(running);
        month = open.month;
        const done: Promise<void> = close(open.developerIds, month).finally(() => running.delete(done));
        running.add(done);
        if (running.size === AT_ONCE) await Promise.race(running);
      }
    } finally {
      await Promise.all(running);
    }
  }

  /**
   * Some developers with the same open month after the other, the earliest month first; also months that are opened while
   * others are closed, if they come later.
   */
  async *#openMonths(before: string): AsyncGenerator<{ developerIds: string[]; month: string }> {
    let last: OpenMonth | undefined;
    for (;;) {
      const page = await openMonths(this.#deps.db, before, last, PAGE);
      for (const [month, open] of Map.groupBy(page, (each) => each.month)) {
        const ids = open.map(({ developer_id }) => developer_id);
        for (let at = 0; at < ids.length; at += TOGETHER) yield { developerIds: ids.slice(at, at + TOGETHER), month };
      }
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
      await this.#within(sql, { developerIds: [developerId], month, wait: true }, current);
    }
  }

  /** @returns with the developers whose month is still open: somebody holds it, or an earlier one. */
  async #close(months: Months): Promise<Made<Kind> & { open: string[] }> {
    const { developerIds, month } = months;
    const made = await this.#deps.db.work({ tx: true, settings: SIDE_BY_SIDE }, async (tx) => {
      const done = await this.#within(tx, months);
      const open = done.months < developerIds.length ? await openAmong(tx, developerIds, month) : [];
      return { ...done, open };
    });
    this.#closed.inc(made.months);
    for (const kind of this.#kinds) this.#made.inc({ kind }, made.statements[kind]);
    return made;
  }

  /** A developer's months build on each other, so all of them are rehearsed together, when the earliest has its turn. */
  async #rehearse({ developerIds, month: first }: Months, before: string): Promise<Made<Kind>> {
    const { db } = this.#deps;
    const all = { months: 0, statements: this.#none() };
    for (const developerId of developerIds) {
      const [earliest] = await openMonthsOf(db, developerId, first);
      if (earliest !== first) continue;
      let made: Made<Kind>[] = [];
      await dryRunnable(true, (end) =>
        db.work({ tx: true }, async (tx) => {
          made = [];
          for (let month: string | undefined = first; month && month < before; ) {
            const closed = await this.#within(tx, { developerIds: [developerId], month, wait: true });
            if (closed.months === 0) break;
            made.push(closed);
            [month] = await openMonthsOf(tx, developerId, before);
          }
          end();
        }),
      );
      for (const each of made) this.#add(all, each);
    }
    return all;
  }

  #add(all: Made<Kind>, { months, statements }: Made<Kind>): void {
    all.months += months;
    for (const kind of this.#kinds) all.statements[kind] += statements[kind];
  }

  async #isOpen(developerId: string, month: string): Promise<boolean> {
    return (await openAmong(this.#deps.db, [developerId], month)).length > 0;
  }

  /** @param last no month after it is opened. */
  async #within(sql: Sql, { developerIds, month, wait }: Months, last?: string): Promise<Made<Kind>> {
    const now = this.#deps.clock.now();
    // before the months, because a deletion of an account takes the two in this order
    const ids = await holdAccounts(sql, developerIds, { wait });
    const closed = await closeMonth(sql, ids, { month, now, wait });
    const statements = this.#none();
    if (closed.length === 0) return { months: 0, statements };
    const opening = new Set<string>();
    const more = developerIds.length === TOGETHER;
    for (const kind of this.#kinds) {
      const done = await this.#deps.closers[kind](sql, { developerIds: closed, month, now, more });
      for (const [developerId, { made, opensNext }] of done) {
        statements[kind] += made;
        if (opensNext) opening.add(developerId);
      }
    }
    const next = nextMonth(month);
    if (opening.size > 0 && (last === undefined || next <= last)) await expectClose(sql, [...opening], next);
    return { months: closed.length, statements };
  }

  #none(): Record<Kind, number> {
    return Object.fromEntries(this.#kinds.map((kind) => [kind, 0])) as Record<Kind, number>;
  }
}
