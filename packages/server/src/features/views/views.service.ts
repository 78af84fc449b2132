import type { Principal } from '#platform/access/access.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { AppError, notFound, violatedConstraint } from '#platform/errors.ts';
import { nameKey } from '#platform/text/name-key.ts';
import type { ChangeViewBody, CreateViewBody, View } from './views.schemas.ts';

/** Of one account. */
const MOST = 50;

const COLUMNS = 'id, list, name, filter, hidden_columns, created_at';

/** Views of lists, which follow a person from browser to browser and to the terminal. */
export class SavedViews {
  readonly #db: Database;
  readonly #clock: Clock;

  constructor(deps: { db: Database; clock: Clock }) {
    this.#db = deps.db;
    this.#clock = deps.clock;
  }

  async list(caller: Principal, list: string | undefined): Promise<{ views: View[] }> {
    const views = await this.#db.query<View>(
      `select ${COLUMNS} from saved_views where user_id = $1 and ($2::text is null or list = $2) order by list, name_key`,
      [caller.userId, list ?? null],
    );
    return { views };
  }

  /** @throws {AppError} name_taken; domain_rule when the account has as many as it may have. */
  async create(caller: Principal, id: string, body: CreateViewBody): Promise<View> {
    return this.#named(body.name, () =>
      this.#db.transaction(async (tx) => {
        // those who count wait for each other
        await tx.query('select 1 from users where id = $1 for no key update', [caller.userId]);
        const [again] = await this.#find(tx, caller, id);
        if (again) return again;
        const [has] = await tx.query<{ n: number }>('select count(*)::int as n from saved_views where user_id = $1', [
          caller.userId,
        ]);
        if ((has?.n ?? 0) >= MOST)
          throw new AppError('domain_rule', `An account has at most ${MOST} views. Delete one.`);
        const [view] = await tx.query<View>(
          `insert into saved_views (id, user_id, list, name, name_key, filter, hidden_columns, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${COLUMNS}`,
          [
            id,
            caller.userId,
            body.list,
            body.name,
            nameKey(body.name),
            JSON.stringify(body.filter),
            body.hidden_columns,
            this.#clock.now(),
          ],
        );
        return view as View;
      }),
    );
  }

  /** @throws {AppError} not_found; name_taken. */
  async change(caller: Principal, id: string, { name, filter, hidden_columns }: ChangeViewBody): Promise<View> {
    return this.#named(name ?? '', async () => {
      const [view] = await this.#db.query<View>(
        `update saved_views set name = coalesce($3, name), name_key = coalesce($4, name_key),
           filter = coalesce($5::jsonb, filter), hidden_columns = coalesce($6::text[], hidden_columns)
         where user_id = $1 and id = $2 returning ${COLUMNS}`,
        [
          caller.userId,
          id,
          name ?? null,
          name === undefined ? null : nameKey(name),
          filter ? JSON.stringify(filter) : null,
          hidden_columns ?? null,
        ],
      );
      if (!view) throw notFound('View');
      return view;
    });
  }

  /** @throws {AppError} not_found */
  async remove(caller: Principal, id: string): Promise<void> {
    const gone = await this.#db.query('delete from saved_views where user_id = $1 and id = $2 returning id', [
      caller.userId,
      id,
    ]);
    if (gone.length === 0) throw notFound('View');
  }

  /** Those of accounts that were deleted. */
  async forgetDeleted(): Promise<void> {
    await this.#db.query('delete from saved_views v using users u where u.id = v.user_id and u.deleted_at is not null');
  }

  #find(sql: Sql, caller: Principal, id: string): Promise<View[]> {
    return sql.query<View>(`select ${COLUMNS} from saved_views where user_id = $1 and id = $2`, [caller.userId, id]);
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
