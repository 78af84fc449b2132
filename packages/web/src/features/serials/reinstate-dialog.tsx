import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format/format.ts';
import { Checkbox } from '#ui/forms/field.tsx';
import { ReasonField, RefundForm, useRefundForm } from './refund-form.tsx';
import type { Refundable } from './refundable.ts';
import { reassignStep } from './revoke-steps.ts';
import type { RefundStep } from './use-refund.ts';

interface ReinstateDialogProps {
  serial: Refundable;
  /** Whether the serial is to be reassigned, with or without its refund taken back. */
  reassigning: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Takes refunds back. On the way to a reassignment it first asks whether to. */
export function ReinstateDialog({ serial, reassigning, open, onOpenChange }: ReinstateDialogProps) {
  const [paid, setPaid] = useState(false);
  const [reassign, setReassign] = useState(false);
  const form = useRefundForm(serial, open, onOpenChange);
  useEffect(() => {
    if (!open) return;
    setPaid(!reassigning);
    setReassign(reassigning);
  }, [open, reassigning]);
  const step = (): RefundStep | null => {
    if (!paid) return reassignStep(serial);
    if (form.missing) return null;
    const body = { reason: form.reason, reassign };
    const done = `Took back ${formatMoney(serial.refunded)}${reassign ? ` and reassigned ${serial.code}` : ''}`;
    return { done, run: () => api.reinstateSerial({ path: { id: serial.id }, body }) };
  };
  return (
    <RefundForm
      form={form}
      title={reassigning ? 'Reassign this serial?' : 'Take the refund back?'}
      description={`${formatMoney(serial.refunded)} of this serial ${serial.refunded === serial.final_price ? 'is' : 'are'} refunded. Taking it back is an entry of today with exactly that amount.`}
      action={paid ? 'Take refund back' : 'Reassign'}
      onSubmit={() => form.submit(step())}
    >
      {reassigning ? (
        <Checkbox
          label="The customer has paid again: take the refund back"
          checked={paid}
          onChange={(event) => setPaid(event.target.checked)}
        />
      ) : null}
      {paid ? <ReasonField form={form} /> : null}
      {!reassigning && serial.revoked ? (
        <Checkbox
          label="Reassign the serial too"
          checked={reassign}
          onChange={(event) => setReassign(event.target.checked)}
        />
      ) : null}
    </RefundForm>
  );
}
