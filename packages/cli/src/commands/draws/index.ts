import type { Noun } from '#define/command.ts';
import { drawsEmail } from './email.ts';
import { drawsList } from './list.ts';
import { drawsOffers } from './offers.ts';
import { drawsReturn } from './return.ts';
import { drawsShow } from './show.ts';
import { drawsSold } from './sold.ts';

export const draws: Noun = {
  name: 'draws',
  about: 'Codes that you have handed out or sold',
  commands: [drawsOffers, drawsList, drawsShow, drawsSold, drawsEmail, drawsReturn],
};
