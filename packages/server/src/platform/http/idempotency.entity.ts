import { defineEntity, type InferEntity, p } from '@mikro-orm/core';

/** One keyed request of the last 24 hours. Its id is the id of what the request makes, so that a repeat collides. */
export const IdempotencyRecord = defineEntity({
  name: 'IdempotencyRecord',
  tableName: 'idempotency_records',
  properties: {
    id: p.uuid().primary(),
    /** HMAC of the caller, method, path and key. */
    scope: p.blob().unique(),
    fingerprint: p.blob(),
    createdAt: p.datetime(3),
    /** While it runs: after this moment its process is taken for dead. */
    lockedUntil: p.datetime(3),
    expiresAt: p.datetime(3).index(),
    status: p.smallint().nullable(),
    /** The answer, sealed: some hold secrets that are shown once. */
    answer: p.blob().nullable(),
  },
});
export type IdempotencyRecord = InferEntity<typeof IdempotencyRecord>;
