import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import type { InvitedSearch } from '#lib/session/guards.ts';
import { SupportFields, WebsiteField } from '#ui/forms/company-fields.tsx';
import { Field, Input, PasswordInput, Textarea } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from '../auth-layout.tsx';
import { useSignInAfterRegister } from './after-register.ts';
import { CheckMailbox } from './check-mailbox.tsx';
import { LogoField } from './logo-field.tsx';
import { PersonFields, RegisterEnd } from './register-parts.tsx';
import { blankReseller, filledIn, resellerMistakes } from './register-values.ts';

export function RegisterReseller({ email, redirect }: InvitedSearch) {
  useTitle('Register as reseller');
  const signIn = useSignInAfterRegister(redirect);
  const [logo, setLogo] = useState<File | null>(null);
  const [mailbox, setMailbox] = useState<string | null>(null);
  const form = useSavedForm({
    values: { ...blankReseller, email: email ?? '' },
    check: resellerMistakes,
    save: async ({ confirm: _, ...values }) => {
      const body = { ...filledIn(values), company_name: values.company_name.trim() };
      await api.registerReseller({ body: logo ? { ...body, logo_url: logo } : body });
      if (!(await signIn(body.email, body.password))) setMailbox(body.email);
    },
  });

  if (mailbox) return <CheckMailbox email={mailbox} />;
  return (
    <AuthLayout wide title="Register as reseller" lead="Sell the serials of plugin developers for a commission.">
      <form {...form.frame} className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <PersonFields form={form} />
        <Field label="Password" hint="At least 10 characters." error={form.error('password')}>
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        <Field label="Confirm password" error={form.error('confirm')}>
          {(control) => <PasswordInput {...control} {...form.register('confirm')} autoComplete="new-password" />}
        </Field>
        <TimeZoneField
          value={form.watch('time_zone')}
          onChange={(zone) => form.setValue('time_zone', zone, { shouldDirty: true })}
          hint="From this browser. Your dates and days are in it; you can change it later."
          error={form.error('time_zone')}
          className="sm:col-span-2"
        />

        <h2 className="mt-3 border-t border-line pt-6 font-semibold sm:col-span-2">Your company</h2>
        <Field label="Company name" error={form.error('company_name')}>
          {(control) => <Input {...control} {...form.register('company_name')} autoComplete="organization" />}
        </Field>
        <WebsiteField form={form} />
        <SupportFields form={form} />

        <Field label="Business address" optional error={form.error('business_address')} className="sm:col-span-2">
          {(control) => <Textarea {...control} {...form.register('business_address')} autoComplete="street-address" />}
        </Field>
        <Field label="Tax ID" optional error={form.error('tax_id')} className="sm:col-span-2">
          {(control) => <Input {...control} {...form.register('tax_id')} autoComplete="off" />}
        </Field>
        <div className="sm:col-span-2">
          <LogoField file={logo} onChange={setLogo} />
        </div>
        <RegisterEnd failure={form.failure} busy={form.busy} />
      </form>
    </AuthLayout>
  );
}
