import type { Database, Prepared } from '../../platform/db/database.ts';
import type { LicenseFacts } from './license-rules.ts';

/** What a licence shares with all others of its batch. */
interface BatchFacts {
  product_id: string;
  product_deleted: boolean;
  is_draft: boolean;
  promo_start: Date | null;
  expires_at: Date | null;
  max_activations: number;
  offline_days: number;
}

/** A licence and the seat of the machine that asks. */
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
}

export type License = Omit<LicenseFacts, 'owner_email_key'> & BatchFacts & SeatRow;

const SEAT: Prepared = {
  name: 'license_seat',
  text: `select s.id as serial_id, s.developer_id, s.batch_id, s.customer_id, s.revoked_at, s.redeemed_at, s.seats_used,
      s.max_activations as own_max_activations, a.id as activation_id, a.released_at, a.token_hash
    from serials s left join activations a on a.serial_id = s.id and a.machine_id = $3
    where s.code_key = $1 and s.developer_id = $2`,
};

const BATCH: Prepared = {
  name: 'license_batch',
  text: `select b.product_id, p.deleted_at is not null as product_deleted, p.is_draft, b.promo_start, b.expires_at,
      p.max_activations, p.offline_days
    from batches b join products p on p.id = b.product_id where b.id = $1`,
};

/** One statement, always fresh: a revocation is obeyed by the next call. Undefined: this developer has no such licence. */
export async function findSeat(
  db: Database,
  codeKey: string,
  developerId: string,
  machineId: string,
): Promise<SeatRow | undefined> {
  return (await db.prepared<SeatRow>(SEAT, [codeKey, developerId, machineId]))[0];
}

export async function findBatchFacts(db: Database, batchId: string): Promise<BatchFacts | undefined> {
  return (await db.prepared<BatchFacts>(BATCH, [batchId]))[0];
}

export async function ownerOf(db: Database, customerId: string): Promise<string | null> {
  const [row] = await db.query<{ email_key: string }>('select email_key from customers where id = $1', [customerId]);
  return row?.email_key ?? null;
}

export type { BatchFacts };
