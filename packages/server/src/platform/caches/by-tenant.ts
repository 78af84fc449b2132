import { isPartAway } from '#platform/db/away.ts';

/**
 * Writes what is of several tenants by one statement. When that fails because the machine of some of them is away, each tenant's is
 * written by itself, so that the others' is.
 * @throws {AggregateError} what failed then
 */
export async function writeByTenant<Note>(
  notes: readonly Note[],
  tenantOf: (note: Note) => string,
  write: (notes: readonly Note[]) => Promise<void>,
): Promise<void> {
  try {
    return await write(notes);
  } catch (error) {
    if (!isPartAway(error) || new Set(notes.map(tenantOf)).size === 1) throw error;
  }
  await eachTenant(notes, tenantOf, write);
}

/**
 * Writes each tenant's by itself. A machine that is away keeps nobody else's from being written.
 * @throws {AggregateError} when there was one
 */
export async function eachTenant<Note>(
  notes: readonly Note[],
  tenantOf: (note: Note) => string,
  write: (own: readonly Note[], tenant: string) => Promise<void>,
): Promise<void> {
  const tenants = Map.groupBy(notes, tenantOf);
  const errors: unknown[] = [];
  for (const [tenant, own] of tenants) {
    try {
      await write(own, tenant);
    } catch (error) {
      if (!isPartAway(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length === 0) return;
  throw new AggregateError(errors, `that of ${errors.length} of ${tenants.size} could not be written`, {
    cause: errors[0],
  });
}
