import { api } from '#lib/api.ts';
import { plainAmount, readAmount } from '#lib/format/amount.ts';
import { formatMoney } from '#lib/format/format.ts';
import { todayIn } from '#lib/time/period.ts';
import { accountZone } from '#lib/time/zone.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { DateInput, Field, Input, MoneyInput } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { usePayoutChange } from './use-payout-change.ts';

interface RecordPaymentProps {
  payout: PayoutDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Money that the developer has received, the whole rest unless something else is typed. */
export function RecordPayment({ payout, ...dialog }: RecordPaymentProps) {
  const { id, outstanding } = payout;
  const record = usePayoutChange(
    (body: { amount: number; paid_on: string; method: string; reference: string }) =>
      api.markPayoutPaid({ path: { id }, body }),
    { done: 'Payment recorded.' },
  );
  return (
    <FormDialog
      {...dialog}
      title="Record payment"
      description={`${formatMoney(outstanding)} is outstanding. The reseller gets an email.`}
      values={{ amount: plainAmount(outstanding), paid_on: todayIn(accountZone()), method: '', reference: '' }}
      check={(typed) => ({
        amount: !readAmount(typed.amount) && 'Enter an amount such as 120.50.',
        paid_on: !typed.paid_on && 'Enter a date.',
      })}
      save={(typed) => record.mutateAsync({ ...typed, amount: readAmount(typed.amount) ?? 0 })}
      action="Record payment"
    >
      {({ register, error, watch }) => (
        <>
          <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
            <Field
              label="Amount"
              error={error('amount')}
              hint={
                (readAmount(watch('amount')) ?? 0) > outstanding
                  ? 'The surplus is brought forward to the next statement.'
                  : undefined
              }
            >
              {(control) => <MoneyInput {...control} {...register('amount')} />}
            </Field>
            <Field label="Paid on" error={error('paid_on')}>
              {(control) => <DateInput {...control} {...register('paid_on')} />}
            </Field>
          </div>
          <Field label="Method" optional error={error('method')}>
            {(control) => <Input {...control} {...register('method')} maxLength={200} placeholder="Bank transfer" />}
          </Field>
          <Field label="Reference" optional hint="Helps both of you find the payment." error={error('reference')}>
            {(control) => <Input {...control} {...register('reference')} maxLength={200} />}
          </Field>
        </>
      )}
    </FormDialog>
  );
}
