import type { Noun } from '../../define-command.ts';
import { payoutsList } from './list.ts';
import { payoutsShow } from './show.ts';

export const payouts: Noun = {
  name: 'payouts',
  about: 'Monthly statements between developers and resellers',
  commands: [payoutsList, payoutsShow],
};
