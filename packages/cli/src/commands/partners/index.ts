import type { Noun } from '#define/command.ts';
import { partnersInvite } from './invite.ts';
import { partnersList } from './list.ts';
import { partnersShow } from './show.ts';
import { partnersStock } from './stock.ts';

export const partners: Noun = {
  name: 'partners',
  about: 'The developers you sell for (resellers)',
  commands: [partnersList, partnersShow, partnersStock, partnersInvite],
};
