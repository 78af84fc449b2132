import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { productQuery } from '#lib/queries/products.ts';
import type { SerialDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';

/** The seats of one serial: a number of its own, or the product's. */
export function SeatsEdit({ serial, onDone }: { serial: SerialDetail; onDone: () => void }) {
  const queryClient = useQueryClient();
  const product = useQuery(productQuery(serial.product_id));
  const form = useSavedForm({
    values: { seats: String(serial.max_activations) },
    check: ({ seats }) => ({ seats: !/^\s*[1-9]\d*\s*$/.test(seats) && 'Enter a whole number, 1 or more.' }),
    // nothing: as many as the product
    save: ({ seats }) =>
      api.setSerialSeats({ path: { id: serial.id }, body: { max_activations: seats ? Number(seats) : null } }),
    onSaved: (answer) => {
      refreshAfter(queryClient, 'seatsChanged');
      notify.success(answer.own ? 'Seats saved' : `Seats as set on the product (${answer.max_activations})`);
      onDone();
    },
    refused: (error) => ({ seats: describeError(error).message }),
  });
  const { setFocus, busy } = form;
  useEffect(() => setFocus('seats', { shouldSelect: true }), [setFocus]);
  return (
    <form {...form.frame} className="mb-4 flex flex-col items-start gap-3">
      <Field label="Seats for this serial" error={form.error('seats')}>
        {(control) => (
          <Input
            {...control}
            {...form.register('seats')}
            inputMode="numeric"
            onKeyDown={(event) => {
              if (event.key === 'Escape' && !busy) onDone();
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={busy}>
          Save
        </Button>
        <Button size="sm" disabled={busy} onClick={() => form.send({ seats: '' })}>
          Same as product{product.data ? ` (${product.data.max_activations})` : ''}
        </Button>
        <Button size="sm" disabled={busy} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
