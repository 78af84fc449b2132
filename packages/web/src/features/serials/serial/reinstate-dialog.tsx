import { useEffect, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { formatMoney } from '../../../lib/format.ts';
import type { SerialDetail } from '../../../lib/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field, Input } from '../../../ui/field.tsx';
import { FormError } from '../../../ui/states.tsx';
import { useRefund } from './use-refund.ts';

interface ReinstateDialogProps {
  serial: SerialDetail;
  /** Whether the serial is to be reassigned, with or without its refund taken back. */
  reassigning: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Takes refunds back. On the way to a reassignment it first asks whether to. */
export function ReinstateDialog({ serial, reassigning, open, onOpenChange }: ReinstateDialogProps) {
  const [paid, setPaid] = useState(false);
  const [reassign, setReassign] = useState(false);
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const save = useRefund(serial, onOpenChange);
  useEffect(() => {
    if (!open) return;
    setPaid(!reassigning);
    setReassign(reassigning);
    setReason('');
    setTried(false);
  }, [open, reassigning]);
  const missing = reason.trim() === '';
  const close = (next: boolean) => {
    if (!next) save.reset();
    onOpenChange(next);
  };
  const submit = () => {
    setTried(true);
    if (save.isPending) return;
    if (!paid) {
      save.mutate({ done: `Reassigned ${serial.code}`, run: () => api.reassignSerial({ path: { id: serial.id } }) });
    } else if (!missing) {
      const body = { reason: reason.trim(), reassign };
      const done = `Took back ${formatMoney(serial.refunded)}${reassign ? ` and reassigned ${serial.code}` : ''}`;
      save.mutate({ done, run: () => api.reinstateSerial({ path: { id: serial.id }, body }) });
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={reassigning ? 'Reassign this serial?' : 'Take the refund back?'}
      description={`${formatMoney(serial.refunded)} of this serial ${serial.refunded === serial.final_price ? 'is' : 'are'} refunded. Taking it back is an entry of today with exactly that amount.`}
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <FormError error={save.error} />
        {reassigning ? (
          <Checkbox
            label="The customer has paid again: take the refund back"
            checked={paid}
            onChange={(event) => setPaid(event.target.checked)}
          />
        ) : null}
        {paid ? (
          <Field label="Reason" error={tried && missing ? 'Enter a reason.' : undefined}>
            {(control) => (
              <Input {...control} maxLength={500} value={reason} onChange={(event) => setReason(event.target.value)} />
            )}
          </Field>
        ) : null}
        {!reassigning && serial.revoked ? (
          <Checkbox
            label="Reassign the serial too"
            checked={reassign}
            onChange={(event) => setReassign(event.target.checked)}
          />
        ) : null}
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {paid ? 'Take refund back' : 'Reassign'}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
