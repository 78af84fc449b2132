import type { Noun } from '../../define-command.ts';
import { drawsList } from './list.ts';
import { drawsReturn } from './return.ts';
import { drawsShow } from './show.ts';

export const draws: Noun = {
  name: 'draws',
  about: 'Codes that your shop has handed out',
  commands: [drawsList, drawsShow, drawsReturn],
};
