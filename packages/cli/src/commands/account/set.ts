import { updateAccountSettingsRedemption_emails } from '@tonerow/sdk/values';
import { defineCommand } from '#define/define-command.ts';
import { amount, choice, number, onOff, text } from '#define/option-types.ts';
import { UsageError } from '#exit.ts';
import { asFields } from '#input/as-fields.ts';
import { list } from '#output/table.ts';

export const accountSet = defineCommand({
  path: 'account set',
  summary: 'Update settings; omitted options stay unchanged',
  operations: ['getMe', 'updateAccountSettings', 'updateResellerSettings'],
  options: {
    timeZone: text('<zone>', 'where days begin and end, such as Europe/Berlin'),
    firstName: text('<name>', ''),
    lastName: text('<name>', ''),
    company: text('<name>', ''),
    website: text('<url>', '"" removes it'),
    supportEmail: text('<address>', '"" removes it'),
    supportUrl: text('<url>', '"" removes it'),
    address: text('<address>', 'business address; "" removes it'),
    taxId: text('<id>', '"" removes it'),
    logo: text('<url>', 'from "tonerow files image --logo"'),
    notifyRedemptions: onOff('emails about redemptions'),
    notifyLowSerials: onOff('emails when a product runs low on serials'),
    notifyWebhookFail: onOff('emails when a webhook fails'),
    notifyAnnouncements: onOff('emails about news'),
    notifyInquiries: onOff('emails about developers’ inquiries'),
    notifyDeals: onOff('emails about new deals'),
    notifyShops: onOff('emails about your shops'),
    lowSerials: number('<n>', 'a product with fewer serials is low on stock'),
    remindFrom: amount('<amount>', 'dollars; no reminders of statements with less to pay'),
    redemptionEmails: choice('<each|daily>', 'one email per redemption, or one a day', {
      values: updateAccountSettingsRedemption_emails,
    }),
  },
  examples: ['tonerow account set --time-zone Europe/Berlin --notify-redemptions off'],
  async run({ context, options }) {
    const { company, website, address, logo, lowSerials, remindFrom, ...entered } = options;
    if (remindFrom === null) throw new UsageError('--remind-from takes dollars, such as 10.');
    const body = {
      ...asFields(entered),
      company_name: company,
      website_url: website,
      business_address: address,
      logo_url: logo,
      low_serials_threshold: lowSerials,
      reminder_threshold: remindFrom,
    };
    if (Object.values(body).every((value) => value === undefined))
      throw new UsageError('Specify what to change, such as --time-zone Europe/Berlin.');
    const api = await context.api();
    const { is_reseller } = await api.getMe({}, context.call);
    const settings = is_reseller
      ? await api.updateResellerSettings({ body }, context.call)
      : await api.updateAccountSettings({ body }, context.call);
    await context.print(settings, list(Object.entries(settings)));
    context.note('Settings saved!');
  },
});
