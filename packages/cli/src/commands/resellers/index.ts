import type { Noun } from '../../define-command.ts';
import { resellersList } from './list.ts';

export const resellers: Noun = {
  name: 'resellers',
  about: 'List the resellers you work with',
  commands: [resellersList],
};
