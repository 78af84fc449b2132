import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';

// strangers can have these sent to any address, so they contain nothing that the sender typed

export function verificationEmail(to: string, url: string, publicUrl: string): Email {
  return composeEmail({
    to,
    subject: 'Verify your email address',
    lines: [
      'A Tonerow account was created with this email address. Verify that the address is yours to unlock all features.',
      'The link works for 7 days.',
      `If you did not create an account, do not use the link. Somebody else may have entered your address: choose a new password at ${publicUrl}/forgot-password, and the account is yours alone.`,
    ],
    link: { label: 'Verify your email address', url },
  });
}

export function resetEmail(to: string, url: string): Email {
  return composeEmail({
    to,
    subject: 'Choose a new password',
    lines: [
      'Somebody, hopefully you, asked for a new password for your Tonerow account.',
      'The link works once and for one hour. A new password signs out every session and deletes every access token.',
      'If it was not you, ignore this email: your password stays the same.',
    ],
    link: { label: 'Choose a new password', url },
  });
}

/** The email to the owner of an address that someone tried to register again. */
export function accountExistsEmail(to: string, publicUrl: string, verified: boolean): Email {
  const exists =
    'Somebody, perhaps you, tried to register with this address. It already has an account, so nothing was changed.';
  return composeEmail({
    to,
    subject: 'You already have a Tonerow account',
    ...(verified
      ? {
          lines: [exists, 'Sign in, or choose a new password if you forgot yours.'],
          link: { label: 'Sign in', url: `${publicUrl}/login` },
        }
      : {
          lines: [
            exists,
            'Nobody has verified the address of that account yet. If you did not create it, choose a new password: that makes the account yours alone, and ends every session, access token and two-factor sign-in that was set up before.',
          ],
          link: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
        }),
  });
}
