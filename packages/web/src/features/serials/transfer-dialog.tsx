import { useQueryClient } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { namesOf, PersonFields } from '#ui/forms/person-fields.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

interface TransferDialogProps {
  serial: { id: string; code: string; customer: { id: string; email: string | null } };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Gives a serial to another customer: it was sold on, or redeemed with the wrong address. */
export function TransferDialog({ serial, ...dialog }: TransferDialogProps) {
  const queryClient = useQueryClient();
  const { id, code, customer } = serial;
  return (
    <FormDialog
      {...dialog}
      title="Change the owner"
      description={`${code} moves from ${customer.email || 'an erased customer'} to somebody else. Downloads used, machines and what was paid stay as they are. Both get an email.`}
      values={{ email: '', first_name: '', last_name: '' }}
      save={async (typed) => {
        const body = { ...namesOf(typed), from_customer_id: customer.id };
        const done = await api.transferSerial({ path: { id }, body });
        notify.success(
          done.changed ? `Moved to ${done.customer.email}. Both get an email.` : 'This customer already owns it.',
        );
        refreshAfter(queryClient, 'serialTransferred');
      }}
      ready={({ email }) => email.trim() !== ''}
      action="Change the owner"
    >
      {(form) => <PersonFields form={form} label="Email of the new owner" />}
    </FormDialog>
  );
}
