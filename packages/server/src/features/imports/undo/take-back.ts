import { type RawBuilder, sql } from 'kysely';
import { recordAudit } from '#features/audit';
import { deleteImportedCustomers, forgetImportedNames, holdImportedCustomers } from '#features/customers';
import { unseatImported } from '#features/licensing';
import { deleteImportedResellers } from '#features/partnerships';
import { broughtBy, removeImported } from '#features/redemption';
import { deleteImported, holdSerials, returnToStock } from '#features/serials';
import type { Columns } from '#platform/db/tables.ts';
import { ownJoin } from '#platform/db/tenant.ts';
import { lockImports } from '../staging.ts';
import type { ImportsHandle } from '../tables.ts';
import { type Kept, keptOf, onAvailable, onRedemption, type Taken } from './built-on.ts';

export interface TakenBack {
  /** Sales that left the ledger, serials that came as available, or customers. */
  taken: number;
  /** Serials that are in stock again. */
  returned: number;
  customers: number;
}

/**
 * Takes an import back, in the caller's transaction: what it brought is deleted, and serials that were in stock before return there.
 * Its customers go with their last serial, resellers that only it named, and the names that it filled in for others.
 * @param rest leaves rows on which something was built; without it there must be none
 * @returns null when there are, and nothing was changed
 */
export async function takeBack(
  tx: ImportsHandle,
  taken: Taken,
  { rest, now }: { rest: boolean; now: Date },
): Promise<TakenBack | { kept: Kept[] }> {
  const { developerId, importId, kind } = taken;
  await lockImports(tx, developerId);
  await holdImportedCustomers(tx, taken);
  if (kind === 'redeemed')
    await holdSerials(tx, sql`select r.serial_id from redemptions r where ${broughtBy(taken)}`, taken);
  if (kind === 'available') await holdSerials(tx, serialsOf(taken), taken);
  const kept = await keptOf(tx, taken);
  if (kept.length > 0 && !rest) return { kept };
  const result: TakenBack = { taken: 0, returned: 0, customers: 0 };
  if (kind === 'redeemed') {
    const free = sql<boolean>`${onRedemption(taken)} is null`;
    const foreign = sql<boolean>`exists (select 1 from batches b where b.developer_id = ${developerId} and b.id = s.batch_id
      and b.import_id is distinct from ${importId}::uuid)`;
    await unseat(tx, taken, free);
    result.returned = await returnToStock(tx, taken, sql`${broughtBy(taken)} and ${free} and ${foreign}`);
    result.taken = await removeImported(tx, taken, sql`(s.redeemed_at is null or ${free})`);
    await deleteImported(
      tx,
      taken,
      sql`not exists (select 1 from redemptions r where r.developer_id = ${developerId} and r.serial_id = s.id)`,
    );
  }
  if (kind === 'available') result.taken = await deleteImported(tx, taken, sql`${onAvailable(taken)} is null`);
  result.customers = await deleteImportedCustomers(tx, taken);
  await forgetImportedNames(tx, taken);
  await deleteImportedResellers(tx, taken);
  if (kind === 'customers') result.taken = result.customers;
  await recordAudit(tx, developerId, {
    action: 'import_undone',
    at: now,
    detail: `${result.taken} ${kind === 'customers' ? 'customers' : 'serials'}`,
    objectId: importId,
  });
  return result;
}

const serialsOf = ({ developerId, importId }: Taken) => sql`
  select s.id from serials s ${ownJoin('batches as b', 'b.id', 's.batch_id')}
  where s.developer_id = ${developerId} and b.developer_id = ${developerId} and b.import_id = ${importId}::uuid`;

/** How many serials lose the seats that came with them in one statement. */
const AT_ONCE = 10_000;

/** Takes the seats back that came with the serials, as long as their machines have not called. */
async function unseat(tx: ImportsHandle, taken: Taken, free: RawBuilder<boolean>): Promise<void> {
  const { developerId } = taken;
  for (;;) {
    const { rows } = await sql<Columns<'serials', 'id'>>`
      select s.id from redemptions r ${ownJoin('serials as s', 's.id', 'r.serial_id')}
      where ${broughtBy(taken)} and s.developer_id = ${developerId} and ${free}
        and exists (select 1 from activations a where a.developer_id = ${developerId} and a.serial_id = s.id)
      limit ${AT_ONCE}`.execute(tx);
    if (rows.length === 0) return;
    const ids = rows.map(({ id }) => id);
    if ((await unseatImported(tx, developerId, ids)) === 0) return;
  }
}
