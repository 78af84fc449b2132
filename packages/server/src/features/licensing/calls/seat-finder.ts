import DataLoader from 'dataloader';
import { sql } from 'kysely';
import { TenantLookup } from '#platform/caches/tenant-lookup.ts';
import { stopwatch } from '#platform/clock.ts';
import { isCutShort, isPartAway } from '#platform/db/away.ts';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { type LicensingDb, tables } from '../tables.ts';

/** A license, and the seat of the calling machine. */
export interface SeatRow
  extends Columns<'serials', 'developer_id' | 'batch_id' | 'customer_id' | 'revoked_at' | 'redeemed_at' | 'seats_used'>,
    // version, label and os as the machine last reported them
    Columns<'activations', 'released_at' | 'leased_until' | 'version' | 'label' | 'os'> {
  serial_id: string;
  /** Seats of this serial alone, where they differ from the product's. */
  own_max_activations: number | null;
  activation_id: string | null;
  token_hash: Buffer | null;
}

/** A question for a license on a machine. */
interface SeatQuestion {
  codeKey: string;
  developerId: string;
  machineId: string;
}

/** Licenses of one statement. */
const MOST_AT_ONCE = 100;
/** The longest that the first of them waits, in milliseconds: turns of the event loop are long during exports. */
const PATIENCE = 1;

/** How many developers a statement names: 1, 2, 4, …, so that a few texts serve all calls. */
const WIDTHS = Array.from({ length: Math.ceil(Math.log2(MOST_AT_ONCE)) + 1 }, (_, power) => 2 ** power);

// Planned once per connection, for one question, whose joins keep to the indexes; planning costs more than looking up.
// This depends on three details. PostgreSQL uses a general plan only when it expects it to cost no more than one made
// for the arguments. The limit, which never cuts anything off, makes it expect a single question. Developers are named
// one by one, so that it expects no more of them than there are; it would expect ten of an array. The serials found
// look up their machines by the whole key only from a relation of their own, instead of reading all machines of a
// serial.
const lookUps = WIDTHS.map((width) =>
  tables.named(
    `seats_of_${width}`,
    (
      _,
      count: number,
      codeKeys: readonly string[],
      developerIds: readonly string[],
      machineIds: readonly string[],
      ...developers: readonly string[]
    ) => {
      const oneDeveloper = sql`${developers[0]}::uuid`;
      const anyDeveloper = sql`any(array[${sql.join(developers)}]::uuid[])`;
      const wantedDeveloper = width === 1 ? oneDeveloper : anyDeveloper;
      const questions = width === 1 ? sql`${codeKeys}::text[]` : sql`${codeKeys}::text[], ${developerIds}::uuid[]`;
      const columns = width === 1 ? sql`code_key` : sql`code_key, developer_id`;
      const codeMatches =
        width === 1 ? sql`s.code_key = q.code_key` : sql`(s.code_key, s.developer_id) = (q.code_key, q.developer_id)`;
      return sql<SeatRow & { n: number }>`
    with found as materialized (
      select q.n, q.machine_id, s.id as serial_id, s.developer_id, s.batch_id, s.customer_id, s.revoked_at, s.redeemed_at,
        s.seats_used, s.max_activations as own_max_activations
      from (select * from unnest(${questions}, ${machineIds}::text[])
          with ordinality as q (${columns}, machine_id, n) limit ${count}::int) q
        join serials s on ${codeMatches} and s.developer_id = ${wantedDeveloper}
    )
    select f.n, f.serial_id, f.developer_id, f.batch_id, f.customer_id, f.revoked_at, f.redeemed_at, f.seats_used,
      f.own_max_activations, a.id as activation_id, a.released_at, a.token_hash, a.leased_until, a.version, a.label, a.os
    from found f left join activations a on a.developer_id = ${wantedDeveloper}
      and (a.developer_id, a.serial_id, a.machine_id) = (f.developer_id, f.serial_id, f.machine_id)`;
    },
  ),
);

/**
 * Looks licenses up, always fresh: a revocation is obeyed by the next call. Calls that arrive together share a
 * statement, so that the busier the server is, the less each of them costs.
 */
export class SeatFinder {
  readonly #loader: DataLoader<SeatQuestion, SeatRow | undefined>;
  #arrived = 0;

  constructor(db: LicensingDb) {
    const lookup = new TenantLookup<SeatQuestion, SeatRow | undefined>({
      find: (questions) => findSeats(db, questions),
      tenantOf: ({ developerId }) => developerId,
      // a machine that is not reached in time shows as a statement that took too long
      isPartial: (error) => isPartAway(error) || isCutShort(error),
    });
    // a promise among the answers is waited for by its own caller alone
    this.#loader = new DataLoader((questions) => lookup.ask(questions) as Promise<(SeatRow | undefined)[]>, {
      cache: false,
      maxBatchSize: MOST_AT_ONCE,
      batchScheduleFn: (send) => this.#whenCalm(send, stopwatch() + PATIENCE),
    });
  }

  /** Undefined: this developer has no such license. */
  find(question: SeatQuestion): Promise<SeatRow | undefined> {
    this.#arrived += 1;
    return this.#loader.load(question);
  }

  /** As soon as a turn of the event loop has brought no further call. */
  #whenCalm(send: () => void, until: number): void {
    const before = this.#arrived;
    setImmediate(() => {
      if (this.#arrived === before || stopwatch() >= until) send();
      else this.#whenCalm(send, until);
    });
  }
}

export async function findSeats(handle: Sql, questions: readonly SeatQuestion[]): Promise<(SeatRow | undefined)[]> {
  const developerIds = questions.map((question) => question.developerId);
  const developers = [...new Set(developerIds)];
  const power = Math.ceil(Math.log2(developers.length));
  const missing = Array<string>(2 ** power - developers.length).fill(developers[0] as string);
  const rows = await (lookUps[power] as (typeof lookUps)[number])(
    handle,
    questions.length,
    questions.map((question) => question.codeKey),
    developerIds,
    questions.map((question) => question.machineId),
    ...developers,
    ...missing,
  );
  const found: (SeatRow | undefined)[] = new Array(questions.length).fill(undefined);
  for (const row of rows) found[row.n - 1] = row;
  return found;
}
