import { z } from 'zod';
import { Id } from '#platform/http/schemas.ts';

const product_id = Id.optional().describe('Only this product’s.');
export const MachineQuery = z.object({ product_id });

const versions = z
  .array(z.object({ version: z.string().nullable(), count: z.int() }))
  .describe('The 50 most common, by activations seen in this time; null: the plugin did not report it.');
const systems = z
  .array(z.object({ os: z.string().nullable(), count: z.int() }))
  .describe('The 50 most common, by activations seen in this time; null: the plugin did not report it.');

export const MachineAnalytics = z
  .object({
    active_machines: z.int().describe('Seen in the last 30 days (UTC), each once, however many plugins it has.'),
    machines: z.int().describe('Machines that hold a seat.'),
    versions,
    systems,
    time_zone: z.string(),
  })
  .meta({ id: 'MachineAnalytics' });
export type MachineAnalytics = z.output<typeof MachineAnalytics>;

export const VersionQuery = z.object({
  product_id,
  days: z.coerce
    .number()
    .int()
    .min(1)
    .max(365)
    .default(30)
    .describe('Only activations that were seen in this many days (UTC), today included.'),
});
export type VersionQuery = z.output<typeof VersionQuery>;

export const VersionReport = z
  .object({
    days: z.int().describe('How many days (UTC) this is about, today included.'),
    since: z.string().describe('The first of these days.'),
    activations: z
      .int()
      .describe('Seats that were seen in these days and are still held. A machine with two serials has two of them.'),
    versions,
    systems,
    pairs: z
      .array(z.object({ version: z.string().nullable(), os: z.string().nullable(), count: z.int() }))
      .describe('Activations by version and system, of those that are listed above; the most common first.'),
  })
  .meta({ id: 'VersionReport' });
export type VersionReport = z.output<typeof VersionReport>;
