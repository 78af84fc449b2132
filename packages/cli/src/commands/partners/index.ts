import type { Noun } from '../../define-command.ts';
import { partnersInvite } from './invite.ts';

export const partners: Noun = {
  name: 'partners',
  about: 'The developers you sell for (resellers)',
  commands: [partnersInvite],
};
