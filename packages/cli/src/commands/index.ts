import type { Command } from '../command.ts';
import { accountCommands } from './account.ts';
import { apiCommand } from './api.ts';
import { keyCommands } from './keys.ts';
import { licenseCommands } from './license.ts';
import { productCommands } from './products.ts';
import { redeemCommands } from './redeem.ts';
import { serialCommands } from './serials.ts';
import { sessionCommands } from './session.ts';

export const commands: readonly Command[] = [
  ...sessionCommands,
  ...productCommands,
  ...serialCommands,
  ...keyCommands,
  ...redeemCommands,
  ...licenseCommands,
  ...accountCommands,
  apiCommand,
];
