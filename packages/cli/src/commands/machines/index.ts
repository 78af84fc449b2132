import type { Noun } from '../../define-command.ts';
import { machinesRelease } from './release.ts';
import { machinesStats } from './stats.ts';

export const machines: Noun = {
  name: 'machines',
  about: 'Release machines and show statistics',
  commands: [machinesRelease, machinesStats],
};
