import { z } from 'zod';
import { Cursor, Flag, Id, Limit, Message, Time } from '#platform/http/schemas.ts';
import { notificationKinds } from './notification-of.ts';

export const NotificationsQuery = z.object({
  kind: z.enum(notificationKinds).optional().describe('Only this kind.'),
  unread: Flag.describe('Only those that were not read yet.'),
  limit: Limit,
  cursor: Cursor,
});
export type NotificationsQuery = z.output<typeof NotificationsQuery>;

export const NotificationView = z
  .object({
    id: Id,
    at: Time,
    kind: z.enum(notificationKinds).describe('What it is about.'),
    title: z.string().describe('What happened.'),
    detail: z.string().describe('How much, which or where.'),
    object_id: Id.nullable().describe('The product, import, invoice, webhook or statement; null: there is none.'),
    read: z.boolean().describe('Whether it was marked as read.'),
  })
  .meta({ id: 'Notice' });
export type NotificationView = z.output<typeof NotificationView>;

export const NotificationPage = z
  .object({
    rows: z.array(NotificationView),
    pending: z
      .int()
      .describe(
        'How many invitations, requests for deals (for a reseller: answers to them) and payments wait for you. Each counts until it is done, read or not.',
      ),
    unread: z.int().describe('How many notices were not marked as read yet, of every kind; at most 100 are counted.'),
    next_cursor: z.string().nullable(),
  })
  .meta({ id: 'NoticePage' });

export const ReadNotificationsBody = z
  .strictObject({ until: Id.describe('The newest notice that was read: it and all older ones are marked.') })
  .meta({ id: 'ReadNotices' });
export const ReadNotifications = Message;
