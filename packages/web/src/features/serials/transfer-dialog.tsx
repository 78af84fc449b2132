import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

interface TransferDialogProps {
  serial: { id: string; code: string; customer: { id: string; email: string | null } };
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const empty = { email: '', first: '', last: '' };

/** Gives a serial to another customer: it was sold on, or redeemed with the wrong address. */
export function TransferDialog({ serial, open, onOpenChange }: TransferDialogProps) {
  const queryClient = useQueryClient();
  const [form, setForm] = useState(empty);
  const { customer } = serial;
  const transfer = useMutation({
    mutationFn: () =>
      api.transferSerial({
        path: { id: serial.id },
        body: {
          email: form.email.trim(),
          first_name: form.first.trim() || null,
          last_name: form.last.trim() || null,
          from_customer_id: customer.id,
        },
      }),
    onSuccess: (done) => {
      onOpenChange(false);
      notify.success(
        done.changed ? `Moved to ${done.customer.email}. Both get an email.` : 'This customer already owns it.',
      );
      return refreshAfter(queryClient, 'serialTransferred');
    },
  });
  const { reset } = transfer;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed stays while it is open
  useEffect(() => {
    if (!open) return;
    setForm(empty);
    reset();
  }, [open]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!transfer.isPending) transfer.mutate();
  };
  const set = (field: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm({ ...form, [field]: event.target.value });
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Change the owner"
      description={`${serial.code} moves from ${customer.email || 'an erased customer'} to somebody else. Downloads used, machines and what was paid stay as they are. Both get an email.`}
    >
      <form className="mt-4 flex flex-col gap-5" noValidate onSubmit={submit}>
        <FormError error={transfer.error} />
        <Field label="Email of the new owner">
          {(control) => <Input {...control} type="email" value={form.email} onChange={set('email')} />}
        </Field>
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field label="First name" optional>
            {(control) => <Input {...control} value={form.first} onChange={set('first')} />}
          </Field>
          <Field label="Last name" optional>
            {(control) => <Input {...control} value={form.last} onChange={set('last')} />}
          </Field>
        </div>
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={transfer.isPending} disabled={!form.email.trim()}>
            Change the owner
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
