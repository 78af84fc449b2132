import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { AuthLayout } from './auth-layout.tsx';

export function ForgotPassword() {
  useTitle('Forgot password');
  const [failure, setFailure] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ defaultValues: { email: '' } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async ({ email }) => {
    setFailure(null);
    try {
      await api.forgotPassword({ body: { email: email.trim() } });
      setSentTo(email.trim());
    } catch (error) {
      if (!showFieldErrors(error, form.setError, ['email'])) setFailure(error);
    }
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
        <form onSubmit={submit} noValidate className="flex flex-col gap-5">
          <FormError error={failure} />
          <Field label="Email" error={errors.email?.message}>
            {(control) => (
              <Input
                {...control}
                {...form.register('email', { required: 'Enter your email address.' })}
                type="email"
                autoComplete="username"
                spellCheck={false}
              />
            )}
          </Field>
          <Button type="submit" variant="primary" busy={isSubmitting} className="h-10">
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
