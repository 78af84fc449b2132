import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { Account, type Role } from '#features/accounts';
import type { InviteState } from './invites.schemas.ts';

/** An invitation to an email address, which may have no account yet: so it belongs to no developer's data. */
export const Invite = defineEntity({
  name: 'Invite',
  tableName: 'invites',
  properties: {
    id: p.uuid().primary(),
    inviterId: () => p.manyToOne(Account).mapToPk().fieldName('inviter_id').deleteRule('cascade'),
    /** The role that the invited account must have. */
    role: p.string().$type<Role>(),
    email: p.text(),
    emailKey: p.text(),
    /** The named reseller that accepting claims. No foreign key: the table of partnerships is spread by developer. */
    partnershipId: p.uuid().nullable(),
    commissionBps: p.integer().default(2000),
    message: p.text().nullable(),
    state: p.string().$type<InviteState>(),
    /** The request that sent it last: a repeat of it gets the same answer. */
    requestId: p.uuid(),
    createdAt: p.datetime(3),
    sentAt: p.datetime(3),
    expiresAt: p.datetime(3),
    answeredAt: p.datetime(3).nullable(),
  },
  indexes: [
    { name: 'invites_inviter_index', properties: ['inviterId', 'id'] },
    { name: 'invites_email_index', properties: ['emailKey', 'id'] },
    { name: 'invites_expiry_index', properties: ['expiresAt'], where: "state = 'pending'" },
  ],
  uniques: [{ name: 'invites_pending_unique', properties: ['inviterId', 'emailKey'], where: "state = 'pending'" }],
  checks: [
    { name: 'invites_role_check', expression: "role in ('developer', 'reseller')" },
    {
      name: 'invites_state_check',
      expression: "state in ('pending', 'accepted', 'rejected', 'withdrawn', 'expired')",
    },
    { name: 'invites_commission_check', expression: 'commission_bps >= 0 and commission_bps <= 10000' },
    { name: 'invites_answered_check', expression: "(state = 'pending') = (answered_at is null)" },
  ],
});
export type Invite = InferEntity<typeof Invite>;
