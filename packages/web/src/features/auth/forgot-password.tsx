import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from './auth-layout.tsx';

export function ForgotPassword() {
  useTitle('Forgot password');
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSavedForm({
    values: { email: '' },
    check: ({ email }) => ({ email: !email.trim() && 'Enter your email address.' }),
    save: ({ email }) => api.forgotPassword({ body: { email: email.trim() } }),
    onSaved: (_, { email }) => setSentTo(email.trim()),
  });

  return (
    <AuthLayout title="Reset your password" lead="We'll send a link to your account's email address.">
      {sentTo ? (
        <div className="flex flex-col gap-5">
          <Notice tone="good">
            If {sentTo} has an account, a link is on its way. It may take a minute; check your spam folder too.
          </Notice>
          <Button onClick={() => setSentTo(null)}>Use another address</Button>
        </div>
      ) : (
        <form {...form.frame} className="flex flex-col gap-5">
          <FormError error={form.failure} />
          <Field label="Email" error={form.error('email')}>
            {(control) => (
              <Input {...control} {...form.register('email')} type="email" autoComplete="username" spellCheck={false} />
            )}
          </Field>
          <Button type="submit" variant="primary" busy={form.busy} className="h-10">
            Send the link
          </Button>
        </form>
      )}
      <p className="mt-6 text-center text-sm">
        <TextLink to="/login">Back to sign-in</TextLink>
      </p>
    </AuthLayout>
  );
}
