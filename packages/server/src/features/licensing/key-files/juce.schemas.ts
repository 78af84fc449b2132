import { z } from 'zod';
import { codeOfEmail } from '#platform/text/code-in-text.ts';
import { ActivateBody } from '../rules/activate-body.ts';
import { credentialFields, note, OldMachineIds, optionalText, textOrList } from '../rules/license-fields.ts';

const { license_key, machine_id, product_id, email, version } = ActivateBody.shape;
const Serial = optionalText(200, 'The serial is too long.', codeOfEmail);
const PluginName = optionalText(200, 'The plugin sent an invalid product name.');

/** JUCE sends one machine. Our own form code repeats the field, with the older ids of the same machine behind it. */
const machines = textOrList
  .transform((value): string[] =>
    (Array.isArray(value) ? value : [value]).filter((id) => typeof id === 'string' && id !== ''),
  )
  .optional();

/** What JUCE's stock form sends; the password box takes the serial. */
export const JuceForm = z
  .object({
    product: PluginName.describe('JUCE’s getProductID().'),
    email,
    pw: Serial.describe('The serial.'),
    serial: Serial,
    license_key: Serial,
    os: note(),
    mach: machines.describe(
      'The machine id, preferably getUniqueMachineID(). When repeated, the additional values are older ids of the same machine, whose seat it takes over.',
    ),
    ...credentialFields,
  })
  .meta({ id: 'JuceUnlock' });
export const JuceQuery = z.object(JuceForm.shape);
export type JuceForm = z.output<typeof JuceForm>;

const machineList = textOrList
  .transform((value): unknown => (typeof value === 'string' ? [value] : value))
  .pipe(z.array(machine_id, 'Machine ids must be strings (machine_ids).').max(8, 'At most 8 machines.'))
  .optional();

export const KeyFileBody = z
  .object({
    license_key,
    machine_id: machineList.describe('One machine id, or a list; each one takes a seat.'),
    machine_ids: machineList,
    machine_numbers: machineList,
    old_machine_ids: OldMachineIds,
    product_id,
    email,
    app: PluginName.describe('What the plugin calls itself: getProductID() in JUCE, “Name 1.0.0” in HISE.'),
    version: version.describe('If app is not given: the version to append to the product’s name, as HISE needs it.'),
    lease_days: z.coerce
      .number('lease_days must be a number of days.')
      .int('lease_days must be a whole number of days.')
      .min(1, 'lease_days must be 1 to 365.')
      .max(365, 'lease_days must be 1 to 365.')
      .optional()
      .describe('Makes an expiring key file: its seats are released after this many days.'),
    ...credentialFields,
  })
  .transform(({ machine_id: one = [], machine_ids: many = [], machine_numbers: numbers = [], ...rest }) => ({
    ...rest,
    machines: [...new Set([...one, ...many, ...numbers])],
  }))
  .meta({ id: 'CreateKeyFile' });

export const Xml = z.string();
export const Text = z.string();
