import { sql } from 'kysely';
import { writeByTenant } from '#platform/caches/by-tenant.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, DAY, SECOND } from '#platform/clock.ts';
import { acrossTenants, leftJoinOwn } from '#platform/db/tenant.ts';
import type { Publisher } from '#platform/events.ts';
import { decodeIdCursor, pageOf } from '#platform/http/answers/cursor.ts';
import type { Logger } from '#platform/log.ts';
import type { Random } from '#platform/random.ts';
import { dayOf } from '#platform/time/days.ts';
import { LicenseRefusal, type LicenseStatus } from '../rules/license-status.ts';
import type { LicensingDb } from '../tables.ts';
import type { LicenseRefusedEvent, ListRefusalsQuery } from './refusals.schemas.ts';

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  random: Random;
  events: Publisher<LicenseRefusedEvent>;
  log: Logger;
}

/** `draft`: the product is one, so that plugins are told that there is no such license. */
export type RefusedStatus = LicenseStatus | 'draft';

/** A refused call or redemption. */
export interface Refused {
  developerId: string;
  action: 'activate' | 'validate' | 'transfer' | 'trial' | 'redeem';
  status: RefusedStatus;
  serialId: string | null;
  productId: string | null;
  /** Null on the redemption page. */
  machineId: string | null;
  version: string | null;
}

interface Note extends Refused {
  at: Date;
  count: number;
}

/** Distinct ones that may wait for the next second; a flood of more is a flood of the same kind. */
const MOST = 1000;
const KEPT = 7 * DAY;
/** The sums are small. */
const SUMS_KEPT = 90 * DAY;
/** Enough of a machine's id to distinguish machines. */
const MACHINE_CHARACTERS = 12;

/**
 * Refusals to plugins and on redemption pages, for developers to look at. No call waits for them: they are written once
 * a second.
 */
export class Refusals {
  readonly #deps: Dependencies;
  readonly #late: WriteBehind<Note>;
  readonly #pending = new Map<string, Note>();

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#late = new WriteBehind(
      SECOND,
      async (notes) => {
        this.#pending.clear();
        await writeByTenant(
          [...notes.values()].sort((a, b) => a.at.getTime() - b.at.getTime()),
          ({ developerId }) => developerId,
          (own) => this.#write(own),
        );
      },
      (error) => deps.log.warn({ err: error }, 'refusals could not be recorded'),
    );
  }

  note(refused: Refused): void {
    const at = this.#deps.clock.now();
    const machineId = refused.machineId?.slice(0, MACHINE_CHARACTERS) ?? null;
    const { developerId, action, status, serialId, productId, version } = refused;
    const key = JSON.stringify([developerId, action, status, serialId, productId, machineId, version]);
    const known = this.#pending.get(key);
    if (known) {
      known.count += 1;
      known.at = at;
    } else if (this.#pending.size < MOST) {
      const note = { ...refused, machineId, at, count: 1 };
      this.#pending.set(key, note);
      this.#late.note(key, note);
    }
  }

  /**
   * Records what a call was refused, and returns the error to be thrown. What does not exist is nobody's to see.
   * @param about the license, or the trial.
   */
  noted<Failure>(
    error: Failure,
    action: Refused['action'],
    about: { developer_id: string; serial_id: string | null; product_id: string; is_draft?: boolean },
    form: { machine_id: string; version: string | null },
  ): Failure {
    // a draft does not exist for plugins, but its developer has to know what to fix
    const status =
      error instanceof LicenseRefusal && (error.status === 'not_found' && about.is_draft ? 'draft' : error.status);
    if (status && status !== 'not_found') {
      this.note({
        developerId: about.developer_id,
        action,
        status,
        serialId: about.serial_id,
        productId: about.product_id,
        machineId: form.machine_id,
        version: form.version,
      });
    }
    return error;
  }

  async list(developerId: string, query: ListRefusalsQuery) {
    const after = decodeIdCursor(query.cursor);
    const { status, product_id } = query;
    const rows = await this.#deps.db
      .selectFrom('license_refusals as r')
      .$call(leftJoinOwn('serials as s', 's.id', 'r.serial_id'))
      .$call(leftJoinOwn('products as p', 'p.id', 'r.product_id'))
      .select(['r.id', 'r.at', 'r.action', 'r.status', 'r.serial_id', 's.code as serial', 'r.product_id'])
      .select(['p.name as product_name', 'r.machine', 'r.version', 'r.count'])
      .where('r.developer_id', '=', developerId)
      .$if(after !== null, (all) => all.where('r.id', '<', after as string))
      .$if(status !== undefined, (all) => all.where('r.status', '=', status as string))
      .$if(product_id !== undefined, (all) => all.where('r.product_id', '=', product_id as string))
      .orderBy('r.id', 'desc')
      .limit(query.limit + 1)
      .execute();
    return pageOf(rows, query.limit);
  }

  /**
   * How often calls for a product, and its redemptions, were refused, by what was answered, the most common first.
   * @param since a day in UTC, inclusive.
   */
  async byStatus(developerId: string, productId: string, since: string): Promise<{ status: string; count: number }[]> {
    return this.#deps.db
      .selectFrom('license_refusal_days')
      .select(['status', sql<number>`sum(count)::int`.as('count')])
      .where('developer_id', '=', developerId)
      .where('product_id', '=', productId)
      .where('day', '>=', since)
      .groupBy('status')
      .orderBy(sql`2`, 'desc')
      .orderBy('status')
      .execute();
  }

  async expire(): Promise<void> {
    const { db, clock } = this.#deps;
    const before = (kept: number) => new Date(clock.now().getTime() - kept);
    const all = acrossTenants('housekeeping');
    await db.deleteFrom('license_refusals').where('at', '<', before(KEPT)).modifyEnd(all).execute();
    const day = dayOf(before(SUMS_KEPT), 'UTC');
    await db.deleteFrom('license_refusal_days').where('day', '<', day).modifyEnd(all).execute();
  }

  close(): Promise<void> {
    return this.#late.close();
  }

  async #write(notes: readonly Note[]): Promise<void> {
    const { db, events, random } = this.#deps;
    const column = <Key extends keyof Note>(name: Key) => notes.map((note) => note[name]);
    // the sums are made from the given values too, not from the inserted rows: on many machines, only the machines of
    // these accounts are asked
    await sql`
      with noted as (
        insert into license_refusals (id, developer_id, at, action, status, serial_id, product_id, machine, version, count)
        select n.* from unnest(${notes.map(() => random.id())}::uuid[], ${column('developerId')}::uuid[],
            ${column('at')}::timestamptz[], ${column('action')}::text[], ${column('status')}::text[],
            ${column('serialId')}::uuid[], ${column('productId')}::uuid[], ${column('machineId')}::text[],
            ${column('version')}::text[], ${column('count')}::int[])
          as n (id, developer_id, at, action, status, serial_id, product_id, machine, version, count)
        join users u on u.id = n.developer_id
      )
      insert into license_refusal_days as d (developer_id, product_id, day, status, count)
      select n.developer_id, n.product_id, (n.at at time zone 'UTC')::date, n.status, sum(n.count)
      from unnest(${column('developerId')}::uuid[], ${column('productId')}::uuid[], ${column('at')}::timestamptz[],
          ${column('status')}::text[], ${column('count')}::int[]) as n (developer_id, product_id, at, status, count)
        join users u on u.id = n.developer_id
      where n.product_id is not null group by 1, 2, 3, 4
      -- in one order, so that two processes that write the same sums wait for each other and never in a circle
      order by 1, 2, 3, 4
      on conflict (developer_id, product_id, day, status) do update set count = d.count + excluded.count`.execute(db);
    for (const [developerId, theirs] of Map.groupBy(notes, (note) => note.developerId)) {
      const newest = theirs.at(-1) as Note;
      await events.publish(db, developerId, {
        type: 'license_refused',
        data: {
          count: theirs.reduce((sum, note) => sum + note.count, 0),
          action: newest.action,
          status: newest.status,
          serial_id: newest.serialId,
          product_id: newest.productId,
          at: newest.at,
        },
      });
    }
  }
}
