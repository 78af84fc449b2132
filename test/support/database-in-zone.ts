import { createTestDatabase, type TestDatabase } from './database.ts';

/** A database whose sessions are in that time zone unless they choose one, as an operator's own may be; this process is there too. */
export async function databaseInZone(zone: string): Promise<TestDatabase & { end(): Promise<void> }> {
  const db = await createTestDatabase();
  await db.query(
    `do $$ begin execute format('alter database %I set timezone to %L', current_database(), '${zone}'); end $$`,
  );
  const before = process.env.TZ;
  process.env.TZ = zone;
  return {
    ...db,
    async end() {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
      await db.drop();
    },
  };
}
