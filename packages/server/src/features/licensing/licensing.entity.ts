import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/index.ts';
import { Serial } from '../serials/index.ts';

/** A developer's Ed25519 key, with which validation tokens are signed. `id` is the JWK's `kid`. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_keys',
  properties: {
    id: p.uuid().primary(),
    developerId: () => p.manyToOne(User).mapToPk().fieldName('developer_id'),
    /** The raw 32 bytes. */
    publicKey: p.blob(),
    /** PKCS #8 DER, sealed. */
    privateKey: p.blob(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'signing_keys_current_unique', properties: ['developerId'], where: 'retired_at is null' }],
  indexes: [{ name: 'signing_keys_developer_index', properties: ['developerId', 'id'] }],
});
export type SigningKey = InferEntity<typeof SigningKey>;

/** One machine on one serial. `releasedAt` frees the seat and keeps the row, so that churn can be seen. */
export const Activation = defineEntity({
  name: 'Activation',
  tableName: 'activations',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid(),
    serialId: () => p.manyToOne(Serial).mapToPk().fieldName('serial_id').deleteRule('cascade'),
    machineId: p.text(),
    version: p.text().nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    releasedAt: p.datetime(3).nullable(),
    /** SHA-256 of the newest validation token: a token that matches needs no signature check. */
    tokenHash: p.blob().nullable(),
  },
  uniques: [{ name: 'activations_machine_unique', properties: ['serialId', 'machineId'] }],
});
export type Activation = InferEntity<typeof Activation>;
