import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { queryClient, resume } from '#lib/query.ts';
import { clearSession, storeSession } from '#lib/session/session.ts';
import type { Account } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input, PasswordInput } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { dismissNotices } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { deviceToken, storeDeviceToken } from './device.ts';

/**
 * Signs the same person in again, over a page on which they have typed something. It is opaque, because somebody else
 * may sit there now, and a native dialog, because the page may have dialogs of its own.
 */
export function ContinueDialog({ user: account }: { user: Account }) {
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [asksCode, setAsksCode] = useState(false);
  const form = useSavedForm({
    values: { password: '', code: '' },
    check: ({ password, code }) => ({
      password: !password && 'Enter your password.',
      code: asksCode && !code.trim() && 'Enter the code from your app.',
    }),
    save: async ({ password, code }) => {
      const answer = await api.login({
        body: { email: account.email, password, ...(asksCode ? { code: code.trim() } : {}), ...deviceToken() },
      });
      storeDeviceToken(answer.device_token);
      storeSession(answer.token, answer.user);
      // removes the errors of calls that failed because the session had ended
      dismissNotices();
      resume();
    },
    refused: (error) => {
      const { code: reason, message } = describeError(error);
      if (reason === 'two_factor_invalid') return { code: message };
      if (reason !== 'two_factor_required') return undefined;
      setAsksCode(true);
      return {};
    },
  });
  const { setFocus } = form;

  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    setFocus('password');
    return () => element?.close();
  }, [setFocus]);
  useEffect(() => {
    if (asksCode) setFocus('code');
  }, [asksCode, setFocus]);

  const signOut = () => {
    clearSession();
    queryClient.clear();
    navigate({ to: '/login', ignoreBlocker: true });
  };

  return (
    <dialog
      ref={dialog}
      aria-labelledby="continue-title"
      onCancel={(event) => event.preventDefault()}
      className="fixed inset-0 m-0 grid h-dvh max-h-none w-screen max-w-none place-items-center overflow-y-auto bg-canvas p-5 text-text"
    >
      <form {...form.frame} className="flex w-full max-w-[360px] flex-col gap-5">
        <div>
          <h2 id="continue-title" className="text-xl font-semibold tracking-[-0.025em]">
            Sign in to continue
          </h2>
          <p className="mt-1.5 text-muted">Your session has ended. What you typed is still on the page.</p>
        </div>
        <FormError error={form.failure} />
        <Field label="Email">
          {(control) => <Input {...control} type="email" value={account.email} readOnly autoComplete="username" />}
        </Field>
        <Field label="Password" error={form.error('password')}>
          {(control) => <PasswordInput {...control} {...form.register('password')} autoComplete="current-password" />}
        </Field>
        {asksCode ? (
          <Field label="Code" hint="From your authenticator app, or a recovery code." error={form.error('code')}>
            {(control) => (
              <Input
                {...control}
                {...form.register('code')}
                autoComplete="one-time-code"
                autoCapitalize="none"
                spellCheck={false}
                maxLength={100}
                className="font-mono"
              />
            )}
          </Field>
        ) : null}
        <Button type="submit" variant="primary" busy={form.busy} className="h-10">
          Sign in
        </Button>
        <Button variant="ghost" size="sm" onClick={signOut} className="self-center">
          Discard it and use another account
        </Button>
      </form>
    </dialog>
  );
}
