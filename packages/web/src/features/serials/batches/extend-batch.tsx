import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { formatChosen } from '#lib/format/format.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import { accountZone, dayIn } from '#lib/time/zone.ts';
import type { Batch } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { KeyedButton } from '#ui/buttons/keyed-button.tsx';
import { Dialog } from '#ui/dialogs/dialog.tsx';
import { DateInput, Field } from '#ui/forms/field.tsx';
import { ZoneNote } from '#ui/forms/zone-note.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';

type Dates = Partial<Pick<Batch, 'promo_start' | 'expires_at' | 'promo_expires'>>;

const hint = (iso: string | null) => `Now: ${iso ? formatChosen(iso, 'end') : 'never'}. Empty: never.`;

/** From when and until when the serials of a batch can be redeemed, and its deal lasts. */
export function ExtendBatch({ batch }: { batch: Batch }) {
  const queryClient = useQueryClient();
  const [open, setOpen] = useState(false);
  const [start, setStart] = useState('');
  const [expires, setExpires] = useState('');
  const [promo, setPromo] = useState('');
  const deal = batch.promo_price !== null;
  // imported serials may have a first day without a deal
  const starts = deal || batch.promo_start !== null;
  const save = useMutation({
    mutationFn: (back?: Dates) =>
      api.changeBatch({
        path: { id: batch.id },
        // a day that was not touched stays to the minute
        body: back ?? {
          ...(start === dayOf(batch.promo_start) ? {} : { promo_start: start || null }),
          ...(expires === dayOf(batch.expires_at) ? {} : { expires_at: expires || null }),
          ...(promo === dayOf(batch.promo_expires) ? {} : { promo_expires: promo || null }),
        },
      }),
    onMutate: () => ({
      expires_at: batch.expires_at,
      ...(starts ? { promo_start: batch.promo_start } : {}),
      ...(deal ? { promo_expires: batch.promo_expires } : {}),
    }),
    onSuccess: (changed, _, before) => {
      setOpen(false);
      // an end that is over cannot be set again
      const undo = [before.expires_at, before.promo_expires].every((iso) => !iso || Date.parse(iso) > Date.now());
      notify.success(
        `Its serials can be redeemed ${windowOf(changed)}.`,
        undo ? { undo: () => save.mutate(before) } : undefined,
      );
      return refreshAfter(queryClient, 'batchChanged');
    },
    // without the form there is no other place for it
    onError: (error) => (open ? undefined : notify.failed("The batch couldn't be changed back", error)),
  });
  const { reset } = save;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed stays while it is open
  useEffect(() => {
    if (!open) return;
    setStart(dayOf(batch.promo_start));
    setExpires(dayOf(batch.expires_at));
    setPromo(dayOf(batch.promo_expires));
    reset();
  }, [open]);
  const untouched =
    start === dayOf(batch.promo_start) && expires === dayOf(batch.expires_at) && promo === dayOf(batch.promo_expires);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!save.isPending && !untouched) save.mutate(undefined);
  };
  return (
    <>
      <KeyedButton does="edit" onClick={() => setOpen(true)}>
        Change dates
      </KeyedButton>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Dates of this batch"
        description="When its serials can be redeemed. What customers have redeemed is theirs for good."
      >
        <form className="mt-4 flex flex-col gap-5" noValidate onSubmit={submit}>
          <FormError error={save.error} />
          {starts ? (
            <Field label="Promo starts" hint="Before this date, redemption is refused. Empty: at once." optional>
              {(control) => <DateInput {...control} value={start} onChange={(event) => setStart(event.target.value)} />}
            </Field>
          ) : null}
          <Field label="Serials expire" hint={hint(batch.expires_at)} optional>
            {(control) => (
              <DateInput {...control} value={expires} onChange={(event) => setExpires(event.target.value)} />
            )}
          </Field>
          {deal ? (
            <Field label="Promo expires" hint={hint(batch.promo_expires)} optional>
              {(control) => <DateInput {...control} value={promo} onChange={(event) => setPromo(event.target.value)} />}
            </Field>
          ) : null}
          <ZoneNote />
          <div className="flex justify-end gap-2">
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button type="submit" variant="primary" busy={save.isPending} disabled={untouched}>
              Save
            </Button>
          </div>
        </form>
      </Dialog>
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
