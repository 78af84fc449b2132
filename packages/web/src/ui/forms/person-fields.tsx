import { Field, Input } from './field.tsx';
import type { FormParts } from './form-parts.ts';

type Person = { email: string; first_name: string; last_name: string };

/** A person as the server takes one. */
export const namesOf = ({ email, first_name, last_name }: Person) => ({
  email: email.trim(),
  first_name: first_name.trim() || null,
  last_name: last_name.trim() || null,
});

/** Whose a serial is. */
export function PersonFields({
  form: { register, error },
  label = 'Email',
}: {
  form: FormParts<Person>;
  label?: string;
}) {
  return (
    <>
      <Field label={label} error={error('email')}>
        {(control) => <Input {...control} {...register('email')} type="email" autoComplete="off" spellCheck={false} />}
      </Field>
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
        <Field label="First name" optional error={error('first_name')}>
          {(control) => <Input {...control} {...register('first_name')} autoComplete="off" />}
        </Field>
        <Field label="Last name" optional error={error('last_name')}>
          {(control) => <Input {...control} {...register('last_name')} autoComplete="off" />}
        </Field>
      </div>
    </>
  );
}
