import { composeEmail } from '#platform/email/compose-email.ts';
import type { Email } from '#platform/email/mailer.ts';
import { type Device, deviceName } from '#platform/network/device.ts';
import { momentInWords } from '#platform/time/dates-in-words.ts';

/** The recipient, and when and where it happened. */
export interface Occasion {
  to: string;
  at: Date;
  /** The account's. */
  timeZone: string;
  device: Device;
  publicUrl: string;
}

const PASSWORD_FIRST = 'choose a new password immediately: that signs everyone out and deletes every access token.';
const MOST_NAMES = 20;

/** Names the deleted access tokens, because scripts that use them stop working. */
export function passwordChangedEmail(
  to: string,
  publicUrl: string,
  { tokens, trusts, takeover }: { tokens: string[]; trusts: string[]; takeover: boolean },
): Email {
  return composeEmail({
    to,
    subject: 'Your password was changed',
    lines: [
      'The password of your Tonerow account was changed, and every session was signed out.',
      ...(tokens.length > 0
        ? [`These access tokens were deleted, and scripts that use them need new ones: ${namesOf(tokens)}.`]
        : []),
      ...(trusts.length > 0
        ? [`These trusts for CI were deleted, and jobs that use them need new ones: ${namesOf(trusts)}.`]
        : []),
      ...(takeover
        ? [
            'Nobody had verified this address before, so somebody else may have created the account. Its two-factor sign-in was switched off, and the secrets of the plugin keys it had can no longer be shown: rotate them before you build them into a plugin. Review its profile, products, files and imported RSA keys before you use them.',
          ]
        : []),
      'If it was not you, choose a new password immediately.',
    ],
    link: { label: 'Choose a new password', url: `${publicUrl}/forgot-password` },
  });
}

export function twoFactorOnEmail(occasion: Occasion): Email {
  return securityEmail(occasion, 'Two-factor sign-in was switched on', [
    'Two-factor sign-in was switched on for your Tonerow account. From now on, signing in also requires a code.',
    `If it was not you, ${PASSWORD_FIRST} Then use a session that is still open, or contact us, to switch it off.`,
  ]);
}

export function twoFactorOffEmail(occasion: Occasion): Email {
  return securityEmail(occasion, 'Two-factor sign-in was switched off', [
    'Two-factor sign-in was switched off for your Tonerow account. Signing in now takes only the password.',
    `If it was not you, ${PASSWORD_FIRST} Then switch two-factor sign-in on again.`,
  ]);
}

export function recoveryCodesEmail(occasion: Occasion): Email {
  return securityEmail(occasion, 'Your recovery codes were renewed', [
    'New recovery codes were made for your Tonerow account. The old ones no longer work.',
    `If it was not you, ${PASSWORD_FIRST} Then renew the codes yourself.`,
  ]);
}

export function recoveryCodeUsedEmail(occasion: Occasion, left: number): Email {
  return securityEmail(occasion, 'A recovery code was used to sign in', [
    `Somebody, hopefully you, signed in to your Tonerow account with a recovery code. Codes left: ${left}.`,
    `If it was not you, ${PASSWORD_FIRST} Then renew the recovery codes.`,
  ]);
}

export function newDeviceEmail(occasion: Occasion): Email {
  return securityEmail(occasion, 'A new device signed in to your account', [
    'Somebody, hopefully you, signed in to your Tonerow account from a device that had not signed in before.',
    `If it was not you, ${PASSWORD_FIRST}`,
  ]);
}

/** `machine`: what it calls itself, without anything that could be an address or a sentence. */
export function terminalSignInEmail(occasion: Occasion, machine: string | null): Email {
  const where = machine === null ? 'a terminal' : `a terminal on the machine "${machine}"`;
  return securityEmail(occasion, 'A terminal was signed in to your account', [
    `Somebody, hopefully you, confirmed a code in the browser, and ${where} is now signed in to your Tonerow account.`,
    `If it was not you, end that session in the account's settings, and ${PASSWORD_FIRST}`,
  ]);
}

export function accessTokenEmail(occasion: Occasion, name: string): Email {
  return securityEmail(occasion, 'A new access token was created', [
    `An access token named "${name}" was created for your Tonerow account. Anyone who has it can use it without your password.`,
    `If it was not you, delete the token in the account's settings, and ${PASSWORD_FIRST}`,
  ]);
}

export function trustEmail(occasion: Occasion, name: string, where: string): Email {
  return securityEmail(occasion, 'A new trust for CI was created', [
    `A trust named "${name}" was created for your Tonerow account. Jobs of ${where} can use the account within its scopes, without your password.`,
    `If it was not you, delete the trust in the account's settings, and ${PASSWORD_FIRST}`,
  ]);
}

export function trustChangedEmail(occasion: Occasion, name: string, where: string): Email {
  return securityEmail(occasion, 'A trust for CI was changed', [
    `The trust named "${name}" of your Tonerow account was changed. Jobs of ${where} can now use the account within its scopes, without your password.`,
    `If it was not you, delete the trust in the account's settings, and ${PASSWORD_FIRST}`,
  ]);
}

export function accountDeletedEmail(occasion: Occasion): Email {
  const [what, when] = [
    'Your Tonerow account was deleted, and your personal data in it was erased. This cannot be undone.',
    whenAndWhere(occasion),
  ];
  const ifNot = 'If it was not you, somebody knows your password: change it wherever else you use it, and contact us.';
  return composeEmail({ to: occasion.to, subject: 'Your account was deleted', lines: [what, when, ifNot] });
}

function namesOf(names: string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => `"${name}"`);
  return `${shown.join(', ')}${names.length > MOST_NAMES ? ` and ${names.length - MOST_NAMES} more` : ''}`;
}

function securityEmail(occasion: Occasion, subject: string, [what, ifNot]: [string, string]): Email {
  return composeEmail({
    to: occasion.to,
    subject,
    lines: [what, whenAndWhere(occasion), ifNot],
    link: { label: 'Choose a new password', url: `${occasion.publicUrl}/forgot-password` },
  });
}

function whenAndWhere({ at, timeZone, device }: Occasion): string {
  return `When: ${momentInWords(at, timeZone)}. Device: ${deviceName(device.userAgent)}, address ${device.ip}.`;
}
