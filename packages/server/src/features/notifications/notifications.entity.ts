import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { User } from '../accounts/index.ts';

export type LetterKind =
  | 'account'
  | 'redemption'
  | 'my_products'
  | 'developer_redemptions'
  | 'low_serials'
  | 'announcement'
  | 'test';

/** A letter and what became of it. The letter itself is in the queue until it is sent, and nowhere afterwards. */
export const SentMail = defineEntity({
  name: 'SentMail',
  tableName: 'mails',
  properties: {
    /** The id of its job, so that none is sent twice. */
    id: p.uuid().primary(),
    kind: p.string().$type<LetterKind>(),
    /** In whose name it goes out; null for our own letters. */
    developerId: () => p.manyToOne(User).mapToPk().fieldName('developer_id').nullable().deleteRule('cascade'),
    recipient: p.text(),
    subject: p.text(),
    attempts: p.integer().default(0),
    error: p.text().nullable(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3).nullable(),
    failedAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'mails_created_index', properties: ['createdAt', 'id'] },
    { name: 'mails_developer_index', properties: ['developerId', 'id'] },
  ],
});
export type SentMail = InferEntity<typeof SentMail>;

/** What an admin told everybody who wants to hear it. */
export const Announcement = defineEntity({
  name: 'Announcement',
  tableName: 'announcements',
  properties: {
    id: p.uuid().primary(),
    subject: p.text(),
    body: p.text(),
    audience: p.string().$type<'developers' | 'resellers' | 'everybody'>(),
    recipients: p.integer(),
    createdAt: p.datetime(3),
  },
});
export type Announcement = InferEntity<typeof Announcement>;
