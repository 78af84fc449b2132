import DataLoader from 'dataloader';
import { stopwatch } from '#platform/clock.ts';
import type { Database, Prepared } from '#platform/db/database.ts';
import type { LicenseFacts } from '../rules/license-rules.ts';

/** Licenses of one statement. */
const MOST_AT_ONCE = 100;
/** What the first of them waits at most, in milliseconds: turns of the event loop are long while others export. */
const PATIENCE = 1;

/** What a license shares with all others of its batch. */
interface BatchFacts {
  product_id: string;
  product_deleted: boolean;
  developer_deleted: boolean;
  is_draft: boolean;
  promo_start: Date | null;
  expires_at: Date | null;
  max_activations: number;
  offline_days: number;
  /** The developer's. */
  time_zone: string;
}

/** A license, and the seat of the calling machine. */
interface SeatRow {
  serial_id: string;
  developer_id: string;
  batch_id: string;
  customer_id: string | null;
  revoked_at: Date | null;
  redeemed_at: Date | null;
  seats_used: number;
  /** Seats of this serial alone, where they differ from the product's. */
  own_max_activations: number | null;
  activation_id: string | null;
  released_at: Date | null;
  token_hash: Buffer | null;
  leased_until: Date | null;
  /** As the machine last reported them. */
  version: string | null;
  label: string | null;
  os: string | null;
}

export type License = Omit<LicenseFacts, 'owner_email_key'> &
  BatchFacts &
  SeatRow & {
    /** The calling machine, spelled as its seat has it. */
    machine_id: string;
  };

// Planned once per connection, for one question, whose joins keep to the indexes; planning costs more than looking up. It
// depends on two details. PostgreSQL uses a general plan only when it expects it to cost no more than one made for the
// arguments: the limit, which never cuts anything off, makes it expect a single question. And only from a relation of
// their own do the serials found look up their machines by the whole key, instead of reading all machines of a serial.
export const SEATS: Prepared = {
  name: 'license_seats',
  text: `with found as materialized (
      select q.n, q.machine_id, s.id as serial_id, s.developer_id, s.batch_id, s.customer_id, s.revoked_at, s.redeemed_at,
        s.seats_used, s.max_activations as own_max_activations
      from (select * from unnest($1::text[], $2::uuid[], $3::text[]) with ordinality as q (code_key, developer_id, machine_id, n)
        limit cardinality($1::text[])) q
        join serials s on (s.code_key, s.developer_id) = (q.code_key, q.developer_id)
    )
    select f.n, f.serial_id, f.developer_id, f.batch_id, f.customer_id, f.revoked_at, f.redeemed_at, f.seats_used,
      f.own_max_activations, a.id as activation_id, a.released_at, a.token_hash, a.leased_until, a.version, a.label, a.os
    from found f left join activations a
      on (a.developer_id, a.serial_id, a.machine_id) = (f.developer_id, f.serial_id, f.machine_id)`,
};

const BATCH: Prepared = {
  name: 'license_batch',
  text: `select b.product_id, p.deleted_at is not null as product_deleted, u.deleted_at is not null as developer_deleted,
      p.is_draft, b.promo_start, b.expires_at, p.max_activations, p.offline_days, u.time_zone
    from batches b join products p on (p.developer_id, p.id) = (b.developer_id, b.product_id) join users u on u.id = b.developer_id where b.developer_id = $1 and b.id = $2`,
};

/** Which license, and on which machine. */
export interface SeatQuestion {
  codeKey: string;
  developerId: string;
  machineId: string;
}

/**
 * Looks licenses up, always fresh: a revocation is obeyed by the next call. Calls that arrive together share a
 * statement, so that the busier the server is, the less each of them costs.
 */
export class SeatFinder {
  readonly #loader: DataLoader<SeatQuestion, SeatRow | undefined>;
  #arrived = 0;

  constructor(db: Database) {
    this.#loader = new DataLoader((questions) => findSeats(db, questions), {
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

async function findSeats(db: Database, questions: readonly SeatQuestion[]): Promise<(SeatRow | undefined)[]> {
  const rows = await db.prepared<SeatRow & { n: number }>(SEATS, [
    questions.map((question) => question.codeKey),
    questions.map((question) => question.developerId),
    questions.map((question) => question.machineId),
  ]);
  const found: (SeatRow | undefined)[] = new Array(questions.length).fill(undefined);
  for (const row of rows) found[row.n - 1] = row;
  return found;
}

export async function findBatchFacts(
  db: Database,
  developerId: string,
  batchId: string,
): Promise<BatchFacts | undefined> {
  return (await db.prepared<BatchFacts>(BATCH, [developerId, batchId]))[0];
}

/** Whether a license has a seat under one of these machine ids. */
export async function isAnySeated(
  db: Database,
  { serial_id, developer_id }: { serial_id: string; developer_id: string },
  machineIds: readonly string[],
): Promise<boolean> {
  if (machineIds.length === 0) return false;
  const held = await db.query(
    'select 1 from activations where developer_id = $1 and serial_id = $2 and machine_id = any($3) and released_at is null limit 1',
    [developer_id, serial_id, machineIds],
  );
  return held.length > 0;
}

export async function ownerOf(db: Database, developerId: string, customerId: string): Promise<string | null> {
  const [row] = await db.query<{ email_key: string }>(
    'select email_key from customers where developer_id = $1 and id = $2',
    [developerId, customerId],
  );
  return row?.email_key ?? null;
}

export type { BatchFacts };
