import type { Noun } from '#define/command.ts';
import { machinesList } from './list.ts';
import { machinesRelease } from './release.ts';
import { machinesStats } from './stats.ts';

export const machines: Noun = {
  name: 'machines',
  about: 'List and release machines, and show statistics',
  commands: [machinesList, machinesRelease, machinesStats],
};
