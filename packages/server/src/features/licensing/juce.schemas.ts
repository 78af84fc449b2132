import { z } from 'zod';
import { ActivateBody } from './licensing.schemas.ts';

// an empty field of a form means that it was not filled in; a repeated one counts once
const field = (max: number) =>
  z
    .preprocess((value) => (Array.isArray(value) ? value[0] : value), z.string().trim().max(max).nullish())
    .transform((value) => value || null);

/** What JUCE's stock form sends; the password box takes the serial. */
export const JuceQuery = z.object({
  product: field(200).describe('JUCE’s getProductID().'),
  email: field(254),
  pw: field(200).describe('The serial.'),
  serial: field(200),
  license_key: field(200),
  os: field(200),
  mach: field(256).describe('The first of getLocalMachineIDs().'),
  app_id: field(100),
  app_key: field(100),
});
export const JuceForm = JuceQuery.omit({ app_id: true, app_key: true }).meta({ id: 'JuceUnlock' });
export type JuceForm = z.output<typeof JuceForm>;

const { license_key, machine_id } = ActivateBody.shape;
// a form sends one of several without a list
const machineList = z
  .union([machine_id, z.array(machine_id).max(8, 'At most 8 machines.')])
  .transform((value) => (typeof value === 'string' ? [value] : value));

export const KeyFileBody = z
  .object({
    license_key,
    machine_id: machineList.optional().describe('One machine id, or a list; each takes a seat.'),
    machine_ids: machineList.optional(),
    machine_numbers: machineList.optional(),
    product_id: field(100),
    email: field(254),
    app: field(200).describe('What the plugin calls itself: JUCE’s getProductID(), in HISE “Name 1.0.0”.'),
    version: field(100).describe('Without app: added to the product’s name, as HISE needs it.'),
    lease_days: z.coerce
      .number()
      .int()
      .min(1)
      .max(365)
      .optional()
      .describe('Makes the expiring kind: the seats free themselves after so many days.'),
  })
  .transform(({ machine_id: one = [], machine_ids: many = [], machine_numbers: numbers = [], ...rest }) => ({
    ...rest,
    machines: [...new Set([...one, ...many, ...numbers])],
  }))
  .meta({ id: 'CreateKeyFile' });

export const Xml = z.string();
export const Text = z.string();
