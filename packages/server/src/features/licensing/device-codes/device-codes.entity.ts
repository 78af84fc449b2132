import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Product } from '#features/products';
import { Serial } from '#features/serials';
import { sameTenant } from '#platform/db/schema/tenant-reference.ts';

type DeviceCodeState = 'pending' | 'confirmed' | 'denied';

/** A plugin that waits for its owner in the browser. Nothing of it is kept after an hour. */
export const LicenseDeviceCode = defineEntity({
  name: 'LicenseDeviceCode',
  tableName: 'license_device_codes',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    product: () => sameTenant(Product, 'product_id').deleteRule('cascade'),
    /** SHA-256 of the plugin's secret. */
    deviceCodeHash: p.blob(),
    /** HMAC of what people type: too short for a hash without a key. */
    userCodeHash: p.blob(),
    /** The machine to activate, as the plugin described it. */
    machineId: p.text(),
    oldMachineIds: p.array().columnType('text[]'),
    version: p.text().nullable(),
    label: p.text().nullable(),
    os: p.text().nullable(),
    /** The address that the plugin asked from, shown to the person who confirms. */
    ip: p.text(),
    country: p.text().nullable(),
    state: p.string().$type<DeviceCodeState>().default('pending'),
    /** The serial that was chosen in the browser, and its customer then. */
    serial: () => sameTenant(Serial, 'serial_id').nullable().deleteRule('cascade'),
    customerId: p.uuid().nullable(),
    /** Whether the page was opened by the link from the owner's email. */
    byEmail: p.boolean().default(false),
    /** Seconds that the plugin has to wait between two calls. */
    intervalSeconds: p.integer(),
    polledAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    expiresAt: p.datetime(3).index(),
  },
  uniques: [
    { name: 'license_device_codes_device_unique', properties: ['developerId', 'deviceCodeHash'] },
    { name: 'license_device_codes_user_unique', properties: ['developerId', 'userCodeHash'] },
  ],
  indexes: [
    { name: 'license_device_codes_product_index', properties: ['product', 'expiresAt'] },
    {
      name: 'license_device_codes_serial_index',
      expression:
        'create index license_device_codes_serial_index on license_device_codes (serial_id) where serial_id is not null',
    },
  ],
  checks: [
    { name: 'license_device_codes_state_check', expression: "state in ('pending', 'confirmed', 'denied')" },
    {
      name: 'license_device_codes_confirmed_check',
      expression: "(state = 'confirmed') = (serial_id is not null)",
    },
  ],
});
export type LicenseDeviceCode = InferEntity<typeof LicenseDeviceCode>;

/** A code that was emailed to a license's owner, for a plugin on one machine. Kept for a day, because they are counted. */
export const LicenseSeatCode = defineEntity({
  name: 'LicenseSeatCode',
  tableName: 'license_seat_codes',
  properties: {
    developerId: p.uuid().primary(),
    id: p.uuid().primary(),
    serial: () => sameTenant(Serial, 'serial_id').deleteRule('cascade'),
    /** Whose email it was sent to. */
    customerId: p.uuid(),
    /** SHA-256 of the machine's id, folded: a code is of use only where it was asked for. */
    machineHash: p.blob(),
    /** HMAC: too short for a hash without a key. */
    codeHash: p.blob(),
    /** Wrong codes that were tried instead of it. */
    tries: p.integer().default(0),
    createdAt: p.datetime(3).index(),
    expiresAt: p.datetime(3),
  },
  indexes: [{ name: 'license_seat_codes_serial_index', properties: ['serial', 'createdAt'] }],
});
export type LicenseSeatCode = InferEntity<typeof LicenseSeatCode>;
