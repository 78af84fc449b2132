import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { clearSession, useAccount } from '#lib/session/session.ts';
import { Button } from '#ui/button.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Checkbox, Field, PasswordInput } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { DeletionBill } from './deletion-bill.tsx';

export function DeleteAccount() {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const reseller = useAccount()?.is_reseller ?? false;
  const [open, setOpen] = useState(false);
  const [password, setPassword] = useState('');
  const [unpaid, setUnpaid] = useState(false);
  const remove = useMutation({
    mutationFn: () => api.deleteAccount({ body: { password, unpaid } }),
    onSuccess: async () => {
      clearSession();
      queryClient.clear();
      notify.success('Account deleted successfully.');
      await navigate({ to: '/' });
    },
  });
  const problem = remove.isError ? describeError(remove.error) : null;
  const isUnpaid = problem?.code === 'unpaid_statements';
  const message =
    problem &&
    (problem.status
      ? `Delete failed: ${problem.message || 'Unexpected error.'}`
      : 'Something went wrong while deleting your account.');
  return (
    <>
      <Button variant="danger-outline" onClick={() => setOpen(true)}>
        Delete Account Permanently
      </Button>
      <Confirm
        open={open}
        onOpenChange={(next) => {
          setOpen(next);
          setPassword('');
          setUnpaid(false);
          remove.reset();
        }}
        title="Are you sure you want to permanently delete your account? This action cannot be undone."
        action="Delete my account"
        blocked={!password}
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>You will be signed out everywhere, and your personal data will be removed.</p>
        {reseller ? (
          <p>Your partnerships end. What you sold stays in the books of your developers.</p>
        ) : (
          <p>
            Serials that nobody has redeemed stop working. What your customers own keeps working, and we notify them by
            email.
          </p>
        )}
        <DeletionBill />
        <Field label="Your password" error={message ?? undefined} className="text-text">
          {(control) => (
            <PasswordInput
              {...control}
              value={password}
              onChange={(event) => setPassword(event.target.value)}
              autoComplete="current-password"
            />
          )}
        </Field>
        {isUnpaid || unpaid ? (
          <Checkbox
            label="Delete it although statements are unpaid"
            checked={unpaid}
            onChange={(event) => setUnpaid(event.target.checked)}
          />
        ) : null}
      </Confirm>
    </>
  );
}
