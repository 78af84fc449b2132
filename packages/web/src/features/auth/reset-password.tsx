import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { clearSession } from '#lib/session/session.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { AuthLayout } from './auth-layout.tsx';
import { deviceToken, storeDeviceToken } from './device.ts';
import { passwordRule } from './password-rule.ts';

export function ResetPassword({ token }: { token: string | undefined }) {
  useTitle('Choose a new password');
  const navigate = useNavigate();
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({ defaultValues: { password: '' } });
  const { errors, isSubmitting } = form.formState;

  if (!token) {
    return (
      <AuthLayout title="Choose a new password">
        <div className="flex flex-col gap-5">
          <Notice>This link is not complete. Open it again from the email, or request a new one.</Notice>
          <LinkButton to="/forgot-password">Request a new link</LinkButton>
        </div>
      </AuthLayout>
    );
  }

  const submit = form.handleSubmit(async ({ password }) => {
    setFailure(null);
    try {
      const { device_token } = await api.resetPassword({ body: { token, password, ...deviceToken() } });
      storeDeviceToken(device_token);
      // Every session has ended, this browser's too.
      clearSession();
      await navigate({ to: '/login', search: { reason: 'password' } });
    } catch (error) {
      if (!showFieldErrors(error, form.setError, ['password'])) setFailure(error);
    }
  });

  return (
    <AuthLayout
      title="Choose a new password"
      lead="You will be signed out everywhere, and every access token is deleted."
    >
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormError error={failure} />
        <Field label="New password" hint="At least 10 characters." error={errors.password?.message}>
          {(control) => (
            <PasswordInput
              {...control}
              {...form.register('password', { validate: passwordRule })}
              autoComplete="new-password"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={isSubmitting} className="h-10">
          Save the password
        </Button>
        {failure ? <LinkButton to="/forgot-password">Request a new link</LinkButton> : null}
      </form>
    </AuthLayout>
  );
}
