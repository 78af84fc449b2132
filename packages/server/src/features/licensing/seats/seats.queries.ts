import { sql } from 'kysely';
import type { Sql } from '#platform/db/database.ts';
import type { Columns } from '#platform/db/tables.ts';
import { joinOwn, ownJoin, ownMatch } from '#platform/db/tenant.ts';
import { folded, foldOf, hasSpellings } from '../rules/machine-ids.ts';
import { type LicensingHandle, tables } from '../tables.ts';

const spellingOf = tables.named('spelling', (begin, developerId: string, serialId: string, fold: string) =>
  begin
    .selectFrom('activations')
    .select('machine_id')
    .where('developer_id', '=', developerId)
    .where('serial_id', '=', serialId)
    .where(folded('machine_id'), '=', fold)
    .orderBy(sql`released_at is not null`)
    .orderBy('created_at')
    .limit(sql.lit(1)),
);

/**
 * A machine's id as the serial knows it: spelled as the seat that it holds, else as it once was, else as it is here.
 */
export async function knownSpelling(
  handle: Sql,
  { serial_id, developer_id }: { serial_id: string; developer_id: string },
  machineId: string,
): Promise<string> {
  if (!hasSpellings(machineId)) return machineId;
  const [known] = await spellingOf(handle, developer_id, serial_id, foldOf(machineId));
  return known?.machine_id ?? machineId;
}

/** The seats of one serial. */
export interface SeatCounts extends Columns<'serials', 'seats_used'> {
  max_activations: number;
}

/** Undefined for a serial that is not the developer's. */
export async function setOwnSeats(
  db: LicensingHandle,
  developerId: string,
  serialId: string,
  seats: number | null,
): Promise<SeatCounts | undefined> {
  const { rows } = await sql<SeatCounts>`
    update serials s set max_activations = ${seats} from batches b
      ${ownJoin('products as p', 'p.id', 'b.product_id')}
    where s.developer_id = ${developerId} and s.id = ${serialId} and ${ownMatch('b.id', 's.batch_id')}
      and p.deleted_at is null
    returning coalesce(s.max_activations, p.max_activations) as max_activations, s.seats_used`.execute(db);
  return rows[0];
}

export const seatsOf = (handle: LicensingHandle, developerId: string, serialId: string) =>
  handle
    .selectFrom('serials as s')
    .$call(joinOwn('batches as b', 'b.id', 's.batch_id'))
    .$call(joinOwn('products as p', 'p.id', 'b.product_id'))
    .select((eb) => [eb.fn.coalesce('s.max_activations', 'p.max_activations').as('max_activations'), 's.seats_used'])
    .where('s.developer_id', '=', developerId)
    .where('s.id', '=', serialId)
    .executeTakeFirst();

export const findMachine = (handle: LicensingHandle, developerId: string, id: string) =>
  handle
    .selectFrom('activations')
    .select(['serial_id', 'machine_id'])
    .where('developer_id', '=', developerId)
    .where('id', '=', id)
    .executeTakeFirst();

/** Locks its serial, as every change of its machines does first; only for the current owner of it. */
export const lockOwnMachine = (tx: LicensingHandle, owner: { dev: string; customer: string }, id: string) =>
  tx
    .selectFrom('activations as a')
    .$call(joinOwn('serials as s', 's.id', 'a.serial_id'))
    .$call(joinOwn('customers as c', 'c.id', 's.customer_id'))
    .select(['s.id as serial_id', 'a.machine_id'])
    .where('a.developer_id', '=', owner.dev)
    .where('a.id', '=', id)
    .where('c.id', '=', owner.customer)
    .where('c.erased_at', 'is', null)
    .forUpdate('s')
    .executeTakeFirst();
