import { sql } from 'kysely';
import { writeByTenant } from '#platform/caches/by-tenant.ts';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { csvLine } from '#platform/csv/write.ts';
import { leftJoinOwn } from '#platform/db/tenant.ts';
import type { Logger } from '#platform/log.ts';
import { type DayPeriod, daysBetween, plusDays } from '#platform/time/days.ts';
import type { KeyReport } from './plugin-keys.schemas.ts';
import type { PluginKeysDb } from './tables.ts';

interface Dependencies {
  db: PluginKeysDb;
  clock: Clock;
  log: Logger;
}

interface Counted {
  keyId: string;
  at: Date;
  calls: number;
  refused: number;
}

/** Days begin at a quarter of an hour in every time zone. */
const SLOT = 15 * MINUTE;

/**
 * How often plugins call with each key, and are refused, by day of the account. Counted in memory and added to the sums once a
 * minute, so that no call waits for it; a server that is killed loses at most that minute.
 */
export class KeyUsage {
  readonly #deps: Dependencies;
  readonly #late: WriteBehind<Counted>;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#late = new WriteBehind(
      MINUTE,
      (counts) =>
        writeByTenant(
          [...counts.values()],
          ({ keyId }) => keyId,
          (own) => this.#write(own),
        ),
      (error) => deps.log.warn({ err: error }, 'the use of plugin keys could not be counted'),
    );
  }

  called(keyId: string): void {
    this.#of(keyId).calls += 1;
  }

  refused(keyId: string): void {
    this.#of(keyId).refused += 1;
  }

  close(): Promise<void> {
    return this.#late.close();
  }

  /** Each key with its days in order, the most used first; also those that were deleted since. */
  async report(developerId: string, days: DayPeriod): Promise<KeyReport['keys']> {
    const rows = await this.#deps.db
      .selectFrom('plugin_key_days as d')
      .$call(leftJoinOwn('plugin_keys as k', 'k.id', 'd.key_id'))
      .select(['d.key_id', 'k.label', 'k.is_test', 'd.day', 'd.calls', 'd.refused'])
      .where('d.developer_id', '=', developerId)
      .where('d.day', '>=', days.from)
      .where('d.day', '<=', days.to)
      .orderBy('d.key_id')
      .orderBy('d.day')
      .execute();
    const empty = () => Array.from({ length: daysBetween(days.from, days.to) + 1 }, () => 0);
    const keys = [...Map.groupBy(rows, (row) => row.key_id)].map(([key_id, own]) => {
      const [calls, refused] = [empty(), empty()];
      for (const row of own) {
        const at = daysBetween(days.from, row.day);
        calls[at] = row.calls;
        refused[at] = row.refused;
      }
      const { label = null, is_test = null } = own[0] ?? {};
      return { key_id, label, is_test, calls, refused };
    });
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    return keys.sort((a, b) => sum(b.calls) - sum(a.calls) || (a.key_id < b.key_id ? -1 : 1));
  }

  /** A line for each key and day on which it was used. */
  async csv(developerId: string, timeZone: string, days: DayPeriod): Promise<string> {
    const lines = (await this.report(developerId, days)).flatMap((key) =>
      key.calls.flatMap((calls, at) =>
        calls === 0
          ? []
          : [[plusDays(days.from, at), key.label ?? 'Deleted key', key.key_id, calls, key.refused[at] ?? 0]],
      ),
    );
    return [[`Date (${timeZone})`, 'Plugin key', 'Key id', 'Calls', 'Refused'], ...lines].map(csvLine).join('');
  }

  #of(keyId: string): Counted {
    const at = this.#deps.clock.now();
    const place = `${keyId}:${Math.floor(at.getTime() / SLOT)}`;
    const waiting = this.#late.waiting(place);
    if (waiting) return waiting;
    const counted = { keyId, at, calls: 0, refused: 0 };
    this.#late.note(place, counted);
    return counted;
  }

  async #write(counts: readonly Counted[]): Promise<void> {
    await sql`/* across tenants: each key is its developer's */
      insert into plugin_key_days as d (developer_id, key_id, day, calls, refused)
      select k.developer_id, k.id, (n.at at time zone u.time_zone)::date, sum(n.calls), sum(n.refused)
      from unnest(${counts.map(({ keyId }) => keyId)}::uuid[], ${counts.map(({ at }) => at)}::timestamptz[],
          ${counts.map(({ calls }) => calls)}::int[], ${counts.map(({ refused }) => refused)}::int[]) as n (id, at, calls, refused)
        join plugin_keys k on k.id = n.id join users u on u.id = k.developer_id
      group by 1, 2, 3
      -- in one order, so that two processes that write the same sums wait for each other and never in a circle
      order by 1, 2, 3
      on conflict (developer_id, key_id, day) do update
        set calls = d.calls + excluded.calls, refused = d.refused + excluded.refused`.execute(this.#deps.db);
  }
}
