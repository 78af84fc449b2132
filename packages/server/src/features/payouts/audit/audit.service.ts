import { jobKind } from '#platform/jobs/job.ts';
import type { Logger } from '#platform/log.ts';
import type { Metrics } from '#platform/metrics/metrics.ts';
import type { Seals } from '../seal/seals.service.ts';
import type { PayoutsDb } from '../tables.ts';
import { countDifferences, developersAfter, differencesOf, noteDifferences } from './audit.queries.ts';

export const payoutAuditJob = jobKind({
  name: 'payout-audit',
  cron: '40 3 * * *',
  retryLimit: 2,
  retryDelay: 300,
  expireInSeconds: 4 * 3600,
});

interface Dependencies {
  db: PayoutsDb;
  log: Logger;
  metrics: Metrics;
  seals: Seals;
}

const PAGE = 200;

/** Counts statements anew and compares. It reports what differs, to both sides too, and never repairs anything. */
export class PayoutAudit {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    const { db, metrics } = deps;
    metrics.measured(
      {
        name: 'tonerow_statement_differences',
        help: 'Payout statements that differed from the ledger when the nightly audit last counted',
      },
      async () => [[{}, await countDifferences(db)]],
      60_000,
    );
  }

  /** The job. @returns the number of statements that differ. */
  async run(): Promise<number> {
    const { db } = this.#deps;
    let total = 0;
    let last: string | null = null;
    for (;;) {
      const page = await developersAfter(db, last, PAGE);
      for (const developerId of page) {
        await this.#seal(developerId);
        total += await this.#compare(developerId);
      }
      last = page.at(-1) ?? null;
      if (page.length < PAGE) return total;
    }
  }

  /** Seals what killed processes have left. What fails stays for the next night, and is compared without its seal. */
  async #seal(developerId: string): Promise<void> {
    const { log, seals } = this.#deps;
    try {
      await seals.seal(developerId);
    } catch (error) {
      log.error({ err: error, developer: developerId }, 'statements could not be sealed');
    }
  }

  async #compare(developerId: string): Promise<number> {
    const { db, log } = this.#deps;
    const found = await differencesOf(db, developerId);
    for (const { id, partnership_id, month, problems } of found) {
      log.error(
        { payout: id, developer: developerId, partnership: partnership_id, month, problems },
        'a payout statement differs from the ledger',
      );
    }
    const words = found.flatMap(({ id, problems }) => (id === null ? [] : { id, words: problems.join(', ') }));
    await noteDifferences(db, developerId, words);
    return found.length;
  }
}
