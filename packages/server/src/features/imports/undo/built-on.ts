import { type RawBuilder, sql } from 'kysely';
import { broughtCustomers, touchedSince } from '#features/customers';
import { asImported } from '#features/licensing';
import { broughtBy } from '#features/redemption';
import { ownJoin } from '#platform/db/tenant.ts';
import type { ImportKind } from '../kinds.ts';
import type { ImportsHandle } from '../tables.ts';

/** An import, and when it began. */
export interface Taken {
  developerId: string;
  importId: string;
  kind: ImportKind;
  since: Date;
}

/**
 * Why a row of an import stays when the import is taken back: what was built on it. Seats that came with it are none of that. In words after
 * "1 serial", and after more.
 */
export const builtOn = {
  seats: ['has a seat or had one', 'have a seat or had one'],
  refunds: ['has a refund', 'have a refund'],
  statements: ['is in a statement of a reseller', 'are in a statement of a reseller'],
  downloads: ['was downloaded since', 'were downloaded since'],
  redemptions: ['was redeemed since', 'were redeemed since'],
  handed_out: ['was handed out', 'were handed out'],
  serials: ['owns a serial', 'own a serial'],
  changes: ['was changed since', 'were changed since'],
} as const;
export type BuiltOn = keyof typeof builtOn;

const reason = (name: BuiltOn) => sql.lit(name);

const hasSeat = (developerId: string) =>
  sql`exists (select 1 from activations a where a.developer_id = ${developerId} and a.serial_id = s.id and not ${asImported})`;
const hasEvent = ({ developerId, since }: Taken, kind: RawBuilder<boolean> = sql`true`) =>
  sql`exists (select 1 from serial_events e
    where e.developer_id = ${developerId} and e.serial_id = s.id and e.happened_at >= ${since} and ${kind})`;

/** What was built on redemption `r` and its serial `s`; null: nothing. */
export const onRedemption = (taken: Taken) => sql<BuiltOn | null>`case
  when ${hasSeat(taken.developerId)} then ${reason('seats')}
  when exists (select 1 from ledger_adjustments a where a.developer_id = ${taken.developerId} and a.redemption_id = r.id) then ${reason('refunds')}
  when r.partnership_id is not null and exists (select 1 from payouts p where p.developer_id = ${taken.developerId}
    and p.partnership_id = r.partnership_id and p.month = date_trunc('month', r.redeemed_at at time zone 'UTC')::date) then ${reason('statements')}
  when ${hasEvent(taken, sql`e.kind = 'downloaded'`)} then ${reason('downloads')}
  when s.max_activations is not null or s.customer_id is distinct from r.customer_id or ${hasEvent(taken)} then ${reason('changes')}
end`;

/** What was built on serial `s`, which came as available, in batch `b`. */
export const onAvailable = (taken: Taken) => sql<BuiltOn | null>`case
  when s.redeemed_at is not null then ${reason('redemptions')}
  when ${hasSeat(taken.developerId)} then ${reason('seats')}
  when s.draw_id is distinct from ${taken.importId}::uuid and s.handed_out_at is not null then ${reason('handed_out')}
  when s.revoked_at is not null or s.max_activations is not null or b.partnership_id is not null or ${hasEvent(taken)}
    then ${reason('changes')}
end`;

/** What was built on customer `c`. */
const onCustomer = (taken: Taken) => sql<BuiltOn | null>`case
  when exists (select 1 from serials s where s.developer_id = ${taken.developerId} and s.customer_id = c.id) then ${reason('serials')}
  when ${touchedSince(taken)} then ${reason('changes')}
end`;

/** Rows of an import that would stay. */
export interface Kept {
  reason: BuiltOn;
  count: number;
  /** The first codes, or the first addresses. */
  examples: string[];
}

const rowsOf = (taken: Taken): RawBuilder<unknown> => {
  const { developerId, importId, kind } = taken;
  if (kind === 'customers')
    return sql`select c.id, c.email as name, ${onCustomer(taken)} as reason from customers c where ${broughtCustomers(taken)}`;
  if (kind === 'available')
    return sql`select s.id, s.code as name, ${onAvailable(taken)} as reason
      from batches b ${ownJoin('serials as s', 's.batch_id', 'b.id')}
      where b.developer_id = ${developerId} and s.developer_id = ${developerId} and b.import_id = ${importId}::uuid`;
  return sql`select r.id, r.code as name, ${onRedemption(taken)} as reason
    from redemptions r ${ownJoin('serials as s', 's.id', 'r.serial_id')}
    where ${broughtBy(taken)} and s.developer_id = ${developerId}`;
};

/** The obstacles to taking back an import as a whole, by reason. */
export async function keptOf(handle: ImportsHandle, taken: Taken): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    select reason, count(*) as count, (array_agg(name order by id))[1:10] as examples
    from (${rowsOf(taken)}) x where reason is not null group by reason order by count(*) desc, reason`.execute(handle);
  return rows;
}

/** The same in a sentence. */
export function keptInWords(kept: readonly Kept[], kind: ImportKind): string {
  const what = kind === 'customers' ? 'customer' : 'serial';
  return kept
    .map(({ reason: why, count }) =>
      count === 1 ? `1 ${what} ${builtOn[why][0]}` : `${count} ${what}s ${builtOn[why][1]}`,
    )
    .join(', ');
}
