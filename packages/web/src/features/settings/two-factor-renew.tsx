import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { PasswordStep } from './password-step.tsx';
import { RecoveryCodes } from './recovery-codes.tsx';
import type { DialogState } from './two-factor-query.ts';

export function RenewCodes({ open, onOpenChange }: DialogState) {
  const queryClient = useQueryClient();
  const [hurried, setHurried] = useState(false);
  const renew = useMutation({
    mutationFn: (password: string) => api.renewRecoveryCodes({ body: { password } }),
    onSuccess: () => refreshAfter(queryClient, 'twoFactorChanged'),
  });
  const end = () => {
    onOpenChange(false);
    renew.reset();
    setHurried(false);
  };
  const codes = renew.data?.recovery_codes;
  if (codes) {
    return (
      <Dialog open={open} onOpenChange={() => setHurried(true)} title="Save your new recovery codes">
        <RecoveryCodes codes={codes} hurried={hurried} onKept={end} />
      </Dialog>
    );
  }
  return (
    <Dialog
      open={open}
      onOpenChange={end}
      title="Generate new recovery codes?"
      description="The ones you have now stop working."
    >
      <PasswordStep
        action="Generate new codes"
        busy={renew.isPending}
        error={renew.error}
        onSubmit={(password) => renew.mutate(password)}
        onCancel={end}
      />
    </Dialog>
  );
}
