import { api } from '#lib/api.ts';
import { rateMistake } from '#lib/format/amount.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';
import { useResellerChange } from './use-reseller-change.ts';

interface ChangeRateProps {
  reseller: ResellerProfile;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function ChangeRate({ reseller, ...dialog }: ChangeRateProps) {
  const change = useResellerChange(
    (commission_rate: number) => api.changeReseller({ path: { id: reseller.id }, body: { commission_rate } }),
    { done: 'Commission rate changed.' },
  );
  return (
    <FormDialog
      {...dialog}
      title={`Commission of ${reseller.company_name}`}
      description={
        reseller.status === 'named'
          ? 'The new rate counts for later redemptions only. Earlier ones keep the rate they were made at.'
          : 'The new rate counts for later redemptions only, including serials the reseller already has. Earlier ones keep the rate they were made at. The reseller is notified by email.'
      }
      values={{ commission_rate: String(reseller.commission_rate) }}
      check={(typed) => ({ commission_rate: rateMistake(typed.commission_rate) })}
      save={(typed) => change.mutateAsync(Number(typed.commission_rate))}
      action="Change rate"
    >
      {({ register, error }) => (
        <Field
          label="Commission in percent"
          hint={`Now ${reseller.commission_rate}%.`}
          error={error('commission_rate')}
        >
          {(control) => (
            <Input {...control} {...register('commission_rate')} inputMode="decimal" className="max-w-32" />
          )}
        </Field>
      )}
    </FormDialog>
  );
}
