import { useEffect, useState } from 'react';
import { api } from '../../../lib/api.ts';
import { formatMoney } from '../../../lib/format.ts';
import type { SerialDetail } from '../../../lib/types.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Checkbox, Field, Input, MoneyInput } from '../../../ui/field.tsx';
import { FormError } from '../../../ui/states.tsx';
import { useRefund } from './use-refund.ts';

interface RefundDialogProps {
  serial: SerialDetail;
  /** Whether the serial is to be revoked, with or without a refund. */
  revoking: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Records a refund. On the way to a revocation it first asks whether there was one. */
export function RefundDialog({ serial, revoking, open, onOpenChange }: RefundDialogProps) {
  const [refunded, setRefunded] = useState(false);
  const [revoke, setRevoke] = useState(false);
  const [amount, setAmount] = useState('');
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const save = useRefund(serial, onOpenChange);
  useEffect(() => {
    if (!open) return;
    setRefunded(!revoking);
    setRevoke(revoking);
    setAmount(serial.refundable.toFixed(2));
    setReason('');
    setTried(false);
  }, [open, revoking, serial.refundable]);
  const wrong = amountError(amount, serial.refundable);
  const missing = reason.trim() === '';
  const close = (next: boolean) => {
    if (!next) save.reset();
    onOpenChange(next);
  };
  const submit = () => {
    setTried(true);
    if (save.isPending) return;
    if (!refunded) {
      save.mutate({ done: `Revoked ${serial.code}`, run: () => api.revokeSerial({ path: { id: serial.id } }) });
    } else if (!wrong && !missing) {
      const body = { amount: Number(amount), reason: reason.trim(), revoke };
      const done = `Refunded ${formatMoney(body.amount)}${revoke ? ` and revoked ${serial.code}` : ''}`;
      save.mutate({ done, run: () => api.refundSerial({ path: { id: serial.id }, body }) });
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={revoking ? 'Revoke this serial?' : 'Refund this serial?'}
      description={
        revoking
          ? 'Redemption, downloads and licensing stop at once. Revoking alone moves no money.'
          : `Records that you gave the money back, today. ${serial.reseller_name ? `${serial.reseller_name}’s commission is lowered with it. ` : ''}Closed statements stay as they are.`
      }
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
        {revoking ? (
          <fieldset>
            <legend className="text-sm font-medium">Was the money given back?</legend>
            <div className="mt-2 flex gap-5">
              {[false, true].map((answer) => (
                <label key={String(answer)} className="flex items-center gap-2">
                  <input
                    type="radio"
                    name="refunded"
                    checked={refunded === answer}
                    onChange={() => setRefunded(answer)}
                    className="size-4 accent-(--accent)"
                  />
                  {answer ? 'Yes, record a refund' : 'No'}
                </label>
              ))}
            </div>
          </fieldset>
        ) : null}
        {refunded ? (
          <>
            <Field
              label="Amount"
              hint={`At most ${formatMoney(serial.refundable)}.`}
              error={tried && wrong ? wrong : undefined}
            >
              {(control) => (
                <MoneyInput
                  {...control}
                  inputMode="decimal"
                  value={amount}
                  onChange={(event) => setAmount(event.target.value)}
                  className="max-w-40"
                />
              )}
            </Field>
            <Field
              label="Reason"
              hint={serial.reseller_name ? 'The reseller reads it too.' : undefined}
              error={tried && missing ? 'Enter a reason.' : undefined}
            >
              {(control) => (
                <Input
                  {...control}
                  maxLength={500}
                  value={reason}
                  onChange={(event) => setReason(event.target.value)}
                />
              )}
            </Field>
          </>
        ) : null}
        {revoking || serial.revoked ? null : (
          <Checkbox
            label="Revoke the serial too"
            checked={revoke}
            onChange={(event) => setRevoke(event.target.checked)}
          />
        )}
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="danger" busy={save.isPending}>
            {actionOf(refunded, revoke)}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

function actionOf(refunded: boolean, revoke: boolean): string {
  if (!refunded) return 'Revoke';
  return revoke ? 'Refund and revoke' : 'Refund';
}

function amountError(text: string, most: number): string | undefined {
  if (!/^\d+(\.\d{1,2})?$/.test(text.trim()) || Number(text) === 0) return 'Enter an amount such as 9.99.';
  return Number(text) > most ? `Only ${formatMoney(most)} can still be refunded.` : undefined;
}
