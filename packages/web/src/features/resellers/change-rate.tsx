import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useResellerChange } from './use-reseller-change.ts';

interface ChangeRateProps {
  reseller: ResellerProfile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ChangeRate({ reseller, open, onOpenChange }: ChangeRateProps) {
  const [rate, setRate] = useState('');
  const [tried, setTried] = useState(false);
  const change = useResellerChange(
    (commission_rate: number) => api.changeReseller({ path: { id: reseller.id }, body: { commission_rate } }),
    { done: 'Commission rate changed.', onDone: () => onOpenChange(false) },
  );
  useEffect(() => {
    if (!open) return;
    setRate(String(reseller.commission_rate));
    setTried(false);
  }, [open, reseller.commission_rate]);
  const wrong = !(/^\d+(\.\d{1,2})?$/.test(rate.trim()) && Number(rate) <= 100);
  const close = (next: boolean) => {
    if (!next) change.reset();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={close}
      title={`Commission of ${reseller.company_name}`}
      description={
        reseller.status === 'named'
          ? 'The new rate counts for later redemptions only. Earlier ones keep the rate they were made at.'
          : 'The new rate counts for later redemptions only, including serials the reseller already has. Earlier ones keep the rate they were made at. The reseller is notified by email.'
      }
    >
      <form
        className="mt-4 flex flex-col gap-5"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!wrong && !change.isPending) change.mutate(Number(rate));
        }}
      >
        <FormError error={change.error} />
        <Field
          label="Commission in percent"
          hint={`Now ${reseller.commission_rate}%.`}
          error={tried && wrong ? 'Enter a percentage from 0 to 100, such as 12.5.' : undefined}
        >
          {(control) => (
            <Input
              {...control}
              inputMode="decimal"
              value={rate}
              onChange={(event) => setRate(event.target.value)}
              className="max-w-32"
            />
          )}
        </Field>
        <div className="flex justify-end gap-2">
          <Button onClick={() => close(false)}>Cancel</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            Change rate
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
