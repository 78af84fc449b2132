import { type Expression, sql } from 'kysely';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { isForSale } from '../rules/availability-rules.ts';
import { B, OPEN, P, U, UNUSED } from '../rules/rows.ts';

// Hands out serials for draws. This file decides which codes are handed out, and that none is handed out twice, by the
// rows of the serials. The caller records the draw in the same statement.

/** The answer of {@link handOut}: a row for each serial; one without serials when there are none. */
export interface HandedOut extends Columns<'serials', 'draw_id'>, Columns<'batches', 'expires_at'> {
  /** Open serials of the pool, counted no further than asked for. */
  open: number;
  /** Codes of the claims that went through. */
  wanted: number;
  /** Serials that could be locked. Fewer than wanted: none was taken, and the transaction is to be rolled back. */
  picked: number;
  /** So many are left that the product can't have fallen below the threshold of its developer. */
  plenty: boolean;
  /** Null: nobody is notified when the reseller runs low. */
  low_stock_threshold: number | null;
  serial_id: string | null;
  batch_id: string | null;
  code: string | null;
}

/** How many codes one statement hands out at the most. A number that the planner knows keeps it from reading whole tables. */
export const MOST_AT_ONCE = 200;

/** A value, or its placeholder in a statement that is compiled once. */
type Given<T> = T | Expression<T>;

/** Draws of one reseller from one pool. */
export interface HandOutOrder {
  developerId: Given<string>;
  partnershipId: Given<string>;
  productId: Given<string>;
  batchTag: Given<string | null>;
  now: Given<Date>;
  /** Codes of all draws. */
  quantity: Given<number>;
}

/** The caller's parts of the statement. */
export interface HandOutParts {
  /**
   * Adds the caller's record of each draw when `seen.enough`; returns the `id` and `quantity` of those that it didn't have already. It
   * comes before any lock, so that two equal requests wait for each other holding nothing.
   */
  claim: Expression<unknown>;
  /** Adds the caller's record of each serial, from `taken` (developer_id, id, code, expires_at, draw_id). */
  note: Expression<unknown>;
  /** Another condition on the batches that it takes from: `b`, of the product `p`. */
  only?: Expression<boolean> | undefined;
  /** Whether to skip serials that another transaction holds, or to wait for them. */
  locked: 'skip' | 'wait';
  /**
   * Set for a transaction of one statement and its notices. It hands serials out only where nothing else has to be
   * done: no threshold can be crossed.
   */
  alone?:
    | {
        /**
         * Batches, and of each the serial that it is read from. What was handed out lately is in the index until the next vacuum, and
         * each draw would read past all of it. What was returned before that place is not found.
         */
        from: [batches: Given<readonly string[]>, serials: Given<readonly string[]>];
      }
    | undefined;
}

/**
 * Hands serials of one reseller's pool out, for one draw or for several: all that are claimed, or none. First those whose batch has to
 * be redeemed by the earliest date, then those of the oldest batch.
 *
 * The product's row is locked, so that it can't be deleted in between, and the partnership's, so that no codes go out after a pause or
 * its end. Serials are read in the order of their index, never past what is gone already.
 */
export function handOut(order: HandOutOrder, { claim, note, only, locked, alone }: HandOutParts) {
  const { developerId, partnershipId, productId, batchTag, now, quantity } = order;
  const most = sql.lit(MOST_AT_ONCE);
  const open = sql`s.developer_id = ${developerId} and s.batch_id = b.id and ${OPEN}${alone ? sql` and s.id > b.from_id` : sql``}`;
  const rows = { batch: B, product: P, developer: U };
  return sql<HandedOut>`
  with pool as materialized (select * from (
    select b.developer_id, b.id, b.expires_at, t.low_stock_threshold, u.low_serials_threshold${
      alone ? sql`, coalesce(place.serial_id, '00000000-0000-0000-0000-000000000000'::uuid) as from_id` : sql``
    }
    from batches b ${ownJoin('partnerships as t', 't.id', 'b.partnership_id')}
      ${ownJoin('products as p', 'p.id', 'b.product_id')} join users u on u.id = b.developer_id
      ${
        alone
          ? sql`left join unnest(${alone.from[0]}::uuid[], ${alone.from[1]}::uuid[]) place (batch_id, serial_id) on place.batch_id = b.id`
          : sql``
      }
    where b.developer_id = ${developerId} and b.partnership_id = ${partnershipId} and b.product_id = ${productId}
      and (${batchTag}::text is null or b.batch_tag = ${batchTag})
      and t.status = 'active' and ${isForSale(rows, sql`${now}`)}${only ? sql` and ${only}` : sql``}
    for key share of p for share of t) locked
  ), most as materialized (
    -- what is left in the pool is left of the product: with more than its threshold, nobody has to count that again
    select ${quantity}::int + coalesce(max(low_serials_threshold), 0) as n from pool
  ), seen as materialized (
    select count(*) as n, ${
      alone
        ? sql`count(*) >= (select n from most) and not exists (select 1 from pool where low_stock_threshold is not null)`
        : sql`count(*) >= ${quantity}::int`
    } as enough from (
      select 1 from pool b cross join lateral (
          select 1 from serials s where ${open} order by s.id limit (select n from most)) s
      limit (select n from most)
    ) few
  ), claim as (${claim}), wanted as materialized (
    select coalesce(sum(quantity), 0)::int as n from claim
  ), picked as materialized (
    select row_number() over () as place, x.id, x.expires_at from (
      select s.id, b.expires_at
      from (select pool.* from pool order by pool.expires_at nulls last, pool.id offset 0) b
        cross join lateral (
          select s.id from serials s where ${open} order by s.id limit ${most} for no key update${
            locked === 'skip' ? sql` skip locked` : sql``
          }
        ) s
      limit (select n from wanted)
    ) x limit ${most}
  ), shares as materialized (
    select id, sum(quantity) over (order by id) - quantity as after, sum(quantity) over (order by id) as up_to from claim
  ), taken as (
    update serials s set handed_out_at = ${now}, draw_id = shares.id
    from picked join shares on picked.place > shares.after and picked.place <= shares.up_to
    where s.developer_id = ${developerId} and s.id = picked.id
      and (select count(*) from picked) = (select n from wanted)
    returning s.developer_id, s.id, s.batch_id, s.code, picked.expires_at, s.draw_id
  ), noted as (${note})
  select least(seen.n, ${quantity}::int) as open, seen.n >= most.n as plenty, wanted.n as wanted,
    (select count(*) from picked) as picked, (select low_stock_threshold from pool limit 1) as low_stock_threshold, taken.draw_id,
    taken.id as serial_id, taken.batch_id, taken.code, taken.expires_at
  from seen cross join most cross join wanted left join taken on true order by taken.id`;
}

/**
 * Takes handed-out serials of one draw back into stock, unless they were redeemed or revoked.
 * @param note changes the caller's record of each serial, from `back` (developer_id, id).
 */
export const takeBack = (
  draw: { developerId: Given<string>; drawId: Given<string>; serialIds: Given<readonly string[]> },
  note: Expression<unknown>,
) => sql<Columns<'serials', 'id'>>`
  with back as (
    update serials s set handed_out_at = null, draw_id = null
    where s.developer_id = ${draw.developerId} and s.draw_id = ${draw.drawId} and s.id = any(${draw.serialIds}::uuid[]) and ${UNUSED}
    returning s.developer_id, s.id
  ), noted as (${note})
  select id from back`;
