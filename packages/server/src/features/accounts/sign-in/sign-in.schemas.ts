import { z } from 'zod';
import { scopeNames } from '#platform/access/access.ts';
import { Id, Time } from '#platform/http/schemas.ts';
import { KnownPassword } from '../passwords/password-fields.ts';
import { TwoFactorCode } from '../two-factor/two-factor.schemas.ts';
import { DeviceToken, NewDeviceToken } from './device-token.ts';

export const LoginBody = z
  .strictObject({
    email: z.string().max(1000),
    password: KnownPassword,
    code: TwoFactorCode.optional(),
    device_token: DeviceToken.optional(),
  })
  .meta({ id: 'Login' });

export const AccountView = z
  .object({
    id: Id,
    role: z.enum(['developer', 'reseller']),
    is_reseller: z.boolean(),
    is_admin: z.boolean(),
    email: z.string(),
    email_verified: z
      .boolean()
      .describe(
        'Until the address is verified, the account cannot invite anyone, email customers, use a custom domain or choose a paid plan.',
      ),
    first_name: z.string(),
    last_name: z.string(),
    company_name: z.string().nullable(),
    website_url: z.string().nullable(),
    support_email: z.string().nullable(),
    support_url: z.string().nullable(),
    brand_color: z.string(),
    logo_url: z.string().nullable(),
    business_address: z.string().nullable(),
    tax_id: z.string().nullable(),
    time_zone: z.string(),
    plan: z.string(),
    created_at: Time,
  })
  .meta({ id: 'User' });
export type AccountView = z.output<typeof AccountView>;

export const MeView = AccountView.extend({
  credential: z.object({
    type: z.enum(['session', 'access_token']),
    id: Id,
    scopes: z.array(z.enum(scopeNames)).nullable(),
    expires_at: Time.nullable(),
  }),
}).meta({ id: 'Me' });

export const LoginAnswer = z
  .object({ token: z.string(), user: AccountView, device_token: NewDeviceToken })
  .meta({ id: 'LoginAnswer' });

export const SessionView = z
  .object({
    id: Id,
    user_agent: z.string().nullable(),
    device: z.string(),
    machine: z
      .string()
      .nullable()
      .describe('What the machine calls itself that was signed in with a code; null: signed in with the password.'),
    ip: z.string().nullable(),
    isCurrent: z.boolean(),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
  })
  .meta({ id: 'Session' });

export const RevokeSessionBody = z.strictObject({ id: Id });
