import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import type { CustomerDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

/** Name and address. A new address is told to both. */
export function EditCustomer({ customer }: { customer: CustomerDetail }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const [form, setForm] = useState(() => formOf(customer));
  const save = useMutation({
    mutationFn: () =>
      api.changeCustomer({
        path: { id: customer.id },
        body: { email: form.email.trim(), first_name: form.first.trim() || null, last_name: form.last.trim() || null },
      }),
    onSuccess: (after) => {
      setOpen(false);
      const moved = after.email.toLowerCase() !== customer.email.toLowerCase();
      notify.success(moved ? 'Saved. Both addresses get an email.' : 'Saved');
      return refreshAfter(queryClient, 'customerChanged');
    },
  });
  const begin = () => {
    setForm(formOf(customer));
    save.reset();
    setOpen(true);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending) save.mutate();
  };
  const set = (field: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [field]: event.target.value });
  return (
    <>
      <KeyedButton does="edit" onClick={begin}>
        Edit customer
      </KeyedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Edit customer"
        description="A new email address opens the downloads from now on. Both addresses get an email."
      >
        <form className="mt-4 flex flex-col gap-5" noValidate onSubmit={submit}>
          <FormError error={save.error} />
          <Field label="Email">
            {(control) => <Input {...control} type="email" value={form.email} onChange={set('email')} />}
          </Field>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field label="First name">
              {(control) => <Input {...control} value={form.first} onChange={set('first')} />}
            </Field>
            <Field label="Last name">
              {(control) => <Input {...control} value={form.last} onChange={set('last')} />}
            </Field>
          </div>
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={save.isPending}>
              Save
            </Button>
          </div>
        </form>
      </Dialog>
    </>
  );
}

const formOf = ({ email, first_name, last_name }: CustomerDetail) => ({
  email,
  first: first_name ?? '',
  last: last_name ?? '',
});
