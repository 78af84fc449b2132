import type { EntitySchema } from '@mikro-orm/postgresql';
import type { Logger } from '../log.ts';
import type { Tracing } from '../tracing/tracing.ts';
import { Places } from './citus/places.ts';
import { Database } from './database.ts';
import { createOrm } from './orm.ts';
import { BulkGate } from './pools/bulk-gate.ts';
import { Lanes, type PoolSizes } from './pools/pools.ts';

interface Options {
  url: string;
  /** Past a pooler. Default: the same. */
  directUrl?: string;
  pooled?: boolean;
  embedded?: boolean;
  /** The database is the coordinator of several machines. */
  cluster?: boolean;
  sizes: PoolSizes;
  entities: readonly EntitySchema[];
  log: Logger;
  tracing?: Tracing;
  migrationsFolder: string;
}

/** The database with its pools. Nothing is connected before the first query. */
export function openDatabase(options: Options) {
  const places = new Places({ db: () => db, log: options.log });
  const machines = options.cluster ? { machineOf: (account: string) => places.of(account) } : {};
  const lanes = new Lanes({ ...options, ...machines });
  const orm = createOrm({ ...options, lanes });
  const db = new Database(lanes, {
    gate: new BulkGate(options.sizes.bulk, machines.machineOf),
    pooled: options.pooled ?? false,
  });
  return { lanes, orm, db };
}
