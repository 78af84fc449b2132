import { useState } from 'react';
import { sendLogo } from '#lib/files/upload-image.ts';
import type { AccountSettings } from '#lib/types.ts';
import { SupportFields, WebsiteField } from '#ui/forms/company-fields.tsx';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { UploadImage } from '#ui/forms/upload-image.tsx';
import { type ProfileForm as Form, profileMistakes, profileOf, toProfileChange } from './profile-values.ts';
import { SaveLine } from './save-line.tsx';
import { useSection } from './settings-query.ts';
import { useUnsavedSection } from './unsaved-sections.tsx';

export function ProfileForm({ settings, reseller }: { settings: AccountSettings; reseller: boolean }) {
  const [uploading, setUploading] = useState(false);
  const { form, saved } = useSection<Form>({
    settings,
    fromSettings: profileOf,
    toChange: (values) => toProfileChange(values, reseller),
    check: (values) => profileMistakes(values, reseller),
  });
  const { isDirty, dirtyFields } = form.formState;
  useUnsavedSection(isDirty || uploading);

  return (
    <form {...form.frame} className="flex flex-col gap-6">
      {reseller ? (
        <UploadImage
          label="Logo"
          value={form.watch('logo_url') || null}
          onChange={(url) => form.setValue('logo_url', url ?? '', { shouldDirty: true })}
          send={sendLogo}
          failed="Logo upload failed."
          error={form.error('logo_url')}
          onBusy={setUploading}
          className="size-16"
          fit="contain"
        />
      ) : null}
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="First name" error={form.error('first_name')}>
          {(control) => <Input {...control} {...form.register('first_name')} autoComplete="given-name" />}
        </Field>
        <Field label="Last name" error={form.error('last_name')}>
          {(control) => <Input {...control} {...form.register('last_name')} autoComplete="family-name" />}
        </Field>
        <Field label="Company" optional={!reseller} error={form.error('company_name')}>
          {(control) => <Input {...control} {...form.register('company_name')} autoComplete="organization" />}
        </Field>
        <WebsiteField form={form} />
        {reseller ? <SupportFields form={form} /> : null}
        <Field
          label="Business address"
          optional
          hint={
            reseller
              ? 'Developers see it, and it is on your statements.'
              : 'It is on your invoices. Your resellers see it, and it is on their statements.'
          }
          error={form.error('business_address')}
          className="sm:col-span-2"
        >
          {(control) => <Textarea {...control} {...form.register('business_address')} autoComplete="street-address" />}
        </Field>
        <Field label="Tax id" optional error={form.error('tax_id')}>
          {(control) => <Input {...control} {...form.register('tax_id')} autoComplete="off" spellCheck={false} />}
        </Field>
      </div>
      <TimeZoneField
        value={form.watch('time_zone')}
        onChange={(zone) => form.setValue('time_zone', zone, { shouldDirty: true })}
        hint={
          dirtyFields.time_zone
            ? 'When you save, past figures are recalculated for this time zone. That can take a moment.'
            : 'Your dates are shown in it, and your days begin at midnight in it; months of invoices and payouts are in UTC. Changing it recalculates past figures; dates you have set stay at the moment they are.'
        }
        error={form.error('time_zone')}
      />
      <SaveLine form={form} label="Save Profile" blocked={uploading} saved={saved} />
    </form>
  );
}
