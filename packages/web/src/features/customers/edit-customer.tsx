import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { namesOf, PersonFields } from '#ui/forms/person-fields.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

/** Name and address. A new address is told to both. */
export function EditCustomer({ customer }: { customer: CustomerDetail }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const { id, email, first_name, last_name } = customer;
  return (
    <>
      <KeyedButton does="edit" onClick={() => setOpen(true)}>
        Edit customer
      </KeyedButton>
      <FormDialog
        open={open}
        onOpenChange={setOpen}
        title="Edit customer"
        description="A new email address opens the downloads from now on. Both addresses get an email."
        values={{ email, first_name: first_name ?? '', last_name: last_name ?? '' }}
        save={async (typed) => {
          const after = await api.changeCustomer({ path: { id }, body: namesOf(typed) });
          const moved = after.email.toLowerCase() !== email.toLowerCase();
          notify.success(moved ? 'Saved. Both addresses get an email.' : 'Saved');
          refreshAfter(queryClient, 'customerChanged');
        }}
        action="Save"
      >
        {(form) => <PersonFields form={form} />}
      </FormDialog>
    </>
  );
}
