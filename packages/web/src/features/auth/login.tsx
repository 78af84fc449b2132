import { useNavigate, useRouter } from '@tanstack/react-router';
import { TonerowError } from '@tonerow/sdk';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { homeOf, storeSession } from '#lib/session/session.ts';
import { Button, LinkButton, TextLink } from '#ui/button.tsx';
import { Field, Input, PasswordInput } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from './auth-layout.tsx';
import { deviceToken, storeDeviceToken } from './device.ts';
import { TwoFactorStep } from './two-factor-step.tsx';

/** The server gave a reason, or there is only the status. */
function isAnswered(failure: unknown): boolean {
  return !(failure instanceof TonerowError) || failure.problem !== undefined;
}

interface LoginProps {
  reason?: 'expired' | 'password' | undefined;
  redirect?: string | undefined;
  /** Filled in. */
  email?: string | undefined;
}

export function Login({ reason, redirect, email: known = '' }: LoginProps) {
  useTitle('Sign in');
  const navigate = useNavigate();
  const router = useRouter();
  // The password is right, and the account asks for a second factor.
  const [asksCode, setAsksCode] = useState(false);

  const enter = async (code?: string): Promise<void> => {
    const { email, password } = form.getValues();
    const {
      token,
      user: account,
      device_token,
    } = await api.login({
      body: { email: email.trim(), password, ...(code ? { code } : {}), ...deviceToken() },
    });
    if (!token) throw new Error('Login failed: No token received');
    storeDeviceToken(device_token);
    storeSession(token, account);
    if (redirect) router.history.push(redirect);
    else await navigate({ to: homeOf(account) });
  };

  const form = useSavedForm({
    values: { email: known, password: '' },
    check: ({ email, password }) => ({
      email: !email.trim() && 'Enter your email address.',
      password: !password && 'Enter your password.',
    }),
    save: () => enter(),
    refused: (error) => {
      if (describeError(error).code !== 'two_factor_required') return undefined;
      setAsksCode(true);
      return {};
    },
  });
  const { failure } = form;

  if (asksCode) return <TwoFactorStep enter={enter} onBack={() => setAsksCode(false)} />;

  return (
    <AuthLayout title="Sign in to Tonerow" lead="Manage the products, serials and keys of your plugins.">
      <form {...form.frame} className="flex flex-col gap-5">
        {reason === 'expired' ? (
          <Notice tone="warn">Your session has ended. Sign in to continue where you were.</Notice>
        ) : null}
        {reason === 'password' ? (
          <Notice tone="good">Your password has been changed. Sign in with the new one.</Notice>
        ) : null}
        <FormError {...(isAnswered(failure) ? {} : { title: 'Login failed.' })} error={failure} />
        <Field label="Email" error={form.error('email')}>
          {(control) => (
            <Input {...control} {...form.register('email')} type="email" autoComplete="username" spellCheck={false} />
          )}
        </Field>
        <Field label="Password" error={form.error('password')}>
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />}
        </Field>
        <Button type="submit" variant="primary" busy={form.busy} className="h-10">
          Sign in
        </Button>
        <TextLink to="/forgot-password" className="self-center text-sm">
          Forgot your password?
        </TextLink>
      </form>
      <div className="mt-8 border-t border-line pt-6">
        <p className="text-sm text-muted">New to Tonerow?</p>
        <div className="mt-3 grid grid-cols-1 gap-2 sm:grid-cols-2">
          <LinkButton to="/register">Register as developer</LinkButton>
          <LinkButton to="/reseller/register">Register as reseller</LinkButton>
        </div>
      </div>
    </AuthLayout>
  );
}
