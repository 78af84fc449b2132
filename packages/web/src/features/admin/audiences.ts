import type { api } from '#lib/api.ts';

export type Audience = Awaited<ReturnType<typeof api.listAnnouncements>>['rows'][number]['audience'];

export const audiences: Record<Audience, string> = {
  everybody: 'Everybody',
  developers: 'Developers',
  resellers: 'Resellers',
};
