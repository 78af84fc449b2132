import type { Readable } from 'node:stream';
import type { Principal } from '#platform/access/access.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Exports } from '#platform/spool/exports.ts';
import { type DrawFilter, drawsExport, findDrawRecord, listDraws } from './draw-lists.queries.ts';
import type { DrawRecord, DrawState } from './draws.schemas.ts';
import type { DrawsDb } from './tables.ts';

interface Dependencies {
  db: DrawsDb;
  exports: Exports;
}

interface ListQuery {
  state?: DrawState | undefined;
  product_id?: string | undefined;
  developer_id?: string | undefined;
  search?: string | undefined;
}

/** A reseller's draws, with the state of their codes: the reseller's own record, in every status of the partnership. */
export class DrawLists {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  async list(caller: Principal, query: ListQuery & { cursor?: string | undefined; limit: number; count: boolean }) {
    const after = decodeIdCursor(query.cursor);
    const { rows, total } = await listDraws(
      this.#deps.db,
      filterOf(caller, query),
      after,
      query.limit + 1,
      query.count,
    );
    const page = pageOf(rows, query.limit);
    return { ...page, total: total ?? page.rows.length };
  }

  export(caller: Principal, query: ListQuery, signal: AbortSignal): Promise<Readable> {
    const { db, exports } = this.#deps;
    const order = () => drawsExport(db, filterOf(caller, query), caller.timeZone);
    return exports.open(caller.accountId, order, signal);
  }

  /** @throws {AppError} not_found */
  async get(caller: Principal, reference: string): Promise<DrawRecord> {
    const draw = await findDrawRecord(this.#deps.db, caller.accountId, reference);
    if (!draw) throw notFound('Draw');
    return draw;
  }
}

function filterOf(caller: Principal, query: ListQuery): DrawFilter {
  return {
    resellerId: caller.accountId,
    state: query.state,
    productId: query.product_id,
    developerId: query.developer_id,
    search: query.search || undefined,
  };
}
