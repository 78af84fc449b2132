import { z } from 'zod';
import { Email } from '#platform/text/email-address.ts';
import { DeviceToken, NewDeviceToken } from '../sign-in/device-token.ts';
import { NewPassword } from './password-fields.ts';

export const ForgotPasswordBody = z.strictObject({ email: Email });

export const ResetPasswordBody = z.strictObject({
  token: z.string().min(1).max(200),
  password: NewPassword,
  device_token: DeviceToken.optional(),
});

const BOTH = 'Please fill in both current and new password.';
export const UpdatePasswordBody = z.strictObject({
  oldPassword: z.string({ error: BOTH }).min(1, BOTH).max(4096),
  newPassword: z.string({ error: BOTH }).min(1, BOTH).pipe(NewPassword),
});

export const PasswordReset = z
  .object({ message: z.string(), device_token: NewDeviceToken })
  .meta({ id: 'PasswordReset' });

export const NewSession = z.object({ message: z.string(), token: z.string() }).meta({ id: 'NewSession' });
