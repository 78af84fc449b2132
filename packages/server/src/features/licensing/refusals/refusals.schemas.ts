import { z } from 'zod';
import { dataOf } from '#platform/access/withhold.ts';
import { Cursor, Id, Limit, Time } from '#platform/http/schemas.ts';
import { type LicenseStatus, licenseStatuses } from '../rules/license-status.ts';

const Refusal = z
  .object({
    id: Id,
    at: Time,
    action: z.string().describe('activate, validate, transfer, trial, or redeem for the redemption page.'),
    status: z
      .string()
      .describe(
        'The status returned to the plugin; of a redemption, the one that names the reason. `draft`: the product is one, and a plugin was told `not_found`.',
      ),
    serial_id: Id.nullable(),
    serial: dataOf('codes', z.string().nullable()),
    product_id: Id.nullable(),
    product_name: z.string().nullable(),
    machine: z.string().nullable().describe('The first characters of the machine’s id; null on the redemption page.'),
    version: z.string().nullable(),
    count: z.int().describe('How many times within the same second.'),
  })
  .meta({ id: 'LicenseRefusal' });

export const RefusalPage = z
  .object({ rows: z.array(Refusal), next_cursor: z.string().nullable() })
  .meta({ id: 'LicenseRefusalPage' });

const statusNames = ['draft', ...(Object.keys(licenseStatuses) as LicenseStatus[])] as const;
export const ListRefusalsQuery = z.object({
  limit: Limit,
  cursor: Cursor,
  status: z.enum(statusNames).optional().describe('Only refusals with this status.'),
  product_id: Id.optional().describe('Only refusals of this product.'),
});
export type ListRefusalsQuery = z.output<typeof ListRefusalsQuery>;

/** Plugins or redemptions were refused; those within a moment are one event, which names the newest of them. */
export const LicenseRefusedEvent = z.object({
  type: z.literal('license_refused'),
  data: z.object({
    count: z.int(),
    action: z.string(),
    status: z.string(),
    serial_id: Id.nullable(),
    product_id: Id.nullable(),
    at: Time,
  }),
});
export type LicenseRefusedEvent = z.output<typeof LicenseRefusedEvent>;
