import type { Sql } from '#platform/db/database.ts';
import { type PartnershipsHandle, tables } from './tables.ts';

const OF = tables.named('developers_of', (begin, resellerId: string) =>
  begin.selectFrom('reseller_developers').select('developer_id').where('reseller_id', '=', resellerId),
);

/**
 * The developers that a reseller sells or has sold for. Statements about a reseller's partnerships are bound by them, so that they ask the machines
 * of these developers alone.
 */
export async function developersOf(handle: Sql, resellerId: string): Promise<string[]> {
  return (await OF(handle, resellerId)).map(({ developer_id }) => developer_id);
}

/** Before the two become partners, and before anything of the developer is written or read in the transaction. */
export async function noteSeller(
  tx: PartnershipsHandle,
  { resellerId, developerId }: { resellerId: string; developerId: string },
): Promise<void> {
  await tx
    .insertInto('reseller_developers')
    .values({ reseller_id: resellerId, developer_id: developerId })
    .onConflict((on) => on.doNothing())
    .execute();
}
