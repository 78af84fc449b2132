import type { Role } from '#features/accounts';
import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { dayInWords } from '#platform/time/dates-in-words.ts';

interface Invitation {
  to: string;
  /** The inviter's name; null for a reader who never dealt with us, and gets nothing that the inviter typed. */
  from: string | null;
  fromEmail: string;
  /** The role that the invited account must have. */
  role: Role;
  message: string | null;
  commissionRate: number;
  expiresAt: Date;
  /** The recipient's; of an address without an account the inviter's. */
  timeZone: string;
  url: string;
  /** The account with this address has the other role, and can't answer. */
  wrongRole: boolean;
  /** Undefined when the address has no account. */
  unsubscribeUrl: string | undefined;
}

export function invitationEmail(invite: Invitation): Email {
  const { from, fromEmail, role, message, commissionRate, expiresAt, timeZone, wrongRole, unsubscribeUrl } = invite;
  // the address was verified, and the name is whatever its owner typed
  const [who, inviter] = from === null ? [fromEmail, 'Somebody'] : [`${from} (${fromEmail})`, from];
  const offer =
    role === 'reseller'
      ? `${who} invites you to sell their audio plugins on Tonerow, for a commission of ${commissionRate}%.`
      : `${who} asks to sell your audio plugins on Tonerow, for a commission of ${commissionRate}%.`;
  return composeEmail({
    to: invite.to,
    subject:
      role === 'reseller' ? `${inviter} invites you to sell their plugins` : `${inviter} wants to sell your plugins`,
    lines: [
      offer,
      ...(message ? [`Their message:\n${message}`] : []),
      wrongRole
        ? `Your account with this address is a ${role === 'reseller' ? 'developer' : 'reseller'} account, which can't accept. Ask for an invitation to another address.`
        : 'Open the invitation to accept or reject it. If you have no account yet, you can create one with this email address.',
      `The invitation expires on ${dayInWords(expiresAt, timeZone)}. If you don't know the sender, ignore this email.`,
    ],
    ...(wrongRole ? {} : { link: { label: 'Open the invitation', url: invite.url } }),
    ...(unsubscribeUrl ? { unsubscribeUrl } : {}),
  });
}

interface Answer {
  to: string;
  /** The name of the invited account. */
  by: string;
  byEmail: string;
  accepted: boolean;
  url: string;
}

export function answerEmail({ to, by, byEmail, accepted, url }: Answer): Email {
  return composeEmail({
    to,
    subject: `${by} ${accepted ? 'accepted' : 'rejected'} your invitation`,
    lines: accepted
      ? [`${by} (${byEmail}) accepted your invitation. You now work together.`]
      : [`${by} (${byEmail}) rejected your invitation.`],
    ...(accepted ? { link: { label: 'Open your partnerships', url } } : {}),
  });
}
