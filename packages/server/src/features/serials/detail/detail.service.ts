import type { Principal } from '#platform/access/access.ts';
import { mayRead } from '#platform/access/kinds.ts';
import type { Sql } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { decodeHappenedCursor, pageOf, placeOf } from '#platform/http/answers/cursor.ts';
import { toDollars } from '#platform/money.ts';
import type { Standings } from '../standing/standing.queries.ts';
import type { SerialsDb } from '../tables.ts';
import { findDetail, hasSerial, listHistory, listMachines, machinePlaceOf } from './detail.queries.ts';
import type { SerialDetail } from './detail.schemas.ts';

/** Port: where a developer's customers redeem. */
export type RedeemUrl = (sql: Sql, developerId: string) => Promise<string>;

interface Dependencies {
  db: SerialsDb;
  standings: Standings;
  redeemUrl: RedeemUrl;
}

/** One serial with its owner, its machines and its history. */
export class SerialDetails {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Everything about one serial: its owner, its machines and its history. */
  async get(caller: Principal, id: string): Promise<SerialDetail> {
    const { db, standings, redeemUrl } = this.#deps;
    const [found, stands, page] = await Promise.all([
      findDetail(db, caller.accountId, id),
      standings.ofSerial(db, caller, id),
      redeemUrl(db, caller.accountId),
    ]);
    if (!found || !stands) throw notFound('Serial');
    const people = mayRead(caller, 'people');
    return {
      ...found,
      history: found.history.map(shownTo(caller)),
      standing: stands.standing,
      refresh_cost: toDollars(stands.refreshCents),
      redeem_link: prefilled(page, found.code, people ? found.customer?.email : undefined),
    };
  }

  /** The history of a serial, page by page. @throws {AppError} not_found */
  async history(caller: Principal, id: string, query: { limit: number; cursor?: string | undefined }) {
    const { db } = this.#deps;
    const after = decodeHappenedCursor(query.cursor);
    const rows = await listHistory(db, { developerId: caller.accountId, id }, after, query.limit + 1);
    // each has at least how it was made
    if (rows.length === 0 && !after) throw notFound('Serial');
    const page = pageOf(rows, query.limit, placeOf);
    return { ...page, rows: page.rows.map(shownTo(caller)) };
  }

  /** Its machines, page by page. @throws {AppError} not_found */
  async machines(caller: Principal, id: string, query: { limit: number; cursor?: string | undefined }) {
    const { db } = this.#deps;
    const after = decodeHappenedCursor(query.cursor);
    if (!(await hasSerial(db, { developerId: caller.accountId, id }))) throw notFound('Serial');
    const rows = await listMachines(db, { developerId: caller.accountId, id }, after, query.limit + 1);
    return pageOf(rows, query.limit, machinePlaceOf);
  }
}

/** Removes the address of a serial's previous owner, for callers that may not read it. */
const shownTo =
  (caller: Principal) =>
  <Event extends { kind: string; detail: string | null }>(event: Event): Event =>
    event.kind === 'transferred' && !mayRead(caller, 'people') ? { ...event, detail: null } : event;

/** The redemption page with the serial, and its owner's address, filled in. */
function prefilled(page: string, code: string, email: string | null | undefined): string {
  const url = new URL(page);
  url.searchParams.set('serial', code);
  if (email) url.searchParams.set('email', email);
  return url.toString();
}
