import type { Noun } from '#define/command.ts';
import { keysCreate } from './create.ts';
import { keysDelete } from './delete.ts';
import { keysList } from './list.ts';
import { keysReveal } from './reveal.ts';
import { keysRotate } from './rotate.ts';
import { keysUpdate } from './update.ts';

export const keys: Noun = {
  name: 'keys',
  about: 'Manage the plugin keys that your plugins use',
  commands: [keysList, keysCreate, keysReveal, keysRotate, keysUpdate, keysDelete],
};
