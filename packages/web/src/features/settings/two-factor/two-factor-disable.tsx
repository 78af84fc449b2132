import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { PasswordField } from '../password-field.tsx';
import type { DialogState } from './two-factor-query.ts';

export function DisableTwoFactor(dialog: DialogState) {
  const queryClient = useQueryClient();
  return (
    <FormDialog
      {...dialog}
      title="Switch off two-factor sign-in?"
      description="You will then sign in with only your password, and the recovery codes stop working."
      values={{ password: '', code: '' }}
      save={async ({ password, code }) => {
        await api.disableTwoFactor({ body: { password, code: code.trim() } });
        notify.success('Two-factor sign-in is off.');
        refreshAfter(queryClient, 'twoFactorChanged');
      }}
      ready={({ password, code }) => Boolean(password && code.trim())}
      action="Switch off"
      danger
    >
      {(form) => (
        <>
          <PasswordField form={form} />
          <Field label="Code" hint="From the app, or a recovery code." error={form.error('code')}>
            {(control) => (
              <Input
                {...control}
                {...form.register('code')}
                autoComplete="one-time-code"
                spellCheck={false}
                maxLength={100}
                className="font-mono"
              />
            )}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
