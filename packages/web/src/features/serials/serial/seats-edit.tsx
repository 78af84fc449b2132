import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { productQuery } from '#lib/queries/products.ts';
import { refreshAfter } from '#lib/queries/refresh.ts';
import type { SerialDetail } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { notify } from '#ui/toast.ts';

/** The seats of one serial: a number of its own, or the product's. */
export function SeatsEdit({ serial, onDone }: { serial: SerialDetail; onDone: () => void }) {
  const queryClient = useQueryClient();
  const product = useQuery(productQuery(serial.product_id));
  const [text, setText] = useState(String(serial.max_activations));
  const [wrong, setWrong] = useState<string>();
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => form.current?.querySelector('input')?.select(), []);
  const save = useMutation({
    mutationFn: (seats: number | null) =>
      api.setSerialSeats({ path: { id: serial.id }, body: { max_activations: seats } }),
    onSuccess: (answer) => {
      refreshAfter(queryClient, 'seatsChanged');
      notify.success(answer.own ? 'Seats saved' : `Seats as set on the product (${answer.max_activations})`);
      onDone();
    },
    onError: (error) => setWrong(describeError(error).message),
  });
  const set = (seats: number | null) => {
    setWrong(undefined);
    save.mutate(seats);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (save.isPending) return;
    if (/^[1-9]\d*$/.test(text.trim())) set(Number(text));
    else setWrong('Enter a whole number, 1 or more.');
  };
  return (
    <form ref={form} onSubmit={submit} noValidate className="mb-4 flex flex-col items-start gap-3">
      <Field label="Seats for this serial" error={wrong}>
        {(control) => (
          <Input
            {...control}
            inputMode="numeric"
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape' && !save.isPending) onDone();
            }}
          />
        )}
      </Field>
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="sm" variant="primary" busy={save.isPending}>
          Save
        </Button>
        <Button size="sm" disabled={save.isPending} onClick={() => set(null)}>
          Same as product{product.data ? ` (${product.data.max_activations})` : ''}
        </Button>
        <Button size="sm" disabled={save.isPending} onClick={onDone}>
          Cancel
        </Button>
      </div>
    </form>
  );
}
