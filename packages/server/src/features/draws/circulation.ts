import { type RawBuilder, sql } from 'kysely';
import { familyIds } from '#features/partnerships';
import { HANDED_OUT, OPEN } from '#features/serials';
import type { Principal } from '#platform/access/access.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { notFound } from '#platform/errors.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import { percentOf, toDollars } from '#platform/money.ts';
import type { Circulation } from './downloads.schemas.ts';
import type { DrawsDb, DrawsHandle } from './tables.ts';

type Row = Omit<Circulation['rows'][number], 'refunded' | 'refund_rate'> & { refunded_cents: number };
type Totals = Omit<Circulation['totals'], 'refunded' | 'refund_rate'> & { refunded_cents: number };

/** The state of the serials that a developer gave to a reseller, by batch, newest first. */
export class Circulations {
  readonly #db: DrawsDb;

  constructor(deps: { db: DrawsDb }) {
    this.#db = deps.db;
  }

  /** @throws {AppError} not_found for another developer's reseller. */
  async get(
    caller: Principal,
    partnershipId: string,
    query: { limit: number; cursor?: string | undefined },
  ): Promise<Circulation> {
    const known = await this.#db
      .selectFrom('partnerships')
      .select('id')
      .where('developer_id', '=', caller.accountId)
      .where('id', '=', partnershipId)
      .executeTakeFirst();
    if (!known) throw notFound('Reseller');
    const after = decodeIdCursor(query.cursor);
    const of = { developerId: caller.accountId, family: await familyIds(this.#db, caller.accountId, partnershipId) };
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

/** Counts of batch `b` and its refunds `f`; each by an index of its own. */
function counts({ developerId }: Of) {
  const of = (condition: RawBuilder<unknown>) =>
    sql`(select count(*) from serials s where s.developer_id = ${developerId} and s.batch_id = b.id and ${condition})`;
  return sql`b.quantity as given, ${of(OPEN)} as open, ${of(HANDED_OUT)} as handed_out,
    ${of(sql`s.redeemed_at is not null`)} as redeemed, ${of(sql`s.revoked_at is not null`)} as revoked,
    coalesce(f.refunds, 0) as refunds, coalesce(f.cents, 0) as refunded_cents`;
}

/** A part of a WITH: refunds by batch, of the partnerships in whose ledger they are. */
const refunds = ({ developerId, family }: Of) => sql`refunds as materialized (
  select s.batch_id, count(*)::int as refunds, -sum(x.cents)::bigint as cents from (
    select a.developer_id, a.redemption_id, sum(a.revenue_cents) as cents from ledger_adjustments a
    where a.developer_id = ${developerId} and a.partnership_id = any(${family}::uuid[])
    group by 1, 2 having sum(a.revenue_cents) < 0) x
    ${ownJoin('redemptions as r', 'r.id', 'x.redemption_id')}
    ${ownJoin('serials as s', 's.id', 'r.serial_id')}
  where r.developer_id = ${developerId} group by 1)`;

async function batchesOf(handle: DrawsHandle, of: Of, after: string | null, limit: number) {
  const { developerId, family } = of;
  const files = sql`serial_downloads d where d.developer_id = ${developerId} and d.batch_id = b.id`;
  const { rows } = await sql<Row>`
    with ${refunds(of)}
    select b.id as batch_id, b.product_id, p.name as product_name, b.batch_tag, b.created_at, ${counts(of)},
      coalesce((select max(d.codes) from ${files}), 0) as in_files,
      (select max(d.downloaded_at) from ${files}) as downloaded_at
    from batches b ${ownJoin('products as p', 'p.id', 'b.product_id')}
      left join refunds f on f.batch_id = b.id
    where b.developer_id = ${developerId} and b.partnership_id = any(${family}::uuid[]) ${after ? sql`and b.id < ${after}` : sql``}
    order by b.id desc limit ${limit}`.execute(handle);
  return rows;
}

async function totalsOf(handle: DrawsHandle, of: Of): Promise<Totals> {
  const sums = ['given', 'open', 'handed_out', 'redeemed', 'revoked', 'refunds'].map(
    (name) => sql`coalesce(sum(${sql.ref(`each.${name}`)}), 0)::int as ${sql.ref(name)}`,
  );
  const { rows } = await sql<Totals>`
    with ${refunds(of)}
    select ${sql.join(sums)}, coalesce(sum(each.refunded_cents), 0)::bigint as refunded_cents from (
      select ${counts(of)} from batches b left join refunds f on f.batch_id = b.id
      where b.developer_id = ${of.developerId} and b.partnership_id = any(${of.family}::uuid[])) each`.execute(handle);
  return rows[0] as Totals;
}
