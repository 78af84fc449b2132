import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import type { InvitedSearch } from '#lib/session/guards.ts';
import { browserZone } from '#lib/time/zone.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Field, Input, PasswordInput } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSignInAfterRegister } from './after-register.ts';
import { AuthLayout } from './auth-layout.tsx';
import { CheckMailbox } from './check-mailbox.tsx';
import { LogoField } from './logo-field.tsx';
import { type DeveloperForm, developerSchema, filledIn } from './schema.ts';

const blank: DeveloperForm = {
  first_name: '',
  last_name: '',
  email: '',
  password: '',
  company_name: '',
  website_url: '',
  support_email: '',
  support_url: '',
  brand_color: '#000000',
  time_zone: browserZone,
};

export function RegisterDeveloper({ email, redirect }: InvitedSearch) {
  useTitle('Register as developer');
  const signIn = useSignInAfterRegister(redirect);
  const [logo, setLogo] = useState<File | null>(null);
  const [failure, setFailure] = useState<unknown>(null);
  const [mailbox, setMailbox] = useState<string | null>(null);
  const form = useForm<DeveloperForm>({
    defaultValues: { ...blank, email: email ?? '' },
    resolver: zodResolver(developerSchema),
  });
  const { errors, isSubmitting } = form.formState;
  const color = form.watch('brand_color');

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    try {
      const body = {
        ...filledIn(values),
        first_name: values.first_name,
        last_name: values.last_name,
        email: values.email,
        password: values.password,
      };
      await api.registerDeveloper({ body: logo ? { ...body, logo } : body });
      if (!(await signIn(values.email, values.password))) setMailbox(values.email);
    } catch (error) {
      if (!showFieldErrors(error, form.setError, Object.keys(blank))) setFailure(error);
    }
  });

  if (mailbox) return <CheckMailbox email={mailbox} />;
  return (
    <AuthLayout wide title="Register as developer" lead="Free to start: 50 redemptions a month, no card required.">
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
        <Field
          label="Password"
          hint="At least 10 characters."
          error={errors.password?.message}
          className="sm:col-span-2"
        >
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        <TimeZoneField
          value={form.watch('time_zone')}
          onChange={(zone) => form.setValue('time_zone', zone, { shouldDirty: true })}
          hint="From this browser. Your dates and days are in it; you can change it later."
          error={errors.time_zone?.message}
          className="sm:col-span-2"
        />

        <h2 className="mt-3 border-t border-line pt-6 font-semibold sm:col-span-2">What your customers see</h2>
        <Field label="Company name" optional error={errors.company_name?.message}>
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
        <Field
          label="Brand color"
          hint="The color of your redemption page."
          error={errors.brand_color?.message}
          className="sm:col-span-2"
        >
          {(control) => (
            <div className="flex gap-2">
              <input
                type="color"
                aria-label="Pick the brand color"
                value={/^#[0-9a-f]{6}$/i.test(color) ? color : '#000000'}
                onChange={(event) =>
                  form.setValue('brand_color', event.target.value, { shouldDirty: true, shouldValidate: true })
                }
                className="h-9 w-12 shrink-0 cursor-pointer rounded-md border border-line-strong bg-surface p-1"
              />
              <Input
                {...control}
                {...form.register('brand_color')}
                className="max-w-36 font-mono"
                spellCheck={false}
                maxLength={7}
              />
            </div>
          )}
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
