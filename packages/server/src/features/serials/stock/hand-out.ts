import { forSale, OPEN, UNUSED } from '../rules/availability-rules.ts';

// For draws. Which codes go, and that no code goes twice, is decided here, by the rows of the serials; what is recorded
// about it is the caller's, in the same statement.

/** What the statement of {@link handOutStatement} answers: a row for each serial; one without serials when there are none. */
export interface HandedOut {
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
  draw_id: string | null;
  serial_id: string | null;
  batch_id: string | null;
  code: string | null;
  expires_at: Date | null;
}

/** How many codes one statement hands out at the most. A number that the planner knows keeps it from reading whole tables. */
export const MOST_AT_ONCE = 200;

interface HandOut {
  /**
   * Adds the caller's record of each draw, by the ids in $7 and the quantities in $8, when `seen.enough`; returns the
   * `id` and `quantity` of those that it didn't have already. It comes before any lock, so that two equal requests wait
   * for each other holding nothing.
   */
  claim: string;
  /** Adds the caller's record of each serial, from `taken` (developer_id, id, code, expires_at, draw_id). */
  note: string;
  /** Another condition on the batches that it takes from: `b`, of the product `p`. */
  only?: string;
  /** What happens to serials that somebody else holds at this moment. */
  locked: 'skip' | 'wait';
  /**
   * For a statement that is a transaction by itself. It hands serials out only where nothing else has to be done, that is
   * where no threshold can be crossed, and fails ({@link FEWER_THAN_CLAIMED}) where it would have to be rolled back.
   */
  alone?: {
    /** What it tells, a query over `wanted`. */
    tells: string;
    /**
     * Two arrays: batches, and of each the serial that it is read from. What was handed out lately is in the index until
     * the next vacuum, and each draw would read past all of it. What was returned before that place is not found.
     */
    from: [batches: string, serials: string];
  };
}

const FIRST_ID = "'00000000-0000-0000-0000-000000000000'::uuid";

/** The state of the error with which a statement fails that could not lock all that was claimed: its own division by zero. */
export const FEWER_THAN_CLAIMED = '22012';

/**
 * The statement that hands serials of one reseller's pool out, for one draw or for several: all that are claimed, or
 * none. First those whose batch has to be redeemed by the earliest date, then those of the oldest batch.
 *
 * Parameters: $1 developer, $2 partnership, $3 product, $4 batch tag or null, $5 now, $6 how many codes in all, $7 ids of
 * the draws, $8 how many codes of each; the caller's own follow. The product's row is locked, so that it can't be deleted
 * in between, and the partnership's, so that no codes go out after a pause or its end. Serials are read in the order of their index, never past what is gone already.
 */
export const handOutStatement = ({ claim, note, only, locked, alone }: HandOut): string => `
  with pool as materialized (
    select b.developer_id, b.id, b.expires_at, t.low_stock_threshold, u.low_serials_threshold${alone ? `, coalesce(place.serial_id, ${FIRST_ID}) as from_id` : ''}
    from batches b join partnerships t on (t.developer_id, t.id) = (b.developer_id, b.partnership_id)
      join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) join users u on u.id = b.developer_id
      ${alone ? `left join unnest(${alone.from[0]}::uuid[], ${alone.from[1]}::uuid[]) place (batch_id, serial_id) on place.batch_id = b.id` : ''}
    where b.developer_id = $1 and b.partnership_id = $2 and b.product_id = $3 and ($4::text is null or b.batch_tag = $4)
      and t.status = 'active' and ${forSale('$5')}${only ? ` and ${only}` : ''}
    for key share of p for share of t
  ), most as materialized (
    -- what is left in the pool is left of the product: with more than its threshold, nobody has to count that again
    select $6::int + coalesce(max(low_serials_threshold), 0) as n from pool
  ), seen as materialized (
    select count(*) as n, ${alone ? 'count(*) >= (select n from most) and not exists (select 1 from pool where low_stock_threshold is not null)' : 'count(*) >= $6'} as enough from (
      select 1 from pool b cross join lateral (
          select 1 from serials s where (s.developer_id, s.batch_id) = (b.developer_id, b.id) and ${OPEN}${alone ? ' and s.id > b.from_id' : ''}
          order by s.id limit (select n from most)
        ) s
      limit (select n from most)
    ) few
  ), claim as (${claim}), wanted as materialized (
    select coalesce(sum(quantity), 0)::int as n from claim
  ), picked as materialized (
    select row_number() over () as place, x.developer_id, x.id, x.expires_at from (
      select s.developer_id, s.id, b.expires_at
      from (select pool.* from pool order by pool.expires_at nulls last, pool.id offset 0) b
        cross join lateral (
          select s.developer_id, s.id from serials s
          where s.developer_id = b.developer_id and s.batch_id = b.id and ${OPEN}${alone ? ' and s.id > b.from_id' : ''}
          order by s.id limit ${MOST_AT_ONCE} for no key update${locked === 'skip' ? ' skip locked' : ''}
        ) s
      limit (select n from wanted)
    ) x limit ${MOST_AT_ONCE}
  ), shares as materialized (
    select id, sum(quantity) over (order by id) - quantity as after, sum(quantity) over (order by id) as up_to from claim
  ), taken as (
    update serials s set handed_out_at = $5, draw_id = shares.id
    from picked join shares on picked.place > shares.after and picked.place <= shares.up_to
    where (s.developer_id, s.id) = (picked.developer_id, picked.id)
      and (select count(*) from picked) = (select n from wanted)
    returning s.developer_id, s.id, s.batch_id, s.code, picked.expires_at, s.draw_id
  ), noted as (${note})${alone ? `, told as materialized (${alone.tells})` : ''}
  select${alone ? ' (select count(*) from told) as told, 1 / case when (select count(*) from picked) < wanted.n then 0 else 1 end as all_picked,' : ''} least(seen.n, $6) as open, seen.n >= most.n as plenty, wanted.n as wanted, (select count(*) from picked) as picked,
    (select low_stock_threshold from pool limit 1) as low_stock_threshold, taken.draw_id,
    taken.id as serial_id, taken.batch_id, taken.code, taken.expires_at
  from seen cross join most cross join wanted left join taken on true order by taken.id`;

/**
 * The statement that takes handed-out serials of one draw back into stock, unless they were redeemed or revoked.
 * Parameters: $1 developer, $2 the draw's id, $3 ids of serials; the caller's own follow.
 * @param note changes the caller's record of each serial, from `back` (developer_id, id).
 */
export const takeBackStatement = (note: string): string => `
  with back as (
    update serials s set handed_out_at = null, draw_id = null
    where s.developer_id = $1 and s.draw_id = $2 and s.id = any($3) and ${UNUSED} returning s.developer_id, s.id
  ), noted as (${note})
  select id from back`;
