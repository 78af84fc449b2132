import { sql } from 'kysely';
import { WriteBehind } from '#platform/caches/write-behind.ts';
import { type Clock, MINUTE } from '#platform/clock.ts';
import { isPartAway } from '#platform/db/away.ts';
import type { Logger } from '#platform/log.ts';
import { sha256 } from '#platform/secrets/secrets.ts';
import { type LicensingDb, tables } from '../tables.ts';
import { notedSeen, seenColumns } from './noted.ts';

/** A report of a machine that holds a seat, and the newest token issued to it. */
interface Visit {
  developerId: string;
  at: Date;
  version: string | null;
  tokenHash: Buffer | null;
}

/** A machine as its license has it; without a seat it has no `activation_id`. */
interface Machine {
  developer_id: string;
  activation_id: string | null;
}

interface Dependencies {
  db: LicensingDb;
  clock: Clock;
  log: Logger;
}

/** The last visit of each machine, written within a minute: no call waits for it. */
export class Visits {
  readonly #clock: Clock;
  readonly #visits: WriteBehind<Visit>;

  constructor({ db, clock, log }: Dependencies) {
    this.#clock = clock;
    this.#visits = new WriteBehind(
      MINUTE,
      (visits, rest) => writeVisits(db, visits, rest),
      (error) => log.warn({ err: error }, 'the last visits of machines could not be noted'),
      MOST_VISITS,
    );
  }

  /** Notes the visit of a machine that has a seat. @param token that it was just issued. */
  note({ developer_id: developerId, activation_id: id }: Machine, version: string | null, token?: string): void {
    if (id === null) return;
    const before = this.#visits.waiting(id);
    this.#visits.note(id, {
      developerId,
      at: this.#clock.now(),
      version: version ?? before?.version ?? null,
      tokenHash: token === undefined ? (before?.tokenHash ?? null) : sha256(token),
    });
  }

  /** The hashes of the newest tokens issued to a machine: those in its row, and those not written yet. */
  newestTokens({ activation_id: id, token_hash: written }: Machine & { token_hash: Buffer | null }): Buffer[] {
    const unwritten = id === null ? [] : this.#visits.unwritten(id).map(({ tokenHash }) => tokenHash);
    return [written, ...unwritten].filter((hash) => hash !== null);
  }

  close(): Promise<void> {
    return this.#visits.close();
  }
}

/** Machines that a process remembers at most, a few hundred bytes each. Of one that comes back meanwhile only the last visit is written. */
const MOST_VISITS = 50_000;
/** A few milliseconds of the database. */
const VISITS_AT_ONCE = 200;

const noteVisits = tables.named(
  'visits',
  (
    _,
    developerId: string,
    ids: readonly string[],
    times: readonly Date[],
    versions: readonly (string | null)[],
    tokenHashes: readonly (Buffer | null)[],
  ) => sql<{ n: number }>`
    with known as materialized (select * from (
      select a.id, a.version, a.os, a.last_seen_at, n.at, n.version as told_version, n.token_hash as told_token
      from unnest(${ids}::uuid[], ${times}::timestamptz[], ${versions}::text[], ${tokenHashes}::bytea[])
          as n (id, at, version, token_hash)
        join activations a on a.developer_id = ${developerId} and a.id = n.id
      order by a.id for no key update of a) locked
    ), seen as (
      update activations a set last_seen_at = greatest(a.last_seen_at, k.at), version = coalesce(k.told_version, a.version),
        token_hash = case when a.released_at is null then coalesce(k.told_token, a.token_hash) end
      from known k where a.developer_id = ${developerId} and a.id = k.id returning ${seenColumns}, a.released_at
    ), held as (
      select * from seen where released_at is null
    ), ${notedSeen(sql`${developerId}`, 'held')}
    select count(*)::int as n from seen`,
);

async function writeVisits(
  db: LicensingDb,
  notes: ReadonlyMap<string, Visit>,
  rest: () => Promise<void>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const [developerId, own] of Map.groupBy(notes, ([, visit]) => visit.developerId)) {
    try {
      for (let from = 0; from < own.length; from += VISITS_AT_ONCE) {
        await writeVisitsOf(db, developerId, own.slice(from, from + VISITS_AT_ONCE));
        await rest();
      }
    } catch (error) {
      if (!isPartAway(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `those of ${errors.length} developers`);
}

async function writeVisitsOf(db: LicensingDb, developerId: string, own: readonly [id: string, Visit][]): Promise<void> {
  const of = <T>(value: (visit: Visit) => T) => own.map(([, visit]) => value(visit));
  await noteVisits(
    db,
    developerId,
    own.map(([id]) => id),
    of(({ at }) => at),
    of(({ version }) => version),
    of(({ tokenHash }) => tokenHash),
  );
}
