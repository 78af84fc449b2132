import type { InferKyselyDB } from '@mikro-orm/postgresql';
import { RollingMigration } from './db/schema/rolling-migration.entity.ts';
import { ownTables } from './db/work.ts';
import { IdempotencyRecord } from './http/idempotency.entity.ts';
import { RateLimit } from './http/limits/rate-limit.entity.ts';
import { Restore } from './operations/restore.entity.ts';
import { SecretProbe } from './secrets/secret-probe.entity.ts';

const entities = [IdempotencyRecord, RateLimit, RollingMigration, Restore, SecretProbe] as const;

interface Own extends InferKyselyDB<(typeof entities)[number]> {}

declare module './db/tables.ts' {
  interface Tables extends Own {}
}

/** The tables that belong to no feature. */
export const tables = ownTables('platform', entities);
