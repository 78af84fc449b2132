import type { Principal } from '../../platform/access/access.ts';
import type { Database } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { findDeveloper, listDevelopers, publishedProducts } from './developers.queries.ts';
import type { ListDevelopersQuery, PartnerDeveloper, PartnerDeveloperProfile } from './partnerships.schemas.ts';
import { historyOf } from './resellers.queries.ts';

/** The developers that a reseller sells for. */
export class PartnerDevelopers {
  readonly #db: Database;

  constructor({ db }: { db: Database }) {
    this.#db = db;
  }

  list(caller: Principal, query: ListDevelopersQuery): Promise<PartnerDeveloper[]> {
    return listDevelopers(this.#db, caller.userId, query);
  }

  /** @throws {AppError} not_found unless the two are partners, paused or not. */
  async get(caller: Principal, developerId: string): Promise<PartnerDeveloperProfile> {
    const developer = await findDeveloper(this.#db, caller.userId, developerId);
    if (!developer) throw notFound('Developer');
    return {
      ...developer,
      products: developer.status === 'active' ? await publishedProducts(this.#db, developerId) : [],
      history: await historyOf(this.#db, developerId, developer.partnership_id),
    };
  }
}
