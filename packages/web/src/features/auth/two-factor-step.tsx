import { useEffect, useState } from 'react';
import { describeError } from '#lib/errors.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { AuthLayout } from './auth-layout.tsx';

interface TwoFactorStepProps {
  /** Logs in with the email address, the password and this code. */
  enter: (code: string) => Promise<void>;
  onBack: () => void;
}

/** The second step of signing in: a code from the app, or a recovery code. */
export function TwoFactorStep({ enter, onBack }: TwoFactorStepProps) {
  const [recovery, setRecovery] = useState(false);
  const form = useSavedForm({
    values: { code: '' },
    check: ({ code }) => ({ code: codeMistake(code, recovery) }),
    save: ({ code }) => enter(code.trim()),
    refused: (error) => {
      const { code: reason, message } = describeError(error);
      return reason === 'two_factor_invalid' ? { code: message } : undefined;
    },
  });
  const { setFocus } = form;
  // biome-ignore lint/correctness/useExhaustiveDependencies: switching replaces the field
  useEffect(() => setFocus('code'), [setFocus, recovery]);
  const change = () => {
    setRecovery(!recovery);
    form.forget();
    form.reset();
  };

  return (
    <AuthLayout
      title="Two-factor sign-in"
      lead={
        recovery
          ? 'Enter one of your recovery codes. It works only once.'
          : 'Enter the code shown in your authenticator app.'
      }
    >
      <form {...form.frame} className="flex flex-col gap-5">
        <FormError error={form.failure} />
        <Field
          key={String(recovery)}
          label={recovery ? 'Recovery code' : 'Code'}
          hint={recovery ? undefined : 'Six digits.'}
          error={form.error('code')}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('code')}
              inputMode={recovery ? 'text' : 'numeric'}
              autoComplete={recovery ? 'off' : 'one-time-code'}
              maxLength={recovery ? 100 : 9}
              spellCheck={false}
              autoCapitalize="none"
              className="h-10 font-mono text-md tracking-[0.12em]"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={form.busy} className="h-10">
          Sign in
        </Button>
        <div className="flex flex-wrap justify-between gap-2">
          <Button variant="ghost" size="sm" onClick={change} className="-ml-3">
            {recovery ? 'Use the app instead' : 'Use a recovery code instead'}
          </Button>
          <Button variant="ghost" size="sm" onClick={onBack} className="-mr-3">
            Back
          </Button>
        </div>
      </form>
    </AuthLayout>
  );
}

function codeMistake(text: string, recovery: boolean): string | false {
  if (!text.trim()) return recovery ? 'Enter a recovery code.' : 'Enter the code from your app.';
  return !recovery && !/^\d{6}$/.test(text.replaceAll(/[\s-]/g, '')) && 'The code has six digits.';
}
