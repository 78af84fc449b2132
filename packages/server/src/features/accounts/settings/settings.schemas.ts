import { z } from 'zod';
import { clearableLine, clearableText } from '#platform/http/input/optional-text.ts';
import { hasTwoDecimals } from '#platform/money.ts';
import { isWebAddress, NO_WEB_ADDRESS } from '#platform/network/web-address.ts';
import { isPictureAddress, NO_PICTURE } from '#platform/storage/picture-address.ts';
import { OptionalEmail } from '#platform/text/email-address.ts';
import { line, TimeZone } from './profile-fields.ts';

const webAddress = clearableText(500).refine((value) => value === null || isWebAddress(value), NO_WEB_ADDRESS);
const logo = clearableText(500).refine((value) => value === null || isPictureAddress(value), NO_PICTURE);

export const UpdateSettingsBody = z
  .strictObject({
    time_zone: TimeZone.optional(),
    first_name: line(100).optional(),
    last_name: line(100).optional(),
    company_name: clearableLine(200).optional(),
    website_url: webAddress.optional(),
    support_email: OptionalEmail.optional(),
    support_url: webAddress.optional(),
    business_address: clearableText(500).optional(),
    tax_id: clearableLine(100).optional(),
    logo_url: logo.optional(),
    send_customer_emails: z.boolean().optional(),
    notify_redemptions: z.boolean().optional(),
    redemption_emails: z.enum(['each', 'daily']).optional(),
    notify_low_serials: z.boolean().optional(),
    notify_webhook_fail: z.boolean().optional(),
    notify_announcements: z.boolean().optional(),
    notify_inquiries: z.boolean().optional(),
    notify_deals: z.boolean().optional(),
    notify_shops: z.boolean().optional(),
    low_serials_threshold: z.int().min(0).max(1_000_000).optional(),
    reminder_threshold: z.number().min(0).max(1_000_000).refine(hasTwoDecimals, 'Use at most two decimals.').optional(),
  })
  .meta({ id: 'UpdateAccountSettings' });
export type SettingsChanges = z.output<typeof UpdateSettingsBody>;

export const SettingsView = z
  .object({
    time_zone: z.string(),
    first_name: z.string(),
    last_name: z.string(),
    company_name: z.string().nullable(),
    website_url: z.string().nullable(),
    support_email: z.string().nullable(),
    support_url: z.string().nullable(),
    business_address: z.string().nullable(),
    tax_id: z.string().nullable(),
    logo_url: z.string().nullable(),
    send_customer_emails: z.boolean().describe('Whether customers get an email when they redeem a serial.'),
    notify_redemptions: z.boolean(),
    redemption_emails: z.enum(['each', 'daily']).describe('One email per redemption, or one a day.'),
    notify_low_serials: z.boolean(),
    notify_webhook_fail: z.boolean(),
    notify_announcements: z.boolean(),
    notify_inquiries: z.boolean(),
    notify_deals: z.boolean(),
    notify_shops: z.boolean(),
    low_serials_threshold: z.int(),
    reminder_threshold: z.number(),
  })
  .meta({ id: 'AccountSettings' });
export type Settings = z.output<typeof SettingsView>;

/** Settings that only developers use. */
const DEVELOPERS = {
  send_customer_emails: true,
  low_serials_threshold: true,
  reminder_threshold: true,
} as const;

export const UpdateResellerSettingsBody = UpdateSettingsBody.omit(DEVELOPERS).meta({ id: 'UpdateResellerSettings' });
export const ResellerSettingsView = SettingsView.omit(DEVELOPERS).meta({ id: 'ResellerSettings' });
