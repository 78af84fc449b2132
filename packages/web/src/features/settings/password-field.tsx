import type { Path } from 'react-hook-form';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import type { FormParts } from '#ui/forms/form-parts.ts';

interface PasswordFieldProps<Values extends { password: string }> {
  form: FormParts<Values>;
}

/** Asks the signed-in person for the password again. */
export function PasswordField<Values extends { password: string }>({ form }: PasswordFieldProps<Values>) {
  return (
    <Field label="Your password" error={form.error('password')}>
      {(control) => (
        <PasswordInput {...control} {...form.register('password' as Path<Values>)} autoComplete="current-password" />
      )}
    </Field>
  );
}
