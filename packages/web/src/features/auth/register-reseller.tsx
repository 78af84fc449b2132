import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import type { InvitedSearch } from '#lib/session/guards.ts';
import { browserZone } from '#lib/time/zone.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Field, Input, PasswordInput, Textarea } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSignInAfterRegister } from './after-register.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CheckMailbox } from './check-mailbox.tsx';
import { LogoField } from './logo-field.tsx';
import { filledIn, type ResellerForm, resellerSchema } from './schema.ts';

const blank: ResellerForm = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  confirm: '',
  company_name: '',
  website_url: '',
  support_email: '',
  support_url: '',
  business_address: '',
  tax_id: '',
  time_zone: browserZone,
};

export function RegisterReseller({ email, redirect }: InvitedSearch) {
  useTitle('Register as reseller');
  const signIn = useSignInAfterRegister(redirect);
  const [logo, setLogo] = useState<File | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [mailbox, setMailbox] = useState<string | null>(null);
  const form = useForm<ResellerForm>({
    defaultValues: { ...blank, email: email ?? '' },
    resolver: zodResolver(resellerSchema),
  });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ confirm: _, ...values }) => {
    setFailure(null);
    try {
      const { first_name, last_name, email, password, company_name } = values;
      const body = { ...filledIn(values), first_name, last_name, email, password, company_name };
      await api.registerReseller({ body: logo ? { ...body, logo_url: logo } : body });
      if (!(await signIn(email, password))) setMailbox(email);
    } catch (error) {
      if (!showFieldErrors(error, form.setError, Object.keys(blank))) setFailure(error);
    }
  });

  if (mailbox) return <CheckMailbox email={mailbox} />;
  return (
    <AuthLayout wide title="Register as reseller" lead="Sell the serials of plugin developers for a commission.">
      <form onSubmit={submit} noValidate className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="First name" error={errors.first_name?.message}>
          {(control) => <Input {...control} {...form.register('first_name')} autoComplete="given-name" />}
        </Field>
        <Field label="Last name" error={errors.last_name?.message}>
          {(control) => <Input {...control} {...form.register('last_name')} autoComplete="family-name" />}
        </Field>
        <Field label="Email" error={errors.email?.message} className="sm:col-span-2">
          {(control) => (
            <Input {...control} {...form.register('email')} type="email" autoComplete="username" spellCheck={false} />
          )}
        </Field>
        <Field label="Password" hint="At least 10 characters." error={errors.password?.message}>
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        <Field label="Confirm password" error={errors.confirm?.message}>
          {(control) => <PasswordInput {...control} {...form.register('confirm')} autoComplete="new-password" />}
        </Field>
        <TimeZoneField
          value={form.watch('time_zone')}
          onChange={(zone) => form.setValue('time_zone', zone, { shouldDirty: true })}
          hint="From this browser. Your dates and days are in it; you can change it later."
          error={errors.time_zone?.message}
          className="sm:col-span-2"
        />

        <h2 className="mt-3 border-t border-line pt-6 font-semibold sm:col-span-2">Your company</h2>
        <Field label="Company name" error={errors.company_name?.message}>
          {(control) => <Input {...control} {...form.register('company_name')} autoComplete="organization" />}
        </Field>
        <Field label="Website" optional error={errors.website_url?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('website_url')}
              inputMode="url"
              placeholder="https://"
              autoComplete="url"
            />
          )}
        </Field>
        <Field label="Support email" optional error={errors.support_email?.message}>
          {(control) => <Input {...control} {...form.register('support_email')} type="email" autoComplete="off" />}
        </Field>
        <Field label="Support URL" optional error={errors.support_url?.message}>
          {(control) => (
            <Input
              {...control}
              {...form.register('support_url')}
              inputMode="url"
              placeholder="https://"
              autoComplete="off"
            />
          )}
        </Field>
        <Field label="Business address" optional error={errors.business_address?.message} className="sm:col-span-2">
          {(control) => <Textarea {...control} {...form.register('business_address')} autoComplete="street-address" />}
        </Field>
        <Field label="Tax ID" optional error={errors.tax_id?.message} className="sm:col-span-2">
          {(control) => <Input {...control} {...form.register('tax_id')} autoComplete="off" />}
        </Field>
        <div className="sm:col-span-2">
          <LogoField file={logo} onChange={setLogo} />
        </div>

        <div className="flex flex-col gap-4 sm:col-span-2">
          <FormError title="Registration failed." error={failure} />
          <Button type="submit" variant="primary" busy={isSubmitting} className="h-10">
            Register
          </Button>
          <p className="text-center text-sm text-muted">
            By registering you accept the <TextLink to="/terms">terms</TextLink>. Already registered?{' '}
            <TextLink to="/login">Sign in</TextLink>
          </p>
        </div>
      </form>
    </AuthLayout>
  );
}
