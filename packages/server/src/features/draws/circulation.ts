import { familyIds } from '#features/partnerships';
import { HANDED_OUT, OPEN } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import type { Database, Sql } from '#platform/db/database.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { percentOf, toDollars } from '#platform/money.ts';
import type { Circulation } from './downloads.schemas.ts';

type Row = Omit<Circulation['rows'][number], 'refunded' | 'refund_rate'> & { refunded_cents: number };
type Totals = Omit<Circulation['totals'], 'refunded' | 'refund_rate'> & { refunded_cents: number };

const of = (condition: string) =>
  `(select count(*) from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${condition})`;

// each count by an index of its own
const COUNTS = `b.quantity as given, ${of(OPEN)} as open, ${of(HANDED_OUT)} as handed_out,
  ${of('s.redeemed_at is not null')} as redeemed, ${of('s.revoked_at is not null')} as revoked,
  coalesce(f.refunds, 0) as refunds, coalesce(f.cents, 0) as refunded_cents`;
/** Refunds `f` by batch; $1 the developer, $2 the partnerships in whose ledger they are. */
const REFUNDS = `refunds as materialized (
  select s.batch_id, count(*)::int as refunds, -sum(x.cents)::bigint as cents from (
    select a.developer_id, a.redemption_id, sum(a.revenue_cents) as cents from ledger_adjustments a
    where a.developer_id = $1 and a.partnership_id = any($2) group by 1, 2 having sum(a.revenue_cents) < 0) x
    join redemptions r on (r.developer_id, r.id) = (x.developer_id, x.redemption_id)
    join serials s on (s.developer_id, s.id) = (r.developer_id, r.serial_id)
  group by 1)`;
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
    const of = { developerId: caller.userId, family: await familyIds(this.#db, caller.userId, partnershipId) };
    const [totals, rows] = await Promise.all([totalsOf(this.#db, of), batchesOf(this.#db, of, after, query.limit + 1)]);
    const page = pageOf(
      rows.map((row) => ({ ...row, id: row.batch_id })),
      query.limit,
    );
    return {
      totals: withRate(totals),
      rows: page.rows.map(({ id: _, ...row }) => withRate(row)),
      next_cursor: page.next_cursor,
    };
  }
}

interface Of {
  developerId: string;
  /** The partnership, and what has become part of it. */
  family: string[];
}

function withRate<Counts extends { redeemed: number; refunds: number; refunded_cents: number }>({
  refunded_cents,
  ...row
}: Counts) {
  const { redeemed, refunds } = row;
  return { ...row, refunded: toDollars(refunded_cents), refund_rate: percentOf(refunds, redeemed) };
}

async function batchesOf(sql: Sql, { developerId, family }: Of, after: string | null, limit: number) {
  return sql.query<Row>(
    `with ${REFUNDS}
     select b.id as batch_id, b.product_id, p.name as product_name, b.batch_tag, b.created_at, ${COUNTS},
       coalesce((select max(d.codes) from serial_downloads d where ${FILES}), 0) as in_files,
       (select max(d.downloaded_at) from serial_downloads d where ${FILES}) as downloaded_at
     from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id)
       left join refunds f on f.batch_id = b.id
     where b.developer_id = $1 and b.partnership_id = any($2) and ($3::uuid is null or b.id < $3)
     order by b.id desc limit $4`,
    [developerId, family, after, limit],
  );
}

async function totalsOf(sql: Sql, { developerId, family }: Of): Promise<Totals> {
  const sums = ['given', 'open', 'handed_out', 'redeemed', 'revoked', 'refunds'].map(
    (name) => `coalesce(sum(each.${name}), 0)::int as ${name}`,
  );
  const [totals] = await sql.query<Totals>(
    `with ${REFUNDS}
     select ${sums.join(', ')}, coalesce(sum(each.refunded_cents), 0)::bigint as refunded_cents from (
       select ${COUNTS} from batches b left join refunds f on f.batch_id = b.id
       where b.developer_id = $1 and b.partnership_id = any($2)) each`,
    [developerId, family],
  );
  return totals as Totals;
}
