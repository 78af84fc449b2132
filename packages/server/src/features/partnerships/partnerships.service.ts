import type { Clock } from '../../platform/clock.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { invalidField } from '../../platform/errors.ts';
import { nameKey } from '../../platform/name-key.ts';
import type { Random } from '../../platform/random.ts';

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

  /** @throws {AppError} invalid_request when the partnership is not this developer's, or has ended. */
  async assertOwned(sql: Sql, developerId: string, id: string): Promise<string> {
    const rows = await sql.query(
      "select id from partnerships where id = $1 and developer_id = $2 and status <> 'ended'",
      [id, developerId],
    );
    if (rows.length === 0) throw invalidField('reseller_id', 'Reseller not found.');
    return id;
  }

  /** The reseller of this name, made when there is none. Two calls at once make one. An ended one stays ended. */
  async findOrCreate(sql: Sql, developerId: string, name: string): Promise<{ id: string; ended: boolean }> {
    const [row] = await sql.query<{ id: string; ended: boolean }>(
      `insert into partnerships as p (id, developer_id, name, name_key, status, created_at)
       values ($1, $2, $3, $4, 'named', $5)
       on conflict (developer_id, name_key) do update set name_key = excluded.name_key
       returning id, status = 'ended' as ended`,
      [this.#deps.random.id(), developerId, name, nameKey(name), this.#deps.clock.now()],
    );
    return row as { id: string; ended: boolean };
  }
}
