import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { describeError } from '#lib/errors.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { AuthLayout } from './auth-layout.tsx';

interface TwoFactorStepProps {
  /** Logs in with the email address, the password and this code. */
  enter: (code: string) => Promise<void>;
  onBack: () => void;
}

/** The second step of signing in: a code from the app, or a recovery code. */
export function TwoFactorStep({ enter, onBack }: TwoFactorStepProps) {
  const [recovery, setRecovery] = useState(false);
  const [failure, setFailure] = useState<unknown>(null);
  const form = useForm({ defaultValues: { code: '' } });
  const { errors, isSubmitting } = form.formState;
  // biome-ignore lint/correctness/useExhaustiveDependencies: switching replaces the field
  useEffect(() => form.setFocus('code'), [form, recovery]);

  const submit = form.handleSubmit(async ({ code }) => {
    setFailure(null);
    try {
      await enter(code.trim());
    } catch (error) {
      const { code: reason, message } = describeError(error);
      if (reason === 'two_factor_invalid') form.setError('code', { type: 'server', message }, { shouldFocus: true });
      else setFailure(error);
    }
  });
  const change = () => {
    setRecovery(!recovery);
    setFailure(null);
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
      <form onSubmit={submit} noValidate className="flex flex-col gap-5">
        <FormError error={failure} />
        <Field
          key={String(recovery)}
          label={recovery ? 'Recovery code' : 'Code'}
          hint={recovery ? undefined : 'Six digits.'}
          error={errors.code?.message}
        >
          {(control) => (
            <Input
              {...control}
              {...form.register('code', { validate: (text) => checkCode(text, recovery) })}
              inputMode={recovery ? 'text' : 'numeric'}
              autoComplete={recovery ? 'off' : 'one-time-code'}
              maxLength={recovery ? 100 : 9}
              spellCheck={false}
              autoCapitalize="none"
              className="h-10 font-mono text-md tracking-[0.12em]"
            />
          )}
        </Field>
        <Button type="submit" variant="primary" busy={isSubmitting} className="h-10">
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

function checkCode(text: string, recovery: boolean): true | string {
  if (!text.trim()) return recovery ? 'Enter a recovery code.' : 'Enter the code from your app.';
  return recovery || /^\d{6}$/.test(text.replaceAll(/[\s-]/g, '')) || 'The code has six digits.';
}
