import type { Principal } from '../../platform/access/access.ts';
import type { Database, Sql } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors.ts';
import { decodeIdCursor, pageOf } from '../../platform/http/cursor.ts';
import { HANDED_OUT, OPEN } from '../serials/index.ts';
import type { Circulation } from './downloads.schemas.ts';

type Row = Circulation['rows'][number];

const of = (condition: string) =>
  `(select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${condition})`;

// each count by an index of its own
const COUNTS = `b.quantity as given, ${of(OPEN)} as open, ${of(HANDED_OUT)} as handed_out,
  ${of('s.redeemed_at is not null')} as redeemed, ${of('s.revoked_at is not null')} as revoked`;
const FILES = '(d.developer_id, d.batch_id) = (b.developer_id, b.id)';

/** The state of the serials that a developer gave to a reseller, by batch, newest first. */
export class Circulations {
  readonly #db: Database;

  constructor(deps: { db: Database }) {
    this.#db = deps.db;
  }

  /** @throws {AppError} not_found for another developer's reseller. */
  async get(
    caller: Principal,
    partnershipId: string,
    query: { limit: number; cursor?: string | undefined },
  ): Promise<Circulation> {
    const known = await this.#db.query('select 1 from partnerships where developer_id = $1 and id = $2', [
      caller.userId,
      partnershipId,
    ]);
    if (known.length === 0) throw notFound('Reseller');
    const after = decodeIdCursor(query.cursor);
    const [totals, rows] = await Promise.all([
      totalsOf(this.#db, caller.userId, partnershipId),
      batchesOf(this.#db, caller.userId, partnershipId, after, query.limit + 1),
    ]);
    const page = pageOf(
      rows.map((row) => ({ ...row, id: row.batch_id })),
      query.limit,
    );
    return { totals, rows: page.rows.map(({ id: _, ...row }) => row), next_cursor: page.next_cursor };
  }
}

async function batchesOf(sql: Sql, developerId: string, partnershipId: string, after: string | null, limit: number) {
  return sql.query<Row>(
    `select b.id as batch_id, b.product_id, p.name as product_name, b.batch_tag, b.created_at, ${COUNTS},
       coalesce((select max(d.codes) from serial_downloads d where ${FILES}), 0) as in_files,
       (select max(d.downloaded_at) from serial_downloads d where ${FILES}) as downloaded_at
     from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
     where b.developer_id = $1 and b.partnership_id = $2 and ($3::uuid is null or b.id < $3)
     order by b.id desc limit $4`,
    [developerId, partnershipId, after, limit],
  );
}

async function totalsOf(sql: Sql, developerId: string, partnershipId: string): Promise<Circulation['totals']> {
  const sums = ['given', 'open', 'handed_out', 'redeemed', 'revoked'].map(
    (name) => `coalesce(sum(each.${name}), 0)::int as ${name}`,
  );
  const [totals] = await sql.query<Circulation['totals']>(
    `select ${sums.join(', ')} from (
       select ${COUNTS} from batches b where b.developer_id = $1 and b.partnership_id = $2) each`,
    [developerId, partnershipId],
  );
  return totals as Circulation['totals'];
}
