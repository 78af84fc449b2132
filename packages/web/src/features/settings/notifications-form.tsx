import type { AccountSettings } from '#lib/types.ts';
import { Field, Input, MoneyInput } from '#ui/forms/field.tsx';
import type { Mistakes } from '#ui/forms/form-parts.ts';
import { Select } from '#ui/forms/select.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Panel } from '#ui/page.tsx';
import { SaveLine } from './save-line.tsx';
import { useSection } from './settings-query.ts';
import { TestEmail } from './test-email.tsx';
import { useUnsavedSection } from './unsaved-sections.tsx';

type Flag =
  | 'send_customer_emails'
  | 'notify_redemptions'
  | 'notify_low_serials'
  | 'notify_webhook_fail'
  | 'notify_announcements'
  | 'notify_inquiries'
  | 'notify_deals'
  | 'notify_shops';

interface Entry {
  flag: Flag;
  label: string;
  hint: string;
}

const failingWebhooks: Entry = {
  flag: 'notify_webhook_fail',
  label: 'Failing webhooks',
  hint: 'When a webhook has failed for an hour, a day and three days, and when it is switched off.',
};

const shops: Entry = {
  flag: 'notify_shops',
  label: 'Shops',
  hint: 'When a connected shop sells something that is not mapped, goes silent, or needs a look.',
};

const forDevelopers: Entry[] = [
  { flag: 'notify_redemptions', label: 'Redemptions', hint: 'When a customer redeems one of your serials.' },
  {
    flag: 'notify_low_serials',
    label: 'Low serials',
    hint: 'When a product is about to run out of available serials.',
  },
  failingWebhooks,
  shops,
  { flag: 'notify_announcements', label: 'Announcements', hint: 'What is new in Tonerow. Rarely.' },
  {
    flag: 'notify_inquiries',
    label: 'Reseller inquiries',
    hint: 'When a reseller asks to sell your plugins.',
  },
  { flag: 'notify_deals', label: 'Deal requests', hint: 'When a reseller requests a deal.' },
  {
    flag: 'send_customer_emails',
    label: 'Emails to customers',
    hint: 'An email with serial and downloads, in your brand colors, when a serial is redeemed.',
  },
];

const forResellers: Entry[] = [
  { flag: 'notify_redemptions', label: 'Redemptions', hint: 'When a serial that you sold is redeemed.' },
  {
    flag: 'notify_low_serials',
    label: 'Low stock',
    hint: 'When your serials of a product fall below what its developer has set.',
  },
  failingWebhooks,
  shops,
  { flag: 'notify_announcements', label: 'Announcements', hint: 'What is new in Tonerow. Rarely.' },
  {
    flag: 'notify_inquiries',
    label: 'Developer inquiries',
    hint: 'When a developer invites you or sends you a message.',
  },
  { flag: 'notify_deals', label: 'New deals', hint: 'When a developer offers you a deal, or answers your request.' },
];

type Form = Record<Flag, boolean> & {
  redemption_emails: AccountSettings['redemption_emails'];
  threshold: string;
  reminder: string;
};

function formOf(settings: AccountSettings): Form {
  return {
    send_customer_emails: settings.send_customer_emails,
    redemption_emails: settings.redemption_emails,
    notify_redemptions: settings.notify_redemptions,
    notify_low_serials: settings.notify_low_serials,
    notify_webhook_fail: settings.notify_webhook_fail,
    notify_announcements: settings.notify_announcements,
    notify_inquiries: settings.notify_inquiries,
    notify_deals: settings.notify_deals,
    notify_shops: settings.notify_shops,
    threshold: String(settings.low_serials_threshold),
    reminder: String(settings.reminder_threshold),
  };
}

function toChange(
  { threshold, reminder, redemption_emails, ...flags }: Form,
  entries: Entry[],
): Partial<AccountSettings> {
  const change: Partial<AccountSettings> = {};
  for (const { flag } of entries) change[flag] = flags[flag];
  change.redemption_emails = redemption_emails;
  if (entries === forDevelopers) change.reminder_threshold = Number(reminder);
  if (entries === forDevelopers && flags.notify_low_serials) {
    change.low_serials_threshold = Number(threshold);
  }
  return change;
}

function mistakesOf({ threshold, reminder, notify_low_serials }: Form, reseller: boolean): Mistakes<Form> {
  const fits = (text: string, form: RegExp) => reseller || (form.test(text.trim()) && Number(text) <= 1_000_000);
  return {
    threshold: notify_low_serials && !fits(threshold, /^\d+$/) && 'Enter a whole number from 0 to 1,000,000.',
    reminder: !fits(reminder, /^\d+(\.\d{1,2})?$/) && 'Enter an amount such as 10, or 0 for every statement.',
  };
}

export function NotificationsForm({ settings, reseller }: { settings: AccountSettings; reseller: boolean }) {
  const entries = reseller ? forResellers : forDevelopers;
  const { form, saved } = useSection<Form>({
    settings,
    fromSettings: formOf,
    toChange: (values) => toChange(values, entries),
    check: (values) => mistakesOf(values, reseller),
  });
  useUnsavedSection(form.formState.isDirty);
  const low = form.watch('notify_low_serials');
  const redemptions = form.watch('notify_redemptions');

  return (
    <form {...form.frame} className="flex flex-col gap-5">
      <Panel>
        <ul className="divide-y divide-line">
          {entries.map(({ flag, label, hint }) => (
            <li key={flag} className="px-5 py-3.5">
              <Switch label={label} hint={hint} {...form.register(flag)} />
              {flag === 'notify_redemptions' && redemptions ? (
                <Field label="How often" className="mt-3 max-w-60">
                  {(control) => (
                    <Select {...control} {...form.register('redemption_emails')}>
                      <option value="each">One email each</option>
                      <option value="daily">One email a day</option>
                    </Select>
                  )}
                </Field>
              ) : null}
              {flag === 'notify_low_serials' && low && !reseller ? (
                <Field label="Fewer serials than" error={form.error('threshold')} className="mt-3 max-w-60">
                  {(control) => (
                    <Input
                      {...control}
                      {...form.register('threshold')}
                      inputMode="numeric"
                      className="figures max-w-32"
                    />
                  )}
                </Field>
              ) : null}
            </li>
          ))}
          {reseller ? null : (
            <li className="px-5 py-3.5">
              <Field
                label="Remind of statements from"
                hint="Neither you nor the reseller gets a reminder of a statement with less to pay."
                error={form.error('reminder')}
              >
                {(control) => <MoneyInput {...control} {...form.register('reminder')} className="max-w-40" />}
              </Field>
            </li>
          )}
        </ul>
      </Panel>
      <SaveLine form={form} label="Save Settings" saved={saved} />
      <TestEmail />
    </form>
  );
}
