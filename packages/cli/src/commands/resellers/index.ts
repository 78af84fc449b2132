import type { Noun } from '../../define-command.ts';
import { resellersInvite } from './invite.ts';
import { resellersList } from './list.ts';

export const resellers: Noun = {
  name: 'resellers',
  about: 'The resellers you work with',
  commands: [resellersList, resellersInvite],
};
