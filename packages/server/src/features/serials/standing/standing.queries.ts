import { type Expression, sql } from 'kysely';
import type { CustomerStanding, RowStanding, Standing } from '#features/customers';
import { planOf, unitCentsOf } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { DOWNLOAD_LIMIT } from '../redeemed/download-count.ts';
import { WITH_BATCH } from '../rules/rows.ts';
import { tables } from '../tables.ts';
import { lastingRefusals, type StandingFacts, standingOf, standingOfAll, type Viewer } from './standing.ts';

/** As long as refusals are kept. */
const REFUSALS_FOR = 7 * DAY;

type Row = StandingFacts & Columns<'users', 'plan'>;

/**
 * The facts behind the standing of matching serials `s`. A refusal is settled when its machine was seen with this serial afterwards,
 * a refused redemption when a file was downloaded or the serial got another owner.
 *
 * Refusals and events are read once for all of the serials: their keys begin with the account, and for one that the statistics don't
 * know yet, PostgreSQL would look through all that the account has, for each serial again.
 */
const factsOf = (developerId: string, since: Date, which: Expression<unknown>) => sql<Row>`
  with page as materialized (
    select s.id, s.code, b.product_id, p.name as product_name, s.revoked_at, s.redeemed_at, s.handed_out_at, b.promo_start, b.expires_at,
      p.is_draft, p.deleted_at is not null as product_deleted, u.deleted_at is not null as developer_deleted, s.download_count,
      s.download_count >= ${sql.lit(DOWNLOAD_LIMIT)} as at_limit, s.seats_used,
      coalesce(s.max_activations, p.max_activations) as max_activations, u.plan
    from serials s ${WITH_BATCH} join users u on u.id = s.developer_id
    where s.developer_id = ${developerId} and ${which}
  ), refusal as materialized (
    -- what settles the last one of a machine settles those before it
    select distinct on (r.serial_id, r.action, r.machine) r.id, r.serial_id, r.at, r.status, r.action, r.machine
    from license_refusals r
    where r.developer_id = ${developerId} and r.serial_id = any(array(select id from page)) and r.at > ${since}
      and r.status = any(${lastingRefusals}::text[])
    order by r.serial_id, r.action, r.machine, r.at desc, r.id desc
  ), used as materialized (
    select e.serial_id, max(e.happened_at) as at, max(e.happened_at) filter (where e.kind = 'downloaded') as downloaded_at
    from serial_events e
    where e.developer_id = ${developerId} and e.kind in ('downloaded', 'transferred') and e.serial_id = any(array(
      select id from page where at_limit union all select serial_id from refusal where action = 'redeem'))
    group by 1
  ), refused as materialized (
    select distinct on (r.serial_id) r.serial_id, r.at, r.status from refusal r left join used on used.serial_id = r.serial_id
    where not (r.action = 'redeem' and coalesce(used.at >= r.at, false)) and not exists (
      select 1 from activations a where a.developer_id = ${developerId} and a.serial_id = r.serial_id
        and left(a.machine_id, length(r.machine)) = r.machine and a.released_at is null and a.last_seen_at >= r.at)
    order by r.serial_id, r.at desc, r.id desc
  )
  select s.*, refused.at as refused_at, refused.status as refused_status,
    case when s.at_limit then used.downloaded_at end as limit_since,
    case when s.seats_used >= s.max_activations then (select max(a.created_at) from activations a
      where a.developer_id = ${developerId} and a.serial_id = s.id and a.released_at is null) end as seats_since
  from page s left join refused on refused.serial_id = s.id left join used on used.serial_id = s.id
  order by s.redeemed_at desc, s.id desc`;

/** The standing of a developer's serials and customers. */
export class Standings {
  readonly #clock: Clock;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** A serial's standing, and the current price of setting its downloads back, in cents. */
  async ofSerial(
    handle: Sql,
    caller: Principal,
    id: string,
  ): Promise<{ standing: Standing; refreshCents: number } | undefined> {
    const [row] = await this.#read(handle, caller, sql`s.id = ${id}`);
    if (!row) return undefined;
    const viewer = this.#viewer(caller, row);
    return { standing: standingOf(row, viewer), refreshCents: row.download_count > 0 ? viewer.resetCents : 0 };
  }

  async ofSerials(handle: Sql, caller: Principal, ids: string[]): Promise<ReadonlyMap<string, RowStanding>> {
    return this.#each(caller, await this.#read(handle, caller, sql`s.id = any(${ids}::uuid[])`));
  }

  /** @param most of the newest serials; null for all. */
  async ofCustomer(handle: Sql, caller: Principal, id: string, most: number | null): Promise<CustomerStanding> {
    const newest = sql`s.customer_id = ${id} order by s.redeemed_at desc, s.id desc ${most === null ? sql`` : sql`limit ${most}`}`;
    const rows = await this.#read(handle, caller, newest);
    return { whole: standingOfAll(rows, this.#viewer(caller, rows[0])), serials: this.#each(caller, rows) };
  }

  #each(caller: Principal, rows: Row[]): Map<string, RowStanding> {
    return new Map(
      rows.map((row) => {
        const { code, message, since } = standingOf(row, this.#viewer(caller, row));
        return [row.id, { code, message, since }];
      }),
    );
  }

  async #read(handle: Sql, caller: Principal, which: Expression<unknown>): Promise<Row[]> {
    const since = new Date(this.#clock.now().getTime() - REFUSALS_FOR);
    const { rows } = await factsOf(caller.accountId, since, which).execute(tables.in(handle));
    return rows;
  }

  #viewer(caller: Principal, row: Row | undefined): Viewer {
    const resetCents = row ? unitCentsOf(planOf(row.plan)) : 0;
    return { now: this.#clock.now(), timeZone: caller.timeZone, resetCents };
  }
}
