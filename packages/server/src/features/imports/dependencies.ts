import type { Partnerships } from '#features/partnerships';
import type { Clock } from '#platform/clock.ts';
import type { Publisher } from '#platform/events.ts';
import type { Random } from '#platform/random.ts';
import type { Spool } from '#platform/spool/spool.ts';
import type { Storage } from '#platform/storage/storage.ts';
import type { ImportEvent } from './imports.schemas.ts';
import type { ImportsDb } from './tables.ts';

/** What every way of importing needs. */
export interface ImportDependencies {
  db: ImportsDb;
  clock: Clock;
  random: Random;
  events: Publisher<ImportEvent>;
  spool: Spool;
  storage: Storage;
  partnerships: Partnerships;
}
