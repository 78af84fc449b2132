import type { Noun } from '#define/command.ts';
import { planList } from './list.ts';
import { planShow } from './show.ts';
import { planSwitch } from './switch.ts';

export const plan: Noun = {
  name: 'plan',
  about: 'What you can use and what it costs',
  commands: [planShow, planList, planSwitch],
};
