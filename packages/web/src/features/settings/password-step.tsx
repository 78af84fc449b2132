import { type ReactNode, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Field, PasswordInput } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { fieldMessage } from './two-factor-query.ts';

interface PasswordStepProps {
  action: string;
  busy: boolean;
  error: unknown;
  danger?: boolean;
  blocked?: boolean;
  children?: ReactNode;
  onSubmit: (password: string) => void;
  onCancel: () => void;
}

/** Asks the signed-in person for the password again. */
export function PasswordStep(props: PasswordStepProps) {
  const { action, busy, error, danger = false, blocked = false, children, onSubmit, onCancel } = props;
  const [password, setPassword] = useState('');
  const message = fieldMessage(error, 'password');
  const elsewhere = message ?? fieldMessage(error, 'code');
  return (
    <form
      className="mt-4 flex flex-col gap-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (password && !blocked && !busy) onSubmit(password);
      }}
    >
      {elsewhere ? null : <FormError error={error} />}
      <Field label="Your password" error={message}>
        {(control) => (
          <PasswordInput
            {...control}
            value={password}
            onChange={(event) => setPassword(event.target.value)}
            autoComplete="current-password"
          />
        )}
      </Field>
      {children}
      <div className="flex justify-end gap-2">
        <Button onClick={onCancel}>Cancel</Button>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={busy} disabled={!password || blocked}>
          {action}
        </Button>
      </div>
    </form>
  );
}
