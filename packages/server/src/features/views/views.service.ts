import { sql } from 'kysely';
import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import { json } from '#platform/db/work.ts';
import { AppError, notFound, violatedConstraint } from '#platform/errors.ts';
import { nameKey } from '#platform/text/name-key.ts';
import type { ViewsDb } from './tables.ts';
import type { ChangeViewBody, CreateViewBody, View } from './views.schemas.ts';

/** The most views of one account. */
const MOST = 50;

const COLUMNS = ['id', 'list', 'name', 'filter', 'hidden_columns', 'created_at'] as const;

/** Views of lists, which follow a person from browser to browser and to the terminal. */
export class SavedViews {
  readonly #db: ViewsDb;
  readonly #clock: Clock;

  constructor(deps: { db: ViewsDb; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async list(caller: Principal, list: View['list'] | undefined): Promise<{ views: View[] }> {
    const views = await this.#db
      .selectFrom('saved_views')
      .select(COLUMNS)
      .where('user_id', '=', caller.accountId)
      .$if(list !== undefined, (all) => all.where('list', '=', list as View['list']))
      .orderBy('list')
      .orderBy('name_key')
      .execute();
    return { views };
  }

  /** @throws {AppError} name_taken; domain_rule when the account has as many as it may have. */
  async create(caller: Principal, id: string, body: CreateViewBody): Promise<View> {
    return this.#named(body.name, () =>
      this.#db.work({ tx: true }, async (tx) => {
        // those who count wait for each other
        await tx.selectFrom('users').select('id').where('id', '=', caller.accountId).forNoKeyUpdate().execute();
        const own = tx.selectFrom('saved_views').where('user_id', '=', caller.accountId);
        const again = await own.select(COLUMNS).where('id', '=', id).executeTakeFirst();
        if (again) return again;
        const has = await own.select((eb) => eb.fn.countAll<number>().as('n')).executeTakeFirstOrThrow();
        if (has.n >= MOST) throw new AppError('domain_rule', `An account has at most ${MOST} views. Delete one.`);
        return tx
          .insertInto('saved_views')
          .values({
            id,
            user_id: caller.accountId,
            list: body.list,
            name: body.name,
            name_key: nameKey(body.name),
            filter: json(body.filter),
            hidden_columns: body.hidden_columns,
            created_at: this.#clock.now(),
          })
          .returning(COLUMNS)
          .executeTakeFirstOrThrow();
      }),
    );
  }

  /** @throws {AppError} not_found; name_taken. */
  async change(caller: Principal, id: string, { name, filter, hidden_columns }: ChangeViewBody): Promise<View> {
    return this.#named(name ?? '', async () => {
      const view = await this.#db
        .updateTable('saved_views')
        .set({ name, name_key: name && nameKey(name), filter: filter && json(filter), hidden_columns })
        .where('user_id', '=', caller.accountId)
        .where('id', '=', id)
        .returning(COLUMNS)
        .executeTakeFirst();
      if (!view) throw notFound('View');
      return view;
    });
  }

  /** @throws {AppError} not_found */
  async remove(caller: Principal, id: string): Promise<void> {
    const deleted = await this.#db
      .deleteFrom('saved_views')
      .where('user_id', '=', caller.accountId)
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!deleted) throw notFound('View');
  }

  /** Those of accounts that were deleted. */
  async forgetDeleted(): Promise<void> {
    await sql`delete from saved_views v using users u where u.id = v.user_id and u.deleted_at is not null`.execute(
      this.#db,
    );
  }

  async #named<T>(name: string, act: () => Promise<T>): Promise<T> {
    try {
      return await act();
    } catch (error) {
      if (violatedConstraint(error) !== 'saved_views_name_unique') throw error;
      throw new AppError('name_taken', `This list has a view "${name}" already.`);
    }
  }
}
