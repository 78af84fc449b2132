import { z } from 'zod';
import { clearableText } from '#platform/http/input/optional-text.ts';
import { Id } from '#platform/http/schemas.ts';
import { isHttpAddress, NO_WEB_ADDRESS, withScheme } from '#platform/network/web-address.ts';
import { OptionalEmail } from '#platform/text/email-address.ts';

export const DEFAULT_BRAND_COLOR = '#9a04bf';

const address = clearableText(500);
const supportUrl = address
  .transform((value) => value && withScheme(value))
  .refine((value) => value === null || isHttpAddress(value), NO_WEB_ADDRESS);
const logo = address.refine(
  (value) => value === null || /^\/media\/images\/[0-9a-f-]{36}\.webp$/.test(value) || isHttpAddress(value),
  'Upload an image, or enter its address such as https://example.com/logo.png.',
);

/** What a developer may change about the looks of the page and of emails. */
export const brandLook = {
  logo_url: logo.optional(),
  brand_color: z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, 'Use a color such as #9a04bf.')
    .optional(),
  dark_mode: z.boolean().optional(),
  support_email: OptionalEmail.optional(),
  support_url: supportUrl.optional(),
};

export const UpdateBrandingBody = z.strictObject(brandLook).meta({ id: 'UpdateBranding' });
export const UpdateBrandingSettingsBody = z
  .strictObject({
    ...brandLook,
    send_customer_emails: z.boolean().optional(),
    notify_redemptions: z.boolean().optional(),
    notify_low_serials: z.boolean().optional(),
    notify_webhook_fail: z.boolean().optional(),
    notify_announcements: z.boolean().optional(),
  })
  .meta({ id: 'UpdateBrandingSettings' });
export type BrandingChanges = z.output<typeof UpdateBrandingSettingsBody>;

const shown = {
  user_id: Id,
  logo_url: z.string().nullable(),
  brand_color: z.string(),
  dark_mode: z.boolean(),
  support_email: z.string().nullable(),
  support_url: z.string().nullable(),
};

/** Public, because it is shown on the redemption page. */
export const BrandingView = z
  .object({
    ...shown,
    company_name: z.string().nullable(),
    closed: z
      .boolean()
      .describe(
        'The developer has deleted their account: serials can no longer be redeemed, but downloads still open.',
      ),
    unlocked: z
      .boolean()
      .describe('The developer has published unlocks for good for everyone: `GET /api/redeem/unlocks` lists them.'),
  })
  .meta({ id: 'Branding' });
export type BrandingView = z.output<typeof BrandingView>;

export const PrivateBrandingView = z
  .object({
    ...shown,
    send_customer_emails: z.boolean(),
    notify_redemptions: z.boolean(),
    notify_low_serials: z.boolean(),
    notify_webhook_fail: z.boolean(),
    notify_announcements: z.boolean(),
    custom_domain: z.string().nullable(),
    domain_status: z.enum(['verified', 'registered', 'not_registered']),
    dns_target: z.string().describe('The host that the custom domain’s CNAME record must point to.'),
    redeem_url: z.string().describe('The developer’s redemption page without a custom domain.'),
  })
  .meta({ id: 'PrivateBranding' });
export type PrivateBrandingView = z.output<typeof PrivateBrandingView>;

export const SavedBranding = z
  .object({ message: z.string(), branding: PrivateBrandingView })
  .meta({ id: 'SavedBranding' });

export const BrandingQuery = z.object({
  dev: Id.optional().describe('The developer’s id. If omitted, the signed-in developer.'),
});
export const HostQuery = z.object({ host: z.string().max(1000) });
export const DomainQuery = z.object({ domain: z.string().max(1000) });

export const CustomDomainBody = z.strictObject({ domain: z.string().max(1000) }).meta({ id: 'SetCustomDomain' });
export const DomainStatus = z.object({ verified: z.boolean(), registered: z.boolean() }).meta({ id: 'DomainStatus' });
export const CustomDomainAnswer = DomainStatus.extend({ message: z.string(), domain: z.string() }).meta({
  id: 'CustomDomain',
});
