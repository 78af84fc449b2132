import { z } from 'zod';
import { LicenseEmail, LicenseKey, NewMachineId, note, OldMachineIds, ProductText } from './license-fields.ts';

/** A plugin's request for a seat. Unknown fields are ignored: shipped plugins must keep working with what they send. */
export const ActivateBody = z
  .object({
    license_key: LicenseKey,
    machine_id: NewMachineId,
    old_machine_ids: OldMachineIds,
    product_id: ProductText,
    version: note(),
    email: LicenseEmail,
    label: note().describe('The name of the machine.'),
    os: note().describe('Its operating system.'),
  })
  .meta({ id: 'ActivateLicense' });
export type ActivateBody = z.output<typeof ActivateBody>;
