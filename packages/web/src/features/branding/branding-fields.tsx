import type { UseFormReturn } from 'react-hook-form';
import { Field, Input } from '#ui/forms/field.tsx';
import { Switch } from '#ui/forms/switch.tsx';
import { Panel } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import type { BrandingForm } from './branding-values.ts';
import { ColorField } from './color-field.tsx';

export function BrandingFields({ form }: { form: UseFormReturn<BrandingForm> }) {
  const { register, watch, setValue, formState } = form;
  const { errors, isSubmitted } = formState;
  return (
    <>
      <ColorField
        value={watch('brand_color')}
        dark={watch('dark_mode')}
        error={errors.brand_color?.message}
        onChange={(text) => setValue('brand_color', text, { shouldDirty: true, shouldValidate: isSubmitted })}
      />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field
          label="Support email"
          optional
          hint="Where Request Help emails go."
          error={errors.support_email?.message}
        >
          {(control) => (
            <Input {...control} {...register('support_email')} type="email" autoComplete="off" spellCheck={false} />
          )}
        </Field>
        <Field
          label="Support URL"
          optional
          hint="Used when there is no support email."
          error={errors.support_url?.message}
        >
          {(control) => (
            <Input {...control} {...register('support_url')} inputMode="url" autoComplete="off" spellCheck={false} />
          )}
        </Field>
      </div>
      {watch('support_email') || watch('support_url') ? null : (
        <Notice tone="warn">
          You have no support address. Customers write to you through a form on the page, and you get it at your
          account’s email address.
        </Notice>
      )}
      <Panel className="divide-y divide-line">
        <div className="px-5 py-3.5">
          <Switch label="Dark mode" hint="Always shows your redemption page in dark mode." {...register('dark_mode')} />
        </div>
        <div className="px-5 py-3.5">
          <Switch
            label="Emails to customers"
            hint="An email with serial and downloads, in your brand colors, when a serial is redeemed."
            {...register('send_customer_emails')}
          />
        </div>
      </Panel>
    </>
  );
}
