import { useNavigate } from '@tanstack/react-router';
import { api } from '#lib/api.ts';
import { passwordMistake } from '#lib/format/typed.ts';
import { useTitle } from '#lib/hooks.ts';
import { clearSession } from '#lib/session/session.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from './auth-layout.tsx';
import { deviceToken, storeDeviceToken } from './device.ts';

export function ResetPassword({ token }: { token: string | undefined }) {
  useTitle('Choose a new password');
  const navigate = useNavigate();
  const form = useSavedForm({
    values: { password: '' },
    check: ({ password }) => ({ password: passwordMistake(password) }),
    save: async ({ password }) => {
      const { device_token } = await api.resetPassword({ body: { token: token ?? '', password, ...deviceToken() } });
      storeDeviceToken(device_token);
      // Every session has ended, this browser's too.
      clearSession();
      await navigate({ to: '/login', search: { reason: 'password' } });
    },
  });

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

  return (
    <AuthLayout
      title="Choose a new password"
      lead="You will be signed out everywhere, and every access token and trust for CI is deleted."
    >
      <form {...form.frame} className="flex flex-col gap-5">
        <FormError error={form.failure} />
        <Field label="New password" hint="At least 10 characters." error={form.error('password')}>
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="new-password" />}
        </Field>
        <Button type="submit" variant="primary" busy={form.busy} className="h-10">
          Save the password
        </Button>
        {form.failure ? <LinkButton to="/forgot-password">Request a new link</LinkButton> : null}
      </form>
    </AuthLayout>
  );
}
