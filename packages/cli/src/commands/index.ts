import type { Command } from '../command.ts';
import { accountCommands } from './account.ts';
import { analyticsCommand } from './analytics.ts';
import { apiCommand } from './api.ts';
import { brandingCommands } from './branding.ts';
import { customerCommands } from './customers.ts';
import { doctorCommands } from './doctor.ts';
import { fileCommands } from './files.ts';
import { groupCommands } from './groups.ts';
import { importCommands } from './imports.ts';
import { keyCommands } from './keys.ts';
import { licenseCommands } from './license.ts';
import { liveCommands } from './live.ts';
import { machineCommands } from './machines.ts';
import { mailCommands } from './mail.ts';
import { pluginFileCommands } from './plugin-files.ts';
import { productCommands } from './products.ts';
import { redeemCommands } from './redeem.ts';
import { searchCommand } from './search.ts';
import { securityCommands } from './security.ts';
import { serialChangeCommands } from './serial-changes.ts';
import { serialCommands } from './serials.ts';
import { sessionCommands } from './session.ts';
import { verificationCommands } from './verification.ts';

export const commands: readonly Command[] = [
  ...sessionCommands,
  ...verificationCommands,
  ...productCommands,
  ...fileCommands,
  ...serialCommands,
  ...serialChangeCommands,
  ...groupCommands,
  ...importCommands,
  ...customerCommands,
  analyticsCommand,
  searchCommand,
  ...liveCommands,
  ...keyCommands,
  ...redeemCommands,
  ...brandingCommands,
  ...mailCommands,
  ...licenseCommands,
  ...pluginFileCommands,
  ...doctorCommands,
  ...machineCommands,
  ...accountCommands,
  ...securityCommands,
  apiCommand,
];
