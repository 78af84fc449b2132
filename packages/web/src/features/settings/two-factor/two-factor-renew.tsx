import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { PasswordField } from '../password-field.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import type { DialogState } from './two-factor-query.ts';

export function RenewCodes(dialog: DialogState) {
  const queryClient = useQueryClient();
  return (
    <FormDialog
      {...dialog}
      title="Generate new recovery codes?"
      description="The ones you have now stop working."
      values={{ password: '' }}
      save={async (body) => {
        const { recovery_codes } = await api.renewRecoveryCodes({ body });
        refreshAfter(queryClient, 'twoFactorChanged');
        return recovery_codes;
      }}
      ready={({ password }) => password !== ''}
      action="Generate new codes"
      after={{
        title: 'Save your new recovery codes',
        insists: true,
        show: (codes, close, hurried) => <RecoveryCodes codes={codes} hurried={hurried} onKept={close} />,
      }}
    >
      {(form) => <PasswordField form={form} />}
    </FormDialog>
  );
}
