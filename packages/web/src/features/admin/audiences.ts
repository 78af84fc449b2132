import type { AnswerOf } from '@tonerow/sdk';

export type Audience = AnswerOf<'listAnnouncements'>['rows'][number]['audience'];

export const audiences: Record<Audience, string> = {
  everybody: 'Everybody',
  developers: 'Developers',
  resellers: 'Resellers',
};
