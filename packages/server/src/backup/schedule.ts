import { setTimeout as pause } from 'node:timers/promises';
import { type Clock, MINUTE } from '#platform/clock.ts';
import type { Logger } from '#platform/log.ts';
import type { Cron } from '#platform/time/cron.ts';
import type { Backups, BackupsMade } from './backups.ts';

/** How soon what failed is tried again. */
const RETRY = 5 * MINUTE;
/** A machine that slept, or whose clock was set, is noticed within this time. */
const LONGEST_PAUSE = MINUTE;

interface Dependencies {
  backups: Backups;
  cron: Cron;
  clock: Clock;
  log: Logger;
}

/**
 * Makes backups by a schedule. The existing backups show what is due: a backup that was missed, because nothing ran or
 * because it failed, is made as soon as possible, once.
 */
export class BackupSchedule {
  readonly #deps: Dependencies;
  #failedAt: number | undefined;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Runs until the signal aborts. */
  async run(ended: AbortSignal): Promise<void> {
    const { log, clock, cron } = this.#deps;
    log.info({ next: cron.nextAfter(clock.now()) }, 'backups are made by a schedule');
    while (!ended.aborted) {
      await this.look(ended);
      await pause(this.#untilNextLook(), undefined, { signal: ended }).catch(() => undefined);
    }
  }

  /** Makes a backup if one is due, or the copies of one that are missing. It logs what fails, and never throws. */
  async look(ended?: AbortSignal): Promise<void> {
    const { backups, clock, log } = this.#deps;
    if (this.#failedAt !== undefined && clock.now().getTime() - this.#failedAt < RETRY) return;
    this.#failedAt = undefined;
    const begun = clock.now().getTime();
    try {
      if (await this.#isDue()) this.#note(await backups.make(ended), begun);
      else if (!(await backups.isSpread())) this.#note(await backups.spread(), begun);
    } catch (error) {
      if (ended?.aborted) return;
      this.#failedAt = clock.now().getTime();
      log.error({ err: error, retry_seconds: RETRY / 1000 }, 'the backup failed and will be tried again');
    }
  }

  async #isDue(): Promise<boolean> {
    const { backups, cron, clock } = this.#deps;
    const newest = await backups.newest();
    if (!newest) return true;
    const due = cron.lastAt(clock.now());
    return due !== null && newest.at < due;
  }

  #note(made: BackupsMade | null, begun: number): void {
    if (!made) return;
    const { log, clock } = this.#deps;
    const { name, places, deleted, report } = made;
    const facts = report ? { tables: report.tables, files: report.files, moment: report.moment } : {};
    const seconds = Math.round((clock.now().getTime() - begun) / 1000);
    log.info({ name, places, deleted, seconds, ...facts }, report ? 'a backup was made' : 'a backup was copied');
  }

  #untilNextLook(): number {
    const { cron, clock } = this.#deps;
    const now = clock.now();
    const next = cron.nextAfter(now);
    return next ? Math.min(LONGEST_PAUSE, Math.max(0, next.getTime() - now.getTime()) + 50) : LONGEST_PAUSE;
  }
}
