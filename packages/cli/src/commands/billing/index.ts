import type { Noun } from '../../define-command.ts';
import { billingAddCard } from './add-card.ts';
import { billingCard } from './card.ts';
import { billingRemoveCard } from './remove-card.ts';

export const billing: Noun = {
  name: 'billing',
  about: 'What you pay, and the card that is charged',
  commands: [billingCard, billingAddCard, billingRemoveCard],
};
