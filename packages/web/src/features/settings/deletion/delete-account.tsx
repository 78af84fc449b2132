import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { deletionQuery } from '#lib/queries/account.ts';
import { clearSession, useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Checkbox } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { PasswordField } from '../password-field.tsx';
import { DeletionBill } from './deletion-bill.tsx';
import { asksForUnlocks, UnlockQuestion, type Unlocks } from './unlock-question.tsx';

const values: { password: string; unpaid: boolean; unlock: Unlocks | null } = {
  password: '',
  unpaid: false,
  unlock: null,
};

export function DeleteAccount() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const reseller = useAccount()?.is_reseller ?? false;
  const [open, setOpen] = useState(false);
  const [isUnpaid, setUnpaid] = useState(false);
  return (
    <>
      <Button
        variant="danger-outline"
        onClick={() => {
          setUnpaid(false);
          setOpen(true);
        }}
      >
        Delete Account Permanently
      </Button>
      <FormDialog
        open={open}
        onOpenChange={setOpen}
        title="Are you sure you want to permanently delete your account? This action cannot be undone."
        values={values}
        check={({ unlock }) => ({
          unlock:
            !reseller &&
            unlock === null &&
            asksForUnlocks(queryClient.getQueryData(deletionQuery.queryKey)) &&
            'Choose whether they keep working.',
        })}
        save={async ({ unlock, ...body }) => {
          await api.deleteAccount({ body: { ...body, unlock: unlock ?? 'none' } });
          clearSession();
          queryClient.clear();
          notify.success('Account deleted successfully.');
          await navigate({ to: '/' });
        }}
        refused={(error) => {
          const { code, status, message } = describeError(error);
          if (code === 'unpaid_statements') setUnpaid(true);
          return {
            password: status
              ? `Delete failed: ${message || 'Unexpected error.'}`
              : 'Something went wrong while deleting your account.',
          };
        }}
        ready={({ password }) => password !== ''}
        action="Delete my account"
        danger
      >
        {(form) => (
          <>
            <div className="flex flex-col gap-4 text-muted">
              <p>You will be signed out everywhere, and your personal data will be removed.</p>
              {reseller ? (
                <p>Your partnerships end. What you sold stays in the books of your developers.</p>
              ) : (
                <p>
                  Serials that nobody has redeemed stop working. What your customers own keeps working, and we notify
                  them by email.
                </p>
              )}
              <DeletionBill />
            </div>
            {reseller ? null : (
              <UnlockQuestion
                value={form.watch('unlock')}
                onChange={(unlock) => {
                  form.setValue('unlock', unlock);
                  form.clearErrors('unlock');
                }}
                error={form.error('unlock')}
              />
            )}
            <PasswordField form={form} />
            {isUnpaid ? (
              <Checkbox label="Delete it although statements are unpaid" {...form.register('unpaid')} />
            ) : null}
          </>
        )}
      </FormDialog>
    </>
  );
}
