import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { PasswordStep } from './password-step.tsx';
import { type DialogState, fieldMessage } from './two-factor-query.ts';

export function DisableTwoFactor({ open, onOpenChange }: DialogState) {
  const queryClient = useQueryClient();
  const [code, setCode] = useState('');
  const disable = useMutation({
    mutationFn: (password: string) => api.disableTwoFactor({ body: { password, code: code.trim() } }),
    onSuccess: () => {
      end();
      notify.success('Two-factor sign-in is off.');
      return refreshAfter(queryClient, 'twoFactorChanged');
    },
  });
  const end = () => {
    onOpenChange(false);
    disable.reset();
    setCode('');
  };
  return (
    <Dialog
      open={open}
      onOpenChange={end}
      title="Switch off two-factor sign-in?"
      description="You will then sign in with only your password, and the recovery codes stop working."
    >
      <PasswordStep
        action="Switch off"
        danger
        blocked={!code.trim()}
        busy={disable.isPending}
        error={disable.error}
        onSubmit={(password) => disable.mutate(password)}
        onCancel={end}
      >
        <Field label="Code" hint="From the app, or a recovery code." error={fieldMessage(disable.error, 'code')}>
          {(control) => (
            <Input
              {...control}
              value={code}
              onChange={(event) => setCode(event.target.value)}
              autoComplete="one-time-code"
              spellCheck={false}
              maxLength={100}
              className="font-mono"
            />
          )}
        </Field>
      </PasswordStep>
    </Dialog>
  );
}
