import type { EntitySchema } from '@mikro-orm/postgresql';
import { RollingMigration } from '#platform/db/schema/rolling-migration.entity.ts';
import { IdempotencyRecord } from '#platform/http/idempotency.entity.ts';
import { RateLimit } from '#platform/http/limits/rate-limit.entity.ts';
import { Restore } from '#platform/operations/restore.entity.ts';
import { SecretProbe } from '#platform/secrets/secret-probe.entity.ts';
import { features } from './features.ts';

/** Every table of the product: those of the features, and the platform's own. */
export const entities = [
  ...features.entities,
  IdempotencyRecord,
  RateLimit,
  RollingMigration,
  Restore,
  SecretProbe,
] as unknown as readonly EntitySchema[];
