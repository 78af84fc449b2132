import type { Noun } from '#define/command.ts';
import { exportEverything } from './everything.ts';

export const exports: Noun = {
  name: 'export',
  about: 'Everything of the account, to take elsewhere',
  commands: [exportEverything],
};
