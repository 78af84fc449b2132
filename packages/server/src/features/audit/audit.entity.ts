import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { AuditAction } from './actions.ts';

/** Somebody did something in an account: who, from where and when. Rows are only ever added, and deleted after a year. */
export const AuditEvent = defineEntity({
  name: 'AuditEvent',
  tableName: 'audit_events',
  properties: {
    /** An account of either role. No foreign key: the log must not make its writers wait for the account's row. */
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    at: p.datetime(3),
    action: p.text().$type<AuditAction>(),
    /** What it was done to: the label of a key, the name of a reseller, a number of serials. Never an address or a code. */
    detail: p.text().nullable(),
    objectId: p.uuid().nullable(),
    /** Null: nobody was signed in, as at a sign-in itself. */
    via: p.text().$type<'session' | 'access_token'>().nullable(),
    /** As it was called at that time. */
    tokenName: p.text().nullable(),
    ip: p.text().nullable(),
    userAgent: p.text().nullable(),
  },
  indexes: [{ name: 'audit_events_at_index', properties: ['at'] }],
  triggers: [
    {
      name: 'audit_events_append_only',
      timing: 'before',
      events: ['update'],
      forEach: 'row',
      body: "raise exception 'the audit log is append-only'",
    },
  ],
});
export type AuditEvent = InferEntity<typeof AuditEvent>;
