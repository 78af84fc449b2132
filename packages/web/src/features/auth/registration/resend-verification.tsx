import { useState } from 'react';
import { api } from '#lib/api.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError, Notice } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';

/** Asks for another verification email. The response never reveals whether the address has an account. */
export function ResendVerification({ email }: { email: string }) {
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useSavedForm({
    values: { email },
    check: (typed) => ({ email: !typed.email.trim() && 'Enter your email address.' }),
    save: (typed) => api.resendVerification({ body: { email: typed.email.trim() } }),
    onSaved: (_, typed) => setSentTo(typed.email.trim()),
  });

  if (sentTo) {
    return (
      <Notice tone="good">
        If {sentTo} has an account that is not verified yet, an email is on its way. Check your spam folder too.
      </Notice>
    );
  }
  return (
    <form {...form.frame} className="flex flex-col gap-5">
      <FormError error={form.failure} />
      <Field label="Email" error={form.error('email')}>
        {(control) => (
          <Input {...control} {...form.register('email')} type="email" autoComplete="username" spellCheck={false} />
        )}
      </Field>
      <Button type="submit" variant="primary" busy={form.busy} className="h-10">
        Send a new link
      </Button>
    </form>
  );
}
