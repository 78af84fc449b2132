import type { Noun } from '#define/command.ts';
import { invitesAccept } from './accept.ts';
import { invitesFollow } from './follow.ts';
import { invitesList } from './list.ts';
import { invitesPreview } from './preview.ts';
import { invitesReject } from './reject.ts';
import { invitesResend } from './resend.ts';
import { invitesSent } from './sent.ts';
import { invitesWithdraw } from './withdraw.ts';

export const invites: Noun = {
  name: 'invites',
  about: 'Invitations between developers and resellers',
  commands: [
    invitesList,
    invitesPreview,
    invitesAccept,
    invitesReject,
    invitesFollow,
    invitesSent,
    invitesResend,
    invitesWithdraw,
  ],
};
