import { z } from 'zod/mini';
import type { Branding } from './branding-query.ts';
import { isColor, toColor } from './color.ts';

export const brandingSchema = z.object({
  logo_url: z.string(),
  brand_color: z.string().check(z.refine((text) => isColor(toColor(text)), 'Use a color such as #9a04bf.')),
  dark_mode: z.boolean(),
  support_email: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
      "This doesn't look like an email address.",
    ),
  ),
  support_url: z.string().check(
    z.trim(),
    z.refine(
      (text) => text === '' || URL.canParse(withScheme(text)),
      'Enter a web address, such as https://example.com.',
    ),
  ),
  send_customer_emails: z.boolean(),
});

export type BrandingForm = z.infer<typeof brandingSchema>;

export function brandingFormOf(branding: Branding): BrandingForm {
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
    support_email: form.support_email || null,
    support_url: form.support_url ? withScheme(form.support_url) : null,
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

/** What of the typed branding an email can be shown with; the rest stays as it is saved until it is whole. */
export function emailLook(typed: EmailLook) {
  const { support_email, support_url } = brandingSchema.shape;
  const email = support_email.safeParse(typed.supportEmail ?? '');
  const url = support_url.safeParse(typed.supportUrl ?? '');
  return {
    brand_color: typed.color,
    logo_url: typed.logo ?? NONE,
    ...(email.success ? { support_email: email.data || NONE } : {}),
    ...(url.success ? { support_url: url.data ? withScheme(url.data) : NONE } : {}),
  };
}

function withScheme(text: string): string {
  return /^https?:\/\//i.test(text) ? text : `https://${text}`;
}
