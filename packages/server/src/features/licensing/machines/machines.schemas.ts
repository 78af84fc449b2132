import { z } from 'zod';
import { Id } from '../../../platform/http/schemas.ts';

export const MachineQuery = z.object({ product_id: Id.optional().describe('Only this product’s.') });

export const MachineAnalytics = z
  .object({
    active_machines: z.int().describe('Seen in the last 30 days.'),
    machines: z.int().describe('Machines that hold a seat.'),
    versions: z
      .array(z.object({ version: z.string().nullable(), count: z.int() }))
      .describe('The 50 most common among active machines; null: the plugin did not report it.'),
    systems: z
      .array(z.object({ os: z.string().nullable(), count: z.int() }))
      .describe('The 50 most common among active machines; null: the plugin did not report it.'),
    time_zone: z.string(),
  })
  .meta({ id: 'MachineAnalytics' });
export type MachineAnalytics = z.output<typeof MachineAnalytics>;
