import type { CustomerStanding, RowStanding, Standing } from '#features/customers';
import { planOf, unitCentsOf } from '#features/plans';
import type { Principal } from '#platform/access/access.ts';
import { type Clock, DAY } from '#platform/clock.ts';
import type { Sql } from '#platform/db/database.ts';
import { DOWNLOAD_LIMIT } from '../redeemed/download-count.ts';
import { lastingRefusals, type StandingFacts, standingOf, standingOfAll, type Viewer } from './standing.ts';

/** As long as refusals are kept. */
const REFUSALS_FOR = 7 * DAY;

type Row = StandingFacts & { plan: string };

// a refusal is settled when its machine was seen with this serial afterwards, one of a redemption when a file was downloaded
// or the serial got another owner
const FACTS = `
  select s.id, s.code, b.product_id, p.name as product_name, s.revoked_at, s.redeemed_at, s.handed_out_at, b.promo_start, b.expires_at, p.is_draft,
    p.deleted_at is not null as product_deleted, u.deleted_at is not null as developer_deleted, s.download_count, s.seats_used,
    coalesce(s.max_activations, p.max_activations) as max_activations, u.plan, x.at as refused_at, x.status as refused_status,
    case when s.download_count >= ${DOWNLOAD_LIMIT} then (select max(e.happened_at) from serial_events e
      where (e.developer_id, e.serial_id) = (s.developer_id, s.id) and e.kind = 'downloaded') end as limit_since,
    case when s.seats_used >= coalesce(s.max_activations, p.max_activations) then (select max(a.created_at) from activations a
      where (a.developer_id, a.serial_id) = (s.developer_id, s.id) and a.released_at is null) end as seats_since
  from serials s join batches b on (b.developer_id, b.id) = (s.developer_id, s.batch_id)
    join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) join users u on u.id = s.developer_id
    left join lateral (
      select r.at, r.status from license_refusals r
      where (r.developer_id, r.serial_id) = (s.developer_id, s.id) and r.at > $3 and r.status = any($4)
        and not exists (select 1 from activations a where (a.developer_id, a.serial_id) = (s.developer_id, s.id)
          and left(a.machine_id, length(r.machine)) = r.machine and a.released_at is null and a.last_seen_at >= r.at)
        and not exists (select 1 from serial_events e where (e.developer_id, e.serial_id) = (s.developer_id, s.id)
          and r.action = 'redeem' and e.kind in ('downloaded', 'transferred') and e.happened_at >= r.at)
      order by r.at desc, r.id desc limit 1) x on true
  where s.developer_id = $1`;

/** How serials and customers stand, for their developer. */
export class Standings {
  readonly #clock: Clock;

  constructor({ clock }: { clock: Clock }) {
    this.#clock = clock;
  }

  /** With what it costs to set its downloads back now, in cents. */
  async ofSerial(
    sql: Sql,
    caller: Principal,
    id: string,
  ): Promise<{ standing: Standing; refreshCents: number } | undefined> {
    const [row] = await this.#read(sql, caller, 's.id = $2', id);
    if (!row) return undefined;
    const viewer = this.#viewer(caller, row);
    return { standing: standingOf(row, viewer), refreshCents: row.download_count > 0 ? viewer.resetCents : 0 };
  }

  async ofSerials(sql: Sql, caller: Principal, ids: string[]): Promise<ReadonlyMap<string, RowStanding>> {
    return this.#each(caller, await this.#read(sql, caller, 's.id = any($2)', ids));
  }

  /** @param most of the newest serials; null for all. */
  async ofCustomer(sql: Sql, caller: Principal, id: string, most: number | null): Promise<CustomerStanding> {
    const newest = `s.customer_id = $2 order by s.redeemed_at desc, s.id desc ${most === null ? '' : `limit ${most}`}`;
    const rows = await this.#read(sql, caller, newest, id);
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

  #read(sql: Sql, caller: Principal, which: string, value: unknown): Promise<Row[]> {
    const since = new Date(this.#clock.now().getTime() - REFUSALS_FOR);
    return sql.query<Row>(`${FACTS} and ${which}`, [caller.userId, value, since, lastingRefusals]);
  }

  #viewer(caller: Principal, row: Row | undefined): Viewer {
    const resetCents = row ? unitCentsOf(planOf(row.plan)) : 0;
    return { now: this.#clock.now(), timeZone: caller.timeZone, resetCents };
  }
}
