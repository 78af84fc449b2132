import type { Readable } from 'node:stream';
import type { Principal } from '#platform/access/access.ts';
import { notFound } from '#platform/errors.ts';
import { decodeNameCursor, type Page, pageOf } from '#platform/http/answers/cursor.ts';
import type { Exports } from '#platform/spool/exports.ts';
import {
  type DeveloperFilter,
  developersExport,
  findDeveloper,
  listDevelopers,
  publishedProducts,
} from './developers.queries.ts';
import type { PartnerDeveloper, PartnerDeveloperProfile } from './partnerships.schemas.ts';
import { historyOf } from './resellers.queries.ts';
import type { PartnershipsDb } from './tables.ts';

interface ListQuery extends DeveloperFilter {
  limit: number;
  cursor?: string | undefined;
  count: boolean;
}

/** The developers that a reseller sells for. */
export class PartnerDevelopers {
  readonly #db: PartnershipsDb;
  readonly #exports: Exports;

  constructor({ db, exports }: { db: PartnershipsDb; exports: Exports }) {
    this.#db = db;
    this.#exports = exports;
  }

  async list(
    caller: Principal,
    { limit, cursor, count, ...filter }: ListQuery,
  ): Promise<Page<PartnerDeveloper> & { total: number | null }> {
    const page = { after: decodeNameCursor(cursor), limit: limit + 1, count };
    const { rows, total } = await listDevelopers(this.#db, caller.accountId, filter, page);
    const { next_cursor, rows: shown } = pageOf(rows, limit, (last) => [last.sort_key, last.partnership_id]);
    return { rows: shown.map(({ sort_key, ...row }) => row), next_cursor, total };
  }

  export(caller: Principal, filter: DeveloperFilter, signal: AbortSignal): Promise<Readable> {
    const order = () => developersExport(this.#db, caller.accountId, filter, caller.timeZone);
    return this.#exports.open(caller.accountId, order, signal);
  }

  /** @throws {AppError} not_found unless the two are partners, paused or not. */
  async get(caller: Principal, developerId: string): Promise<PartnerDeveloperProfile> {
    const developer = await findDeveloper(this.#db, caller.accountId, developerId);
    if (!developer) throw notFound('Developer');
    return {
      ...developer,
      ...(developer.status === 'active'
        ? await publishedProducts(this.#db, developerId)
        : { products: [], products_total: 0 }),
      ...(await historyOf(this.#db, developerId, developer.partnership_id)),
    };
  }
}
