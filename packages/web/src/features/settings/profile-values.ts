import { emailMistake, trimmed, websiteMistake, withScheme } from '#lib/format/typed.ts';
import type { AccountSettings } from '#lib/types.ts';

export type ProfileForm = ReturnType<typeof profileOf>;

/** Resellers are identified by their company, so it can't be empty. */
export const profileMistakes = (typed: ProfileForm, reseller: boolean) => ({
  first_name: !typed.first_name.trim() && 'Enter your first name.',
  last_name: !typed.last_name.trim() && 'Enter your last name.',
  company_name: reseller && !typed.company_name.trim() && 'Enter the name of your company.',
  website_url: websiteMistake(typed.website_url),
  support_email: emailMistake(typed.support_email),
  support_url: websiteMistake(typed.support_url),
  business_address: typed.business_address.trim().length > 500 && 'Use at most 500 characters.',
  tax_id: typed.tax_id.trim().length > 100 && 'Use at most 100 characters.',
});

export function profileOf(settings: AccountSettings) {
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
export function toProfileChange(typed: ProfileForm, reseller: boolean): Partial<AccountSettings> {
  const form = trimmed(typed);
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
