import { z } from 'zod';
import { Time } from '#platform/http/schemas.ts';
import { KnownPassword } from '../passwords/password-fields.ts';

/** From the authenticator app, or a recovery code. */
export const TwoFactorCode = z.string().trim().max(100).describe('From the authenticator app, or a recovery code.');

export const TwoFactorView = z
  .object({ enabled: z.boolean(), since: Time.nullable(), recovery_codes_left: z.int() })
  .meta({ id: 'TwoFactor' });

export const PasswordBody = z.strictObject({ password: KnownPassword });

export const TwoFactorSetup = z
  .object({
    secret: z.string().describe('Base32, for typing in when a QR code cannot be scanned.'),
    otpauth_url: z.string(),
    qr_svg: z.string().describe('The otpauth URI as a QR code, black on white.'),
  })
  .meta({ id: 'TwoFactorSetup' });

export const EnableTwoFactorBody = z.strictObject({
  code: z.string().trim().min(1, 'Required.').max(20).describe('From the authenticator app.'),
});

export const DisableTwoFactorBody = z.strictObject({
  password: KnownPassword,
  code: TwoFactorCode.min(1, 'Required.'),
});

export const RecoveryCodes = z
  .object({ recovery_codes: z.array(z.string()).describe('Shown once.') })
  .meta({ id: 'RecoveryCodes' });
