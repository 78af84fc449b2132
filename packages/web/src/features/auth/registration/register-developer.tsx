import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import type { InvitedSearch } from '#lib/session/guards.ts';
import { SupportFields, WebsiteField } from '#ui/forms/company-fields.tsx';
import { Field, Input, PasswordInput } from '#ui/forms/field.tsx';
import { TimeZoneField } from '#ui/forms/time-zone-field.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from '../auth-layout.tsx';
import { useSignInAfterRegister } from './after-register.ts';
import { CheckMailbox } from './check-mailbox.tsx';
import { LogoField } from './logo-field.tsx';
import { PersonFields, RegisterEnd } from './register-parts.tsx';
import { blankDeveloper, developerMistakes, filledIn } from './register-values.ts';

export function RegisterDeveloper({ email, redirect }: InvitedSearch) {
  useTitle('Register as developer');
  const signIn = useSignInAfterRegister(redirect);
  const [logo, setLogo] = useState<File | null>(null);
  const [mailbox, setMailbox] = useState<string | null>(null);
  const form = useSavedForm({
    values: { ...blankDeveloper, email: email ?? '' },
    check: developerMistakes,
    save: async (values) => {
      const body = filledIn(values);
      await api.registerDeveloper({ body: logo ? { ...body, logo } : body });
      if (!(await signIn(body.email, body.password))) setMailbox(body.email);
    },
  });
  const color = form.watch('brand_color');

  if (mailbox) return <CheckMailbox email={mailbox} />;
  return (
    <AuthLayout wide title="Register as developer" lead="Free to start: 50 redemptions a month, no card required.">
      <form {...form.frame} className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <PersonFields form={form} />
        <Field label="Password" hint="At least 10 characters." error={form.error('password')} className="sm:col-span-2">
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        <TimeZoneField
          value={form.watch('time_zone')}
          onChange={(zone) => form.setValue('time_zone', zone, { shouldDirty: true })}
          hint="From this browser. Your dates and days are in it; you can change it later."
          error={form.error('time_zone')}
          className="sm:col-span-2"
        />

        <h2 className="mt-3 border-t border-line pt-6 font-semibold sm:col-span-2">What your customers see</h2>
        <Field label="Company name" optional error={form.error('company_name')}>
          {(control) => <Input {...control} {...form.register('company_name')} autoComplete="organization" />}
        </Field>
        <WebsiteField form={form} />
        <SupportFields form={form} />

        <Field
          label="Brand color"
          hint="The color of your redemption page."
          error={form.error('brand_color')}
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
        <RegisterEnd failure={form.failure} busy={form.busy} />
      </form>
    </AuthLayout>
  );
}
