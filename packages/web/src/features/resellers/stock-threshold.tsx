import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useResellerChange } from './use-reseller-change.ts';

/** Below how many serials of a product both sides are notified. */
export function StockThreshold({ reseller }: { reseller: ResellerProfile }) {
  const saved = reseller.low_stock_threshold === null ? '' : String(reseller.low_stock_threshold);
  const [text, setText] = useState(saved);
  const [tried, setTried] = useState(false);
  useEffect(() => setText(saved), [saved]);
  const change = useResellerChange(
    (low_stock_threshold: number | null) =>
      api.changeReseller({ path: { id: reseller.id }, body: { low_stock_threshold } }),
    { done: 'Stock alert saved.', undo: reseller.low_stock_threshold, onDone: () => setTried(false) },
  );
  const value = text.trim();
  const wrong = value !== '' && !(/^\d{1,7}$/.test(value) && Number(value) >= 1 && Number(value) <= 1_000_000);
  return (
    <section className="mt-8">
      <h2 className="mb-1 font-semibold">Stock alert</h2>
      <p className="mb-4 max-w-2xl text-sm text-muted">
        You and the reseller get an email when a product has fewer serials left at this reseller, once each time it
        happens. Leave it empty for no alert.
      </p>
      <form
        className="flex max-w-md flex-col gap-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (!wrong && !change.isPending) change.mutate(value === '' ? null : Number(value));
        }}
      >
        <FormError error={change.error} />
        <Field
          label="Serials left of a product"
          className="max-w-60"
          error={tried && wrong ? 'Enter a whole number from 1 to 1,000,000.' : undefined}
        >
          {(control) => (
            <div className="flex gap-2">
              <Input
                {...control}
                inputMode="numeric"
                value={text}
                onChange={(event) => setText(event.target.value)}
                className="max-w-40"
              />
              <Button type="submit" busy={change.isPending} disabled={value === saved}>
                Save
              </Button>
            </div>
          )}
        </Field>
      </form>
    </section>
  );
}
