import type { Clock } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { invalidField } from '#platform/errors.ts';
import type { Random } from '#platform/random.ts';
import { nameKey } from '#platform/text/name-key.ts';
import { tables } from './tables.ts';

interface Dependencies {
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
  async assertOwned(handle: Sql, developerId: string, id: string): Promise<string> {
    const found = await heldAsItIs(handle, developerId, id);
    if (found?.merged_into) return this.assertOwned(handle, developerId, found.merged_into);
    if (!found || found.status === 'ended') throw invalidField('reseller_id', 'Reseller not found.');
    return id;
  }

  /**
   * The reseller of this name, made when there is none; for one that has become part of another, that one. Two calls at
   * once make one. An ended one stays ended.
   * @param importId of the import that names it
   */
  async findOrCreate(
    handle: Sql,
    developerId: string,
    name: string,
    importId: string | null = null,
  ): Promise<{ id: string; ended: boolean }> {
    const { random, clock } = this.#deps;
    const key = nameKey(name);
    const found = await tables
      .in(handle)
      .insertInto('partnerships')
      .values({
        id: random.id(),
        developer_id: developerId,
        name,
        name_key: key,
        status: 'named',
        created_at: clock.now(),
        import_id: importId,
      })
      .onConflict((on) => on.columns(['developer_id', 'name_key']).doUpdateSet({ name_key: key }))
      .returning(['id', 'status', 'merged_into'])
      .executeTakeFirstOrThrow();
    const home = found.merged_into ? await heldAsItIs(handle, developerId, found.merged_into) : found;
    if (!home) throw new Error('a partnership has become part of one that is not there');
    return { id: home.id, ended: home.status === 'ended' };
  }
}

/** Locks a partnership: until the transaction ends, it is neither deleted nor merged into another. */
const heldAsItIs = (handle: Sql, developerId: string, id: string) =>
  tables
    .in(handle)
    .selectFrom('partnerships')
    .select(['id', 'status', 'merged_into'])
    .where('id', '=', id)
    .where('developer_id', '=', developerId)
    .forKeyShare()
    .executeTakeFirst();
