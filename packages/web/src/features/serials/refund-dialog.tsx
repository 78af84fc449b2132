import { useEffect, useState } from 'react';
import { plainAmount, readAmount } from '#lib/format/amount.ts';
import { formatMoney } from '#lib/format/format.ts';
import { Checkbox, Field, MoneyInput } from '#ui/forms/field.tsx';
import { ReasonField, RefundForm, useRefundForm } from './refund-form.tsx';
import type { Refundable } from './refundable.ts';
import { refundStep, revokeStep } from './revoke-steps.ts';
import type { RefundStep } from './use-refund.ts';

interface RefundDialogProps {
  serial: Refundable;
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
  const form = useRefundForm(serial, open, onOpenChange);
  useEffect(() => {
    if (!open) return;
    setRefunded(!revoking);
    setRevoke(revoking);
    setAmount(plainAmount(serial.refundable));
  }, [open, revoking, serial.refundable]);
  const wrong = amountError(amount, serial.refundable);
  const step = (): RefundStep | null => {
    if (!refunded) return revokeStep(serial);
    if (wrong || form.missing) return null;
    return refundStep(serial, { amount: readAmount(amount) ?? 0, reason: form.reason, revoke });
  };
  return (
    <RefundForm
      form={form}
      title={revoking ? 'Revoke this serial?' : 'Refund this serial?'}
      description={
        revoking
          ? 'Redemption, downloads and licensing stop at once. Revoking alone moves no money.'
          : `Records that you gave the money back, today. ${serial.reseller_name ? `${serial.reseller_name}’s commission is lowered with it. ` : ''}Closed statements stay as they are.`
      }
      action={actionOf(refunded, revoke)}
      danger
      onSubmit={() => form.submit(step())}
    >
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
            error={form.tried && wrong ? wrong : undefined}
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
          <ReasonField form={form} hint={serial.reseller_name ? 'The reseller sees it too.' : undefined} />
        </>
      ) : null}
      {revoking || serial.revoked ? null : (
        <Checkbox
          label="Revoke the serial too"
          checked={revoke}
          onChange={(event) => setRevoke(event.target.checked)}
        />
      )}
    </RefundForm>
  );
}

function actionOf(refunded: boolean, revoke: boolean): string {
  if (!refunded) return 'Revoke';
  return revoke ? 'Refund and revoke' : 'Refund';
}

function amountError(text: string, most: number): string | undefined {
  const amount = readAmount(text);
  if (!amount) return 'Enter an amount such as 9.99.';
  return amount > most ? `Only ${formatMoney(most)} can still be refunded.` : undefined;
}
