import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account } from '#features/accounts';

export type EmailKind =
  | 'account'
  | 'redemption'
  | 'my_products'
  | 'seat_code'
  | 'customer_changed'
  | 'new_version'
  | 'sale'
  | 'order'
  | 'order_link'
  | 'help_request'
  | 'developer_redemptions'
  | 'reseller_redemptions'
  | 'low_serials'
  | 'announcement'
  | 'account_closed'
  | 'test';

/** An email and its delivery state. Its content is only in the queue, until it is sent. */
export const SentEmail = defineEntity({
  name: 'SentEmail',
  tableName: 'mails',
  properties: {
    /** The id of its job, so that none is sent twice. */
    id: p.uuid().primary(),
    kind: p.string().$type<EmailKind>(),
    /** The developer in whose name it is sent; null for our own emails. */
    developerId: () => p.manyToOne(Account).mapToPk().fieldName('developer_id').nullable().deleteRule('cascade'),
    recipient: p.text(),
    /** The normalized address, by which a person's entries are erased. */
    recipientKey: p.text().default(''),
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
    { name: 'mails_recipient_index', properties: ['developerId', 'recipientKey', 'id'] },
  ],
});
export type SentEmail = InferEntity<typeof SentEmail>;

/**
 * A developer who has deleted their account, while their customers are being notified. Deleted once all of them are.
 */
export const AccountClosing = defineEntity({
  name: 'AccountClosing',
  tableName: 'account_closings',
  properties: {
    developerId: () =>
      p.manyToOne(Account).mapToPk().primary().fieldName('developer_id').deleteRule('cascade').updateRule('no action'),
    /** The developer's name as customers know it. The account itself no longer has it. */
    name: p.text(),
    /** Whether the account's email address was verified. */
    verified: p.boolean(),
    /** The last customer notified: the creation time of the row, and its id. */
    toldCreatedAt: p.datetime(3).nullable(),
    toldId: p.uuid().nullable(),
  },
});
export type AccountClosing = InferEntity<typeof AccountClosing>;

/** An admin's announcement to everyone who wants them. */
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
