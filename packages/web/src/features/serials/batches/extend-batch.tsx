import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { accountZone, dayIn } from '#lib/time/zone.ts';
import type { Batch } from '#lib/types.ts';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { DateInput, Field } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { notify } from '#ui/toast.ts';
import { FormDialog } from '#widgets/forms/form-dialog.tsx';

type Dates = Partial<Pick<Batch, 'promo_start' | 'expires_at' | 'promo_expires'>>;

const hint = (iso: string | null) => `Now: ${iso ? formatChosen(iso, 'end') : 'never'}. Empty: never.`;

/** Changes the days in which the serials of a batch can be redeemed, and those of its deal. */
export function ExtendBatch({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const deal = batch.promo_price !== null;
  // imported serials may have a first day without a deal
  const starts = deal || batch.promo_start !== null;
  const days = {
    promo_start: dayOf(batch.promo_start),
    expires_at: dayOf(batch.expires_at),
    promo_expires: dayOf(batch.promo_expires),
  };
  // a day that was not touched stays to the minute
  const touched = (typed: typeof days) =>
    (Object.keys(days) as (keyof typeof days)[]).filter((name) => typed[name] !== days[name]);
  const change = async (body: Dates) => {
    const before = {
      expires_at: batch.expires_at,
      ...(starts ? { promo_start: batch.promo_start } : {}),
      ...(deal ? { promo_expires: batch.promo_expires } : {}),
    };
    const changed = await api.changeBatch({ path: { id: batch.id }, body });
    // an end that is over cannot be set again
    const undo = [before.expires_at, before.promo_expires].every((iso) => !iso || Date.parse(iso) > Date.now());
    const back = () =>
      change(before).catch((error: unknown) => notify.failed("The batch couldn't be changed back", error));
    notify.success(`Its serials can be redeemed ${windowOf(changed)}.`, undo ? { undo: back } : undefined);
    refreshAfter(queryClient, 'batchChanged');
  };
  return (
    <>
      <KeyedButton does="edit" onClick={() => setOpen(true)}>
        Change dates
      </KeyedButton>
      <FormDialog
        open={open}
        onOpenChange={setOpen}
        title="Dates of this batch"
        description="When its serials can be redeemed. What customers have redeemed is theirs for good."
        values={days}
        save={(typed) => change(Object.fromEntries(touched(typed).map((name) => [name, typed[name] || null])))}
        ready={(typed) => touched(typed).length > 0}
        action="Save"
      >
        {({ register, error }) => (
          <>
            {starts ? (
              <Field
                label="Promo starts"
                hint="Before this date, redemption is refused. Empty: at once."
                optional
                error={error('promo_start')}
              >
                {(control) => <DateInput {...control} {...register('promo_start')} />}
              </Field>
            ) : null}
            <Field label="Serials expire" hint={hint(batch.expires_at)} optional error={error('expires_at')}>
              {(control) => <DateInput {...control} {...register('expires_at')} />}
            </Field>
            {deal ? (
              <Field label="Promo expires" hint={hint(batch.promo_expires)} optional error={error('promo_expires')}>
                {(control) => <DateInput {...control} {...register('promo_expires')} />}
              </Field>
            ) : null}
            <ZoneNote />
          </>
        )}
      </FormDialog>
    </>
  );
}

/** `from Dec 5, 2026`, `until Jan 31, 2027`, `for good`. */
function windowOf({ promo_start: from, expires_at: until }: Batch): string {
  const parts = [
    from && Date.parse(from) > Date.now() ? `from ${formatChosen(from, 'start')}` : '',
    until ? `until ${formatChosen(until, 'end')}` : '',
  ];
  return parts.filter(Boolean).join(' ') || 'for good';
}

/** The day on the account's clock, as the field has it. */
const dayOf = (iso: string | null): string => (iso ? dayIn(iso, accountZone()) : '');
