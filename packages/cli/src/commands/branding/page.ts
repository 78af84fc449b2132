import type { PrivateBranding } from '@tonerow/sdk';
import { list } from '#output/table.ts';

export const page = (branding: PrivateBranding) =>
  list([
    ['Redemption page', branding.redeem_url],
    ['Custom domain', branding.custom_domain ? `${branding.custom_domain} (${branding.domain_status})` : null],
    ['Logo', branding.logo_url],
    ['Color', branding.brand_color],
    ['Dark', branding.dark_mode],
    ['Support email', branding.support_email],
    ['Support URL', branding.support_url],
    ['Emails to customers', branding.send_customer_emails],
  ]);
