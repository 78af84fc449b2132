import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { NotificationKind } from './notification-of.ts';

/** A notification that an account's bell has shown, kept for half a year. */
export const KeptNotice = defineEntity({
  name: 'KeptNotice',
  tableName: 'notices',
  properties: {
    /** An account of either role. No foreign key: publishing an event must not wait for the account's row. */
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: p.datetime(3),
    kind: p.text().$type<NotificationKind>(),
    title: p.text(),
    detail: p.text(),
    /** The id of what it is about; which kind of thing follows from `kind`. */
    objectId: p.uuid().nullable(),
  },
  indexes: [{ name: 'notices_at_index', properties: ['at'] }],
});
export type KeptNotice = InferEntity<typeof KeptNotice>;

/** Up to which notice an account has read. */
export const NoticeMark = defineEntity({
  name: 'NoticeMark',
  tableName: 'notice_marks',
  properties: {
    accountId: p.uuid().primary(),
    readUntil: p.uuid(),
  },
});
export type NoticeMark = InferEntity<typeof NoticeMark>;
