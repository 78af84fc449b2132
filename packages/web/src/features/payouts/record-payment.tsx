import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { plainAmount, readAmount } from '#lib/format/amount.ts';
import { formatMoney } from '#lib/format/format.ts';
import { todayIn } from '#lib/time/period.ts';
import { accountZone } from '#lib/time/zone.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DateInput, Field, Input, MoneyInput } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { usePayoutChange } from './use-payout-change.ts';

interface RecordPaymentProps {
  payout: PayoutDetail;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

const today = () => todayIn(accountZone());

/** Money that the developer has received, the whole rest unless something else is typed. */
export function RecordPayment({ payout, open, onOpenChange }: RecordPaymentProps) {
  const { id, outstanding } = payout;
  const [form, setForm] = useState({ amount: '', paid_on: '', method: '', reference: '' });
  const [tried, setTried] = useState(false);
  const record = usePayoutChange(
    (body: { amount: number; paid_on: string; method: string; reference: string }) =>
      api.markPayoutPaid({ path: { id }, body }),
    { done: 'Payment recorded.', onDone: () => onOpenChange(false) },
  );
  useEffect(() => {
    if (!open) return;
    setForm({ amount: plainAmount(outstanding), paid_on: today(), method: '', reference: '' });
    setTried(false);
  }, [open, outstanding]);
  const set = (name: keyof typeof form) => (event: { target: { value: string } }) =>
    setForm((before) => ({ ...before, [name]: event.target.value }));
  const amount = readAmount(form.amount) ?? 0;
  const wrong = amount === 0;
  const close = (next: boolean) => {
    if (!next) record.reset();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title="Record payment"
      description={`${formatMoney(outstanding)} is outstanding. The reseller gets an email.`}
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!wrong && form.paid_on && !record.isPending) record.mutate({ ...form, amount });
        }}
      >
        <FormError error={record.error} />
        <div className="grid grid-cols-1 gap-5 sm:grid-cols-2">
          <Field
            label="Amount"
            error={tried && wrong ? 'Enter an amount such as 120.50.' : undefined}
            hint={!wrong && amount > outstanding ? 'The surplus is brought forward to the next statement.' : undefined}
          >
            {(control) => <MoneyInput {...control} value={form.amount} onChange={set('amount')} />}
          </Field>
          <Field label="Paid on" error={tried && !form.paid_on ? 'Enter a date.' : undefined}>
            {(control) => <DateInput {...control} value={form.paid_on} onChange={set('paid_on')} />}
          </Field>
        </div>
        <Field label="Method" optional>
          {(control) => (
            <Input
              {...control}
              maxLength={200}
              placeholder="Bank transfer"
              value={form.method}
              onChange={set('method')}
            />
          )}
        </Field>
        <Field label="Reference" optional hint="Helps both of you find the payment.">
          {(control) => <Input {...control} maxLength={200} value={form.reference} onChange={set('reference')} />}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={record.isPending}>
            Record payment
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
