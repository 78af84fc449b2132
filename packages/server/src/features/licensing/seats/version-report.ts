import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { csvLine } from '#platform/csv/write.ts';
import { dayOf, plusDays } from '#platform/time/days.ts';
import type { LicensingDb } from '../tables.ts';
import { machineFigures, versionFigures, versionLines } from './machines.queries.ts';
import type { VersionQuery, VersionReport } from './machines.schemas.ts';

/** A machine that was not seen in so many days is not in use. */
const ACTIVE_DAYS = 30;

/** Versions in use, by system. Figures are from sums, and up to a minute behind what plugins report. */
export class VersionsInUse {
  readonly #db: LicensingDb;
  readonly #clock: Clock;

  constructor(deps: { db: LicensingDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async machines(caller: Principal, product: string | null) {
    const since = this.#since(ACTIVE_DAYS);
    return {
      ...(await machineFigures(this.#db, { developerId: caller.accountId, product, since })),
      time_zone: caller.timeZone,
    };
  }

  /** One product's machines, and the systems of each version. */
  async ofProduct(developerId: string, product: string) {
    const question = { developerId, product, since: this.#since(ACTIVE_DAYS) };
    const [machines, { pairs }] = await Promise.all([
      machineFigures(this.#db, question),
      versionFigures(this.#db, question),
    ]);
    return {
      ...machines,
      versions: machines.versions.map(({ version, count }) => ({
        version,
        count,
        systems: pairs.filter((pair) => pair.version === version).map((pair) => ({ os: pair.os, count: pair.count })),
      })),
    };
  }

  async report(caller: Principal, { product_id: product = null, days }: QueryOf): Promise<VersionReport> {
    const since = this.#since(days);
    return { days, since, ...(await versionFigures(this.#db, { developerId: caller.accountId, product, since })) };
  }

  async csv(caller: Principal, { product_id: product = null, days }: QueryOf): Promise<string> {
    const question = { developerId: caller.accountId, product, since: this.#since(days) };
    const lines = await versionLines(this.#db, question);
    return [['Version', 'Operating system', 'Activations'], ...lines.map((row) => [row.version, row.os, row.count])]
      .map(csvLine)
      .join('');
  }

  #since(days: number): string {
    return plusDays(dayOf(this.#clock.now(), 'UTC'), 1 - days);
  }
}

type QueryOf = Omit<VersionQuery, 'product_id'> & { product_id?: string | null | undefined };
