import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { sendLogo } from '#lib/files/upload-image.ts';
import type { AccountSettings } from '#lib/types.ts';
import { Field, Input, Textarea } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { UploadImage } from '#ui/forms/upload-image.tsx';
import { type ProfileForm as Form, profileOf, profileSchema, toProfileChange } from './profile-schema.ts';
import { SaveLine } from './save-line.tsx';
import { useSaveSection } from './settings-query.ts';
import { useUnsavedSection } from './unsaved-sections.tsx';

export function ProfileForm({ settings, reseller }: { settings: AccountSettings; reseller: boolean }) {
  const [uploading, setUploading] = useState(false);
  const form = useForm<Form>({
    defaultValues: profileOf(settings),
    resolver: zodResolver(profileSchema(reseller)),
  });
  const { errors, isDirty, isSubmitting, dirtyFields } = form.formState;
  const { submit, failure, saved } = useSaveSection(form, (values) => toProfileChange(values, reseller), profileOf);
  useUnsavedSection(isDirty || uploading);

  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-6">
      {reseller ? (
        <UploadImage
          label="Logo"
          value={form.watch('logo_url') || null}
          onChange={(url) => form.setValue('logo_url', url ?? '', { shouldDirty: true })}
          send={sendLogo}
          failed="Logo upload failed."
          error={errors.logo_url?.message}
          onBusy={setUploading}
          className="size-16"
          fit="contain"
        />
      ) : null}
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="First name" error={errors.first_name?.message}>
          {(control) => <Input {...control} {...form.register('first_name')} autoComplete="given-name" />}
        </Field>
        <Field label="Last name" error={errors.last_name?.message}>
          {(control) => <Input {...control} {...form.register('last_name')} autoComplete="family-name" />}
        </Field>
        <Field label="Company" optional={!reseller} error={errors.company_name?.message}>
          {(control) => <Input {...control} {...form.register('company_name')} autoComplete="organization" />}
        </Field>
        <Field label="Website" optional error={errors.website_url?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('website_url')}
              inputMode="url"
              autoComplete="url"
              spellCheck={false}
            />
          )}
        </Field>
        {reseller ? (
          <>
            <Field label="Support email" optional error={errors.support_email?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register('support_email')}
                  type="email"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
            <Field label="Support URL" optional error={errors.support_url?.message}>
              {(control) => (
                <Input
                  {...control}
                  {...form.register('support_url')}
                  inputMode="url"
                  autoComplete="off"
                  spellCheck={false}
                />
              )}
            </Field>
          </>
        ) : null}
        <Field
          label="Business address"
          optional
          hint={
            reseller
              ? 'Developers see it, and it is on your statements.'
              : 'It is on your invoices. Your resellers see it, and it is on their statements.'
          }
          error={errors.business_address?.message}
          className="sm:col-span-2"
        >
          {(control) => <Textarea {...control} {...form.register('business_address')} autoComplete="street-address" />}
        </Field>
        <Field label="Tax id" optional error={errors.tax_id?.message}>
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
        error={errors.time_zone?.message}
      />
      <SaveLine
        label="Save Profile"
        busy={isSubmitting}
        dirty={isDirty}
        blocked={uploading}
        saved={saved}
        failure={failure}
        onDiscard={() => form.reset()}
      />
    </form>
  );
}
