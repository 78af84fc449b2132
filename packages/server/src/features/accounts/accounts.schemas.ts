import { z } from 'zod';
import { scopeNames } from '#platform/access/access.ts';
import { oneLine } from '#platform/http/input/control-characters.ts';
import { Id, MOMENT, Moment, Time } from '#platform/http/schemas.ts';
import { settledPassword } from '#platform/secrets/password-hash.ts';
import { Email, OptionalEmail } from '#platform/text/email-address.ts';

export const NO_TIME_ZONE = 'Enter a time zone such as Europe/Berlin.';
export const line = (max: number) => oneLine().min(1, 'Required.').max(max);
const optionalText = (max: number) =>
  z
    .string()
    .trim()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const optionalLine = (max: number) =>
  oneLine()
    .max(max)
    .nullish()
    .transform((value) => value || null);
const webAddress = z
  .string()
  .trim()
  .max(500)
  .nullish()
  .transform((value) => value || null)
  .refine((value) => value === null || isWebAddress(value), 'Enter a web address such as https://example.com.');

export const TimeZone = z
  .string()
  .max(100)
  .refine(isTimeZone, NO_TIME_ZONE)
  .describe('An IANA time zone such as `Europe/Berlin`, in which the account’s dates and days are.');

/** 10 characters to 1024 bytes; hashing enforces further requirements. */
export const NewPassword = z
  .string()
  .refine((value) => [...settledPassword(value)].length >= 10, 'Use at least 10 characters.')
  .refine((value) => Buffer.byteLength(value) <= 1024, 'Use at most 1024 bytes.');
export const KnownPassword = z.string().min(1, 'Required.').max(4096);
/** From the authenticator app, or a recovery code. */
export const TwoFactorCode = z.string().trim().max(100).describe('From the authenticator app, or a recovery code.');

const person = {
  first_name: line(100),
  last_name: line(100),
  email: Email,
  password: NewPassword,
  time_zone: TimeZone.optional(),
};

export const RegisterDeveloperBody = z
  .strictObject({
    ...person,
    company_name: optionalLine(200),
    website_url: webAddress,
    support_email: OptionalEmail.optional(),
    support_url: webAddress,
    brand_color: z
      .string()
      .regex(/^#[0-9a-fA-F]{6}$/, 'Use a color such as #9a04bf.')
      .default('#000000'),
  })
  .meta({ id: 'RegisterDeveloper' });

export const RegisterResellerBody = z
  .strictObject({
    ...person,
    company_name: line(200),
    website_url: webAddress,
    support_email: OptionalEmail.optional(),
    support_url: webAddress,
    business_address: optionalText(500),
    tax_id: optionalLine(100),
  })
  .meta({ id: 'RegisterReseller' });

const DeviceToken = z
  .string()
  .max(200)
  .describe('From an earlier sign-in on this device. It grants no access by itself.');

export const LoginBody = z
  .strictObject({
    email: z.string().max(1000),
    password: KnownPassword,
    code: TwoFactorCode.optional(),
    device_token: DeviceToken.optional(),
  })
  .meta({ id: 'Login' });
export const ForgotPasswordBody = z.strictObject({ email: Email });
export const VerifyEmailBody = z.strictObject({ token: z.string().min(1).max(200) });
export const ResendVerificationBody = z.strictObject({ email: Email });
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
export const DeleteAccountBody = z.strictObject({
  password: KnownPassword,
  unpaid: z.boolean().default(false).describe('Delete it although payout statements are unpaid.'),
});
export const AccountDeletion = z
  .object({
    unpaid_statements: z.int().describe('Payout statements that are unpaid, on either side.'),
    open_statements: z
      .int()
      .describe('Payout statements with something to pay that months which are not closed yet will make.'),
    months: z
      .array(
        z.object({
          month: z.string().describe('The UTC month, such as 2026-03.'),
          total: z.number().describe('In dollars.'),
        }),
      )
      .describe('Months that the deletion closes and bills, the current one among them.'),
    open_invoices: z.int().describe('Invoices that are still to be collected.'),
    open_total: z.number().describe('Their sum, in dollars.'),
    total: z.number().describe('What the account owes when it is deleted now, in dollars.'),
    charges_card: z.boolean().describe('Whether the total is charged to the card.'),
  })
  .meta({ id: 'AccountDeletion' });
export type AccountDeletion = z.output<typeof AccountDeletion>;
export const RevokeSessionBody = z.strictObject({ id: Id });

export const UserView = z
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
export type UserView = z.output<typeof UserView>;

export const MeView = UserView.extend({
  credential: z.object({
    type: z.enum(['session', 'access_token']),
    id: Id,
    scopes: z.array(z.enum(scopeNames)).nullable(),
    expires_at: Time.nullable(),
  }),
}).meta({ id: 'Me' });

const NewDeviceToken = z.string().describe('Send it with the next sign-in, so that this device is recognized.');
export const LoginAnswer = z
  .object({ token: z.string(), user: UserView, device_token: NewDeviceToken })
  .meta({ id: 'LoginAnswer' });
export const PasswordReset = z
  .object({ message: z.string(), device_token: NewDeviceToken })
  .meta({ id: 'PasswordReset' });
export const NewSession = z.object({ message: z.string(), token: z.string() }).meta({ id: 'NewSession' });

export const SessionView = z
  .object({
    id: Id,
    user_agent: z.string().nullable(),
    device: z.string(),
    ip: z.string().nullable(),
    isCurrent: z.boolean(),
    created_at: Time,
    last_seen_at: Time,
    expires_at: Time,
  })
  .meta({ id: 'Session' });

export const CreateAccessTokenBody = z
  .strictObject({
    name: line(100),
    scopes: z.array(z.enum(scopeNames)).min(1, 'Choose at least one scope.').max(scopeNames.length),
    expires_at: Moment.nullish().describe(`Until when it works: ${MOMENT}; null: for good. A day means its end.`),
  })
  .meta({ id: 'CreateAccessToken' });

const accessToken = {
  id: Id,
  name: z.string(),
  scopes: z.array(z.enum(scopeNames)),
  hint: z.string(),
  created_at: Time,
  last_used_at: Time.nullable(),
  expires_at: Time.nullable(),
};
export const AccessTokenView = z.object(accessToken).meta({ id: 'AccessToken' });
export const NewAccessToken = z
  .object({ ...accessToken, token: z.string().describe('Shown once.') })
  .meta({ id: 'NewAccessToken' });

/** `example.com` is taken as `https://example.com`, as the specification's links do. */
export function isWebAddress(value: string): boolean {
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:/i.test(value) ? value : `https://${value}`);
    return (url.protocol === 'http:' || url.protocol === 'https:') && url.hostname.includes('.');
  } catch {
    return false;
  }
}

function isTimeZone(name: string): boolean {
  // an offset such as +02:00 has no daylight saving time, and is not the name of a zone
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
