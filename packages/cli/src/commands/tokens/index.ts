import type { Noun } from '#define/command.ts';
import { tokensCreate } from './create.ts';
import { tokensDelete } from './delete.ts';
import { tokensList } from './list.ts';

export const tokens: Noun = {
  name: 'tokens',
  about: 'Access tokens for scripts and CI',
  commands: [tokensList, tokensCreate, tokensDelete],
};
