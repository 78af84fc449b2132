import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

/** The credential a plugin binary carries. Found by hash, shown again from the sealed copy. */
export const PluginKey = defineEntity({
  name: 'PluginKey',
  tableName: 'plugin_keys',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(Account).mapToPk().fieldName('developer_id').index(),
    label: p.text(),
    keyHash: p.blob().unique(),
    /** Empty: the secret is not shown again. */
    sealed: p.blob(),
    hint: p.text(),
    isActive: p.boolean().default(true),
    /** Whether the key is for builds in development: a test serial answers `active` only to such keys. */
    isTest: p.boolean().default(false),
    createdAt: p.datetime(3),
    lastUsedAt: p.datetime(3).nullable(),
    /** After it the key is worth nothing: the end of a rotation's grace. */
    expiresAt: p.datetime(3).nullable(),
    /** The key that took this one's place. */
    successorId: p.uuid().nullable(),
  },
});
export type PluginKey = InferEntity<typeof PluginKey>;

/** Calls with a key by day of the account, also of keys that were deleted since. Refused ones are among the calls. */
export const PluginKeyDay = defineEntity({
  name: 'PluginKeyDay',
  tableName: 'plugin_key_days',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    day: p.date().primary(),
    keyId: p.uuid().primary(),
    calls: p.bigint('number').default(0),
    refused: p.bigint('number').default(0),
  },
});
export type PluginKeyDay = InferEntity<typeof PluginKeyDay>;

/** Who looked at a key's secret, and when. */
export const PluginKeyReveal = defineEntity({
  name: 'PluginKeyReveal',
  tableName: 'plugin_key_reveals',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** Null once the key is deleted; who looked at it stays. */
    keyId: () => p.manyToOne(PluginKey).mapToPk().fieldName('key_id').nullable().index().deleteRule('set null'),
    label: p.text(),
    ip: p.text().nullable(),
    revealedAt: p.datetime(3),
  },
});
export type PluginKeyReveal = InferEntity<typeof PluginKeyReveal>;
