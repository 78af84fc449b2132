import { plainAmount, readAmount } from '#lib/format/amount.ts';
import { formatMoney } from '#lib/format/format.ts';
import { Checkbox, Field, Input, MoneyInput } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import type { Refundable } from './refundable.ts';
import { refundStep, revokeStep } from './revoke-steps.ts';
import { useRefund } from './use-refund.ts';

interface RefundDialogProps {
  serial: Refundable;
  /** Whether the serial is to be revoked, with or without a refund. */
  revoking: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Records a refund. On the way to a revocation it first asks whether there was one. */
export function RefundDialog({ serial, revoking, ...dialog }: RefundDialogProps) {
  const take = useRefund(serial);
  return (
    <FormDialog
      {...dialog}
      title={revoking ? 'Revoke this serial?' : 'Refund this serial?'}
      description={
        revoking
          ? 'Redemption, downloads and licensing stop at once. Revoking alone moves no money.'
          : `Records that you gave the money back, today. ${serial.reseller_name ? `${serial.reseller_name}’s commission is lowered with it. ` : ''}Closed statements stay as they are.`
      }
      values={{ refunded: !revoking, revoke: revoking, amount: plainAmount(serial.refundable), reason: '' }}
      check={({ refunded, amount, reason }) => ({
        amount: refunded && amountMistake(amount, serial.refundable),
        reason: refunded && !reason.trim() && 'Enter a reason.',
      })}
      save={({ refunded, amount, reason, revoke }) =>
        take(
          refunded
            ? refundStep(serial, { amount: readAmount(amount) ?? 0, reason: reason.trim(), revoke })
            : revokeStep(serial),
        )
      }
      action={({ refunded, revoke }) => (refunded ? (revoke ? 'Refund and revoke' : 'Refund') : 'Revoke')}
      danger
    >
      {({ register, error, watch, setValue }) => (
        <>
          {revoking ? (
            <fieldset>
              <legend className="text-sm font-medium">Was the money given back?</legend>
              <div className="mt-2 flex gap-5">
                {[false, true].map((answer) => (
                  <label key={String(answer)} className="flex items-center gap-2">
                    <input
                      type="radio"
                      name="refunded"
                      checked={watch('refunded') === answer}
                      onChange={() => setValue('refunded', answer)}
                      className="size-4 accent-(--accent)"
                    />
                    {answer ? 'Yes, record a refund' : 'No'}
                  </label>
                ))}
              </div>
            </fieldset>
          ) : null}
          {watch('refunded') ? (
            <>
              <Field label="Amount" hint={`At most ${formatMoney(serial.refundable)}.`} error={error('amount')}>
                {(control) => <MoneyInput {...control} {...register('amount')} className="max-w-40" />}
              </Field>
              <Field
                label="Reason"
                hint={serial.reseller_name ? 'The reseller sees it too.' : undefined}
                error={error('reason')}
              >
                {(control) => <Input {...control} {...register('reason')} maxLength={500} />}
              </Field>
            </>
          ) : null}
          {revoking || serial.revoked ? null : <Checkbox label="Revoke the serial too" {...register('revoke')} />}
        </>
      )}
    </FormDialog>
  );
}

function amountMistake(text: string, most: number): string | undefined {
  const amount = readAmount(text);
  if (!amount) return 'Enter an amount such as 9.99.';
  return amount > most ? `Only ${formatMoney(most)} can still be refunded.` : undefined;
}
