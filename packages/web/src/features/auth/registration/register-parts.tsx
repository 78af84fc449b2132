import type { UseFormRegisterReturn } from 'react-hook-form';
import { Button, TextLink } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';

type PersonField = 'first_name' | 'last_name' | 'email';

interface PersonForm {
  register(name: PersonField): UseFormRegisterReturn;
  error(name: PersonField): string | undefined;
}

/** Fields of the person who registers. */
export function PersonFields({ form }: { form: PersonForm }) {
  return (
    <>
      <Field label="First name" error={form.error('first_name')}>
        {(control) => <Input {...control} {...form.register('first_name')} autoComplete="given-name" />}
      </Field>
      <Field label="Last name" error={form.error('last_name')}>
        {(control) => <Input {...control} {...form.register('last_name')} autoComplete="family-name" />}
      </Field>
      <Field label="Email" error={form.error('email')} className="sm:col-span-2">
        {(control) => (
          <Input {...control} {...form.register('email')} type="email" autoComplete="username" spellCheck={false} />
        )}
      </Field>
    </>
  );
}

/** The end of a registration form, with its error and its button. */
export function RegisterEnd({ failure, busy }: { failure: unknown; busy: boolean }) {
  return (
    <div className="flex flex-col gap-4 sm:col-span-2">
      <FormError title="Registration failed." error={failure} />
      <Button type="submit" variant="primary" busy={busy} className="h-10">
        Register
      </Button>
      <p className="text-center text-sm text-muted">
        By registering you accept the <TextLink to="/terms">terms</TextLink>. Already registered?{' '}
        <TextLink to="/login">Sign in</TextLink>
      </p>
    </div>
  );
}
