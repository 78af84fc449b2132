import type { Noun } from '#define/command.ts';
import { licenseActivate } from './activate.ts';
import { licenseBrowser } from './browser.ts';
import { licenseDeactivate } from './deactivate.ts';
import { licenseDoctor } from './doctor.ts';
import { licenseExpansionKey } from './expansion-key.ts';
import { licenseHise } from './hise.ts';
import { licenseJwks } from './jwks.ts';
import { licenseKeyfile } from './keyfile.ts';
import { licenseOffline } from './offline.ts';
import { licenseProxy } from './proxy.ts';
import { licenseRefusals } from './refusals.ts';
import { licenseReleaseOffline } from './release-offline.ts';
import { licenseSeats } from './seats.ts';
import { licenseTime } from './time.ts';
import { licenseTransfer } from './transfer.ts';
import { licenseTrial } from './trial.ts';
import { licenseUnlock } from './unlock.ts';
import { licenseUpdates } from './updates.ts';
import { licenseValidate } from './validate.ts';

export const license: Noun = {
  name: 'license',
  about: 'Call the licensing API as a plugin does',
  commands: [
    licenseActivate,
    licenseValidate,
    licenseDeactivate,
    licenseBrowser,
    licenseSeats,
    licenseJwks,
    licenseKeyfile,
    licenseOffline,
    licenseReleaseOffline,
    licenseUnlock,
    licenseHise,
    licenseTransfer,
    licenseTrial,
    licenseTime,
    licenseExpansionKey,
    licenseUpdates,
    licenseDoctor,
    licenseProxy,
    licenseRefusals,
  ],
};
