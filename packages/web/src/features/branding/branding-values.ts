import { emailMistake, websiteMistake, withScheme } from '#lib/format/typed.ts';
import type { Branding } from './branding-query.ts';
import { isColor, toColor } from './color.ts';

export type BrandingForm = ReturnType<typeof brandingFormOf>;

export const brandingMistakes = (typed: BrandingForm) => ({
  brand_color: !isColor(toColor(typed.brand_color)) && 'Use a color such as #9a04bf.',
  support_email: emailMistake(typed.support_email),
  support_url: websiteMistake(typed.support_url),
});

export function brandingFormOf(branding: Branding) {
  return {
    logo_url: branding.logo_url ?? '',
    brand_color: branding.brand_color,
    dark_mode: branding.dark_mode,
    support_email: branding.support_email ?? '',
    support_url: branding.support_url ?? '',
    send_customer_emails: branding.send_customer_emails,
  };
}

export function toBrandingChange(form: BrandingForm) {
  return {
    logo_url: form.logo_url || null,
    brand_color: toColor(form.brand_color),
    dark_mode: form.dark_mode,
    support_email: form.support_email.trim() || null,
    support_url: form.support_url.trim() ? withScheme(form.support_url) : null,
    send_customer_emails: form.send_customer_emails,
  };
}

const NONE = 'none';

interface EmailLook {
  color: string;
  logo: string | null;
  supportEmail: string | null;
  supportUrl: string | null;
}

/**
 * The part of the typed branding that an email can be shown with. A field stays as it is saved until what is typed is
 * complete.
 */
export function emailLook({ color, logo, supportEmail, supportUrl }: EmailLook) {
  return {
    brand_color: color,
    logo_url: logo ?? NONE,
    ...(emailMistake(supportEmail ?? '') ? {} : { support_email: supportEmail?.trim() || NONE }),
    ...(websiteMistake(supportUrl ?? '') ? {} : { support_url: supportUrl?.trim() ? withScheme(supportUrl) : NONE }),
  };
}
