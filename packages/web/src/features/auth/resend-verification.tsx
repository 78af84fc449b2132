import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { showFieldErrors } from '#lib/errors.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';

/** Asks for another verification email. The response never reveals whether the address has an account. */
export function ResendVerification({ email }: { email: string }) {
  const [failure, setFailure] = useState<unknown>(null);
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useForm({ defaultValues: { email } });
  const { errors, isSubmitting } = form.formState;

  const submit = form.handleSubmit(async (values) => {
    setFailure(null);
    const address = values.email.trim();
    try {
      await api.resendVerification({ body: { email: address } });
      setSentTo(address);
    } catch (error) {
      if (!showFieldErrors(error, form.setError, ['email'])) setFailure(error);
    }
  });

  if (sentTo) {
    return (
      <Notice tone="good">
        If {sentTo} has an account that is not verified yet, an email is on its way. Check your spam folder too.
      </Notice>
    );
  }
  return (
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
        Send a new link
      </Button>
    </form>
  );
}
