import { z } from 'zod';

/** The card that is charged is another one, or ends within a month. For the developer. */
export const CardEvent = z.object({
  type: z.literal('card'),
  data: z.object({
    what: z.enum(['changed', 'expiring']).describe('It was entered or removed, or it ends within a month.'),
    last4: z.string().nullable().describe('The last digits of its number; null: there is none now.'),
    exp_month: z.int().nullable().describe('The last month in which it can be charged, from 1.'),
    exp_year: z.int().nullable().describe('The year of that month.'),
  }),
});
export type CardEvent = z.output<typeof CardEvent>;

interface Card {
  last4: string;
  exp_month: number;
  exp_year: number;
}

export function cardEvent(what: CardEvent['data']['what'], card: Card | null): CardEvent {
  const { last4 = null, exp_month = null, exp_year = null } = card ?? {};
  return { type: 'card', data: { what, last4, exp_month, exp_year } };
}
