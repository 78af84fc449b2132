import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { invalidField } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { nameKey } from '#platform/text/name-key.ts';

interface Dependencies {
  db: Database;
  clock: Clock;
  random: Random;
}

/** The partnerships that serials belong to. */
export class Partnerships {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /**
   * The partnership to which serials are given: for one that has become part of another, that one. Until the transaction
   * ends it does not become part of another.
   * @throws {AppError} invalid_request when the partnership is not this developer's, or has ended.
   */
  async assertOwned(sql: Sql, developerId: string, id: string): Promise<string> {
    const [found] = await sql.query<{ status: string; merged_into: string | null }>(
      'select status, merged_into from partnerships where id = $1 and developer_id = $2 for key share',
      [id, developerId],
    );
    if (found?.merged_into) return this.assertOwned(sql, developerId, found.merged_into);
    if (!found || found.status === 'ended') throw invalidField('reseller_id', 'Reseller not found.');
    return id;
  }

  /**
   * The reseller of this name, made when there is none; for one that has become part of another, that one. Two calls at
   * once make one. An ended one stays ended.
   */
  async findOrCreate(sql: Sql, developerId: string, name: string): Promise<{ id: string; ended: boolean }> {
    const [row] = await sql.query<{ id: string; ended: boolean; merged_into: string | null }>(
      `insert into partnerships as p (id, developer_id, name, name_key, status, created_at)
       values ($1, $2, $3, $4, 'named', $5)
       on conflict (developer_id, name_key) do update set name_key = excluded.name_key
       returning id, status = 'ended' as ended, merged_into`,
      [this.#deps.random.id(), developerId, name, nameKey(name), this.#deps.clock.now()],
    );
    const { merged_into, ...found } = row as { id: string; ended: boolean; merged_into: string | null };
    if (!merged_into) return found;
    const [home] = await sql.query<{ id: string; ended: boolean }>(
      "select id, status = 'ended' as ended from partnerships where developer_id = $1 and id = $2 for key share",
      [developerId, merged_into],
    );
    return home as { id: string; ended: boolean };
  }
}
