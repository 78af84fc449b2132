import { api } from '#lib/api.ts';
import { formatMoney } from '#lib/format/format.ts';
import { Checkbox, Field, Input } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import type { Refundable } from './refundable.ts';
import { reassignStep } from './revoke-steps.ts';
import { useRefund } from './use-refund.ts';

interface ReinstateDialogProps {
  serial: Refundable;
  /** Whether the serial is to be reassigned, with or without its refund taken back. */
  reassigning: boolean;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Takes refunds back. On the way to a reassignment it first asks whether to. */
export function ReinstateDialog({ serial, reassigning, ...dialog }: ReinstateDialogProps) {
  const take = useRefund(serial);
  return (
    <FormDialog
      {...dialog}
      title={reassigning ? 'Reassign this serial?' : 'Take the refund back?'}
      description={`${formatMoney(serial.refunded)} of this serial ${serial.refunded === serial.final_price ? 'is' : 'are'} refunded. Taking it back is an entry of today with exactly that amount.`}
      values={{ paid: !reassigning, reassign: reassigning, reason: '' }}
      check={({ paid, reason }) => ({ reason: paid && !reason.trim() && 'Enter a reason.' })}
      save={({ paid, reassign, reason }) =>
        take(
          paid
            ? {
                done: `Took back ${formatMoney(serial.refunded)}${reassign ? ` and reassigned ${serial.code}` : ''}`,
                run: () => api.reinstateSerial({ path: { id: serial.id }, body: { reason: reason.trim(), reassign } }),
              }
            : reassignStep(serial),
        )
      }
      action={({ paid }) => (paid ? 'Take refund back' : 'Reassign')}
    >
      {({ register, error, watch }) => (
        <>
          {reassigning ? (
            <Checkbox label="The customer has paid again: take the refund back" {...register('paid')} />
          ) : null}
          {watch('paid') ? (
            <Field label="Reason" error={error('reason')}>
              {(control) => <Input {...control} {...register('reason')} maxLength={500} />}
            </Field>
          ) : null}
          {!reassigning && serial.revoked ? (
            <Checkbox label="Reassign the serial too" {...register('reassign')} />
          ) : null}
        </>
      )}
    </FormDialog>
  );
}
