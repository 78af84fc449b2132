import { z } from 'zod/mini';
import type { AccountSettings } from '#lib/types.ts';

const required = (message: string) => z.string().check(z.trim(), z.minLength(1, message));

const website = z.string().check(
  z.trim(),
  z.refine(
    (text) => text === '' || URL.canParse(withScheme(text)),
    'Enter a web address, such as https://example.com.',
  ),
);

const profile = z.object({
  first_name: required('Enter your first name.'),
  last_name: required('Enter your last name.'),
  company_name: z.string().check(z.trim()),
  website_url: website,
  support_email: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
      "This doesn't look like an email address.",
    ),
  ),
  support_url: website,
  business_address: z.string().check(z.trim(), z.maxLength(500, 'Use at most 500 characters.')),
  tax_id: z.string().check(z.trim(), z.maxLength(100, 'Use at most 100 characters.')),
  logo_url: z.string(),
  time_zone: z.string(),
});

export type ProfileForm = z.infer<typeof profile>;

/** Resellers are identified by their company, so it can't be empty. */
export function profileSchema(reseller: boolean) {
  if (!reseller) return profile;
  return z.extend(profile, { company_name: required('Enter the name of your company.') });
}

export function profileOf(settings: AccountSettings): ProfileForm {
  return {
    first_name: settings.first_name,
    last_name: settings.last_name,
    company_name: settings.company_name ?? '',
    website_url: settings.website_url ?? '',
    support_email: settings.support_email ?? '',
    support_url: settings.support_url ?? '',
    business_address: settings.business_address ?? '',
    tax_id: settings.tax_id ?? '',
    logo_url: settings.logo_url ?? '',
    time_zone: settings.time_zone,
  };
}

/** A developer's logo and support address belong to the branding. */
export function toProfileChange(form: ProfileForm, reseller: boolean): Partial<AccountSettings> {
  return {
    first_name: form.first_name,
    last_name: form.last_name,
    company_name: form.company_name || null,
    website_url: form.website_url ? withScheme(form.website_url) : null,
    ...(reseller
      ? {
          support_email: form.support_email || null,
          support_url: form.support_url ? withScheme(form.support_url) : null,
          logo_url: form.logo_url || null,
        }
      : {}),
    business_address: form.business_address || null,
    tax_id: form.tax_id || null,
    time_zone: form.time_zone,
  };
}

function withScheme(text: string): string {
  return /^https?:\/\//i.test(text) ? text : `https://${text}`;
}
