import { type ReactNode, useEffect, useState } from 'react';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import type { Refundable } from './refundable.ts';
import { type RefundStep, useRefund } from './use-refund.ts';

/** The state of a dialog about money, which begins anew each time it opens. */
export function useRefundForm(serial: Refundable, open: boolean, onOpenChange: (open: boolean) => void) {
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const save = useRefund(serial, onOpenChange);
  useEffect(() => {
    if (!open) return;
    setReason('');
    setTried(false);
  }, [open]);
  return {
    reason: reason.trim(),
    missing: reason.trim() === '',
    tried,
    open,
    busy: save.isPending,
    close(next: boolean) {
      if (!next) save.reset();
      onOpenChange(next);
    },
    /** @param step null while something is missing. */
    submit(step: RefundStep | null) {
      setTried(true);
      if (step && !save.isPending) save.mutate(step);
    },
    error: save.error,
    text: reason,
    setText: setReason,
  };
}

type Form = ReturnType<typeof useRefundForm>;

interface RefundFormProps {
  form: Form;
  title: string;
  description: string;
  action: string;
  danger?: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

export function RefundForm({ form, title, description, action, danger = false, onSubmit, children }: RefundFormProps) {
  return (
    <Dialog open={form.open} onOpenChange={form.close} title={title} description={description}>
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onSubmit();
        }}
      >
        <FormError error={form.error} />
        {children}
        <div className="flex justify-end gap-2">
          <Button onClick={() => form.close(false)}>Cancel</Button>
          <Button type="submit" variant={danger ? 'danger' : 'primary'} busy={form.busy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

export function ReasonField({ form, hint }: { form: Form; hint?: string | undefined }) {
  return (
    <Field label="Reason" hint={hint} error={form.tried && form.missing ? 'Enter a reason.' : undefined}>
      {(control) => (
        <Input {...control} maxLength={500} value={form.text} onChange={(event) => form.setText(event.target.value)} />
      )}
    </Field>
  );
}
