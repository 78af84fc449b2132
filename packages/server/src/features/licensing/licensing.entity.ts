import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';
import { Product } from '#features/products';
import { Serial } from '#features/serials';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';
import { ofLists } from '#platform/db/statements/list-index.ts';
import { foldedSql } from './rules/machine-ids.ts';

/** A developer's Ed25519 key, with which validation tokens are signed. `id` is the JWK's `kid`. */
export const SigningKey = defineEntity({
  name: 'SigningKey',
  tableName: 'signing_keys',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id'),
    id: p.uuid().primary(),
    /** The raw 32 bytes. */
    publicKey: p.blob(),
    /** PKCS #8 DER, sealed. */
    privateKey: p.blob(),
    createdAt: p.datetime(3),
    retiredAt: p.datetime(3).nullable(),
  },
  uniques: [{ name: 'signing_keys_current_unique', properties: ['developerId'], where: 'retired_at is null' }],
});
export type SigningKey = InferEntity<typeof SigningKey>;

/** One machine on one serial. `releasedAt` frees the seat but keeps the row, so that churn can be measured. */
export const Activation = defineEntity({
  name: 'Activation',
  tableName: 'activations',
  properties: {
    id: p.uuid().primary(),
    developerId: p.uuid().primary(),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('cascade'),
    machineId: p.text(),
    version: p.text().nullable(),
    /** The machine's name and operating system, if the plugin reported them. */
    label: p.text().nullable(),
    os: p.text().nullable(),
    /** The end of the lease of an offline license: the seat is free after this time without further action. */
    leasedUntil: p.datetime(3).nullable(),
    /** SHA-256 of the secret that shows that the machine gave its license file up; null for a file without one. */
    releaseHash: p.blob().nullable(),
    /** When an earlier license file of the machine, with another secret or none, stops working. */
    otherFileUntil: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    lastSeenAt: p.datetime(3),
    releasedAt: p.datetime(3).nullable(),
    /** SHA-256 of the newest validation token: a token that matches needs no signature check. */
    tokenHash: p.blob().nullable(),
  },
  uniques: [{ name: 'activations_machine_unique', properties: ['serial', 'machineId'] }],
  indexes: [
    {
      name: 'activations_list_index',
      properties: ['developerId', 'lastSeenAt'],
      where: ofLists('last_seen_at'),
    },
    {
      name: 'activations_leased_index',
      properties: ['leasedUntil'],
      where: 'released_at is null and leased_until is not null',
    },
    // behind the lock of the serial's row: a machine never has two seats by two spellings of its id
    {
      name: 'activations_folded_unique',
      expression: `create unique index activations_folded_unique on activations (serial_id, developer_id, ${foldedSql('machine_id')}) where released_at is null`,
    },
  ],
});
export type Activation = InferEntity<typeof Activation>;

/** A license file that its machine gave up before its end. No other file is made for the same secret. */
export const OfflineRelease = defineEntity({
  name: 'OfflineRelease',
  tableName: 'offline_releases',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('cascade'),
    releaseHash: p.blob(),
    releasedAt: p.datetime(3),
  },
  uniques: [{ name: 'offline_releases_hash_unique', properties: ['serial', 'releaseHash'] }],
  indexes: [{ name: 'offline_releases_hash_index', properties: ['developerId', 'releaseHash'] }],
});
export type OfflineRelease = InferEntity<typeof OfflineRelease>;

/** One RSA key pair per product, for the key files of stock JUCE and HISE clients. */
export const ProductKey = defineEntity({
  name: 'ProductKey',
  tableName: 'product_keys',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    product: () => sameTenant(Product, 'product_id').unique().deleteRule('cascade'),
    /** Hexadecimal, as JUCE writes it. */
    modulus: p.text(),
    exponent: p.text(),
    /** PKCS #8 DER, sealed. */
    privateKey: p.blob(),
    createdAt: p.datetime(3),
  },
});
export type ProductKey = InferEntity<typeof ProductKey>;

/**
 * A secret that the keys of a product's HISE expansions are derived from. It never changes: a newer one is for serials
 * redeemed from then on.
 */
export const ExpansionSecret = defineEntity({
  name: 'ExpansionSecret',
  tableName: 'expansion_secrets',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    product: () => sameTenant(Product, 'product_id').deleteRule('cascade'),
    /** 1 for the first of the product. */
    number: p.integer(),
    /** 32 random bytes, sealed. */
    secret: p.blob(),
    /** Serials redeemed from then on use it; the first one is for all before it, too. */
    createdAt: p.datetime(3),
  },
  uniques: [{ name: 'expansion_secrets_number_unique', properties: ['product', 'number'] }],
});
export type ExpansionSecret = InferEntity<typeof ExpansionSecret>;

/** A machine's trial of a product. There is at most one per machine and product. */
export const Trial = defineEntity({
  name: 'Trial',
  tableName: 'trials',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    product: () => sameTenant(Product, 'product_id').deleteRule('cascade'),
    /** SHA-256 of the machine's id, folded: all spellings of it begin one trial. Older rows have it as it was sent. */
    machineHash: p.blob(),
    startedAt: p.datetime(3),
    endsAt: p.datetime(3),
  },
  uniques: [{ name: 'trials_product_machine_unique', properties: ['product', 'machineHash'] }],
});
export type Trial = InferEntity<typeof Trial>;

/** A refused license call, kept for a week so that the developer can look at it. */
export const LicenseRefusalNote = defineEntity({
  name: 'LicenseRefusalNote',
  tableName: 'license_refusals',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').deleteRule('cascade'),
    id: p.uuid().primary(),
    at: p.datetime(3).index(),
    action: p.text(),
    status: p.text(),
    serialId: p.uuid().nullable(),
    productId: p.uuid().nullable(),
    /** The first characters only, enough to distinguish machines. */
    machine: p.text().nullable(),
    version: p.text().nullable(),
    count: p.integer().default(1),
  },
  indexes: [
    {
      name: 'license_refusals_serial_index',
      expression:
        'create index license_refusals_serial_index on license_refusals (serial_id, at) where serial_id is not null',
    },
  ],
});
export type LicenseRefusalNote = InferEntity<typeof LicenseRefusalNote>;

/** Refused license calls summed by day (UTC), product and status: what is left of them after a week. */
export const LicenseRefusalDay = defineEntity({
  name: 'LicenseRefusalDay',
  tableName: 'license_refusal_days',
  properties: {
    developerId: () => p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').deleteRule('cascade'),
    productId: p.uuid().primary(),
    day: p.date().primary(),
    status: p.text().primary(),
    count: p.bigint('number').default(0),
  },
  indexes: [{ name: 'license_refusal_days_day_index', properties: ['day'] }],
});
export type LicenseRefusalDay = InferEntity<typeof LicenseRefusalDay>;
