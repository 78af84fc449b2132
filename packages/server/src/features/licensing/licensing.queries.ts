import type { Database, Prepared } from '../../platform/db/database.ts';
import type { LicenseFacts } from './license-rules.ts';

/** One row answers who asks, which licence, and whether this machine holds a seat. */
export interface LicenseRow extends LicenseFacts {
  key_id: string;
  developer_id: string;
  /** Null: this developer has no such licence, and everything below is null too. */
  serial_id: string | null;
  max_activations: number;
  offline_days: number;
  seats_used: number;
  activation_id: string | null;
  released_at: Date | null;
  token_hash: Buffer | null;
}

const LOOK_UP: Prepared = {
  name: 'license',
  text: `select k.id as key_id, k.developer_id, s.id as serial_id, s.revoked_at, s.redeemed_at, s.seats_used,
      b.product_id, b.promo_start, b.expires_at, p.deleted_at is not null as product_deleted, p.is_draft,
      p.max_activations, p.offline_days, c.email_key as owner_email_key,
      a.id as activation_id, a.released_at, a.token_hash
    from plugin_keys k
      left join serials s on s.code_key = $2 and s.developer_id = k.developer_id
      left join batches b on b.id = s.batch_id
      left join products p on p.id = b.product_id
      left join customers c on c.id = s.customer_id
      left join activations a on a.serial_id = s.id and a.machine_id = $3
    where k.key_hash = $1 and k.is_active and (k.expires_at is null or k.expires_at > $4)`,
};

/** Undefined when the plugin key is unknown, inactive or expired. */
export async function lookUp(
  db: Database,
  keyHash: Buffer,
  codeKey: string,
  machineId: string,
  now: Date,
): Promise<LicenseRow | undefined> {
  return (await db.prepared<LicenseRow>(LOOK_UP, [keyHash, codeKey, machineId, now]))[0];
}
