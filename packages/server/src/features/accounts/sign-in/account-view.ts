import type { Columns } from '#platform/db/tables.ts';
import type { AccountView } from './sign-in.schemas.ts';

/** The columns that an account sees of itself. */
export const SHOWN = [
  'id',
  'role',
  'is_admin',
  'email',
  'email_verified_at',
  'first_name',
  'last_name',
  'company_name',
  'website_url',
  'support_email',
  'support_url',
  'brand_color',
  'logo_url',
  'business_address',
  'tax_id',
  'time_zone',
  'plan',
  'created_at',
] as const;

export type Shown = Columns<'users', (typeof SHOWN)[number]>;

export function accountViewOf({ email_verified_at, ...account }: Shown): AccountView {
  return { ...account, is_reseller: account.role === 'reseller', email_verified: email_verified_at !== null };
}
