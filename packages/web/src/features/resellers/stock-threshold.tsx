import { useEffect } from 'react';
import { api } from '#lib/api.ts';
import type { ResellerProfile } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { Field, Input } from '#ui/forms/field.tsx';
import { FormError } from '#ui/states.tsx';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { useResellerChange } from './use-reseller-change.ts';

/** Below how many serials of a product both sides are notified. */
export function StockThreshold({ reseller }: { reseller: ResellerProfile }) {
  const saved = reseller.low_stock_threshold === null ? '' : String(reseller.low_stock_threshold);
  const change = useResellerChange(
    (low_stock_threshold: number | null) =>
      api.changeReseller({ path: { id: reseller.id }, body: { low_stock_threshold } }),
    { done: 'Stock alert saved.', undo: reseller.low_stock_threshold },
  );
  const form = useSavedForm({
    values: { low_stock_threshold: saved },
    check: ({ low_stock_threshold: text }) => ({
      low_stock_threshold:
        text.trim() !== '' &&
        !(/^\s*\d{1,7}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= 1_000_000) &&
        'Enter a whole number from 1 to 1,000,000.',
    }),
    save: ({ low_stock_threshold: text }) => change.mutateAsync(text.trim() === '' ? null : Number(text)),
  });
  const { reset } = form;
  useEffect(() => reset({ low_stock_threshold: saved }), [saved, reset]);
  return (
    <section className="mt-8">
      <h2 className="mb-1 font-semibold">Stock alert</h2>
      <p className="mb-4 max-w-2xl text-sm text-muted">
        You and the reseller get an email when a product has fewer serials left at this reseller, once each time it
        happens. Leave it empty for no alert.
      </p>
      <form {...form.frame} className="flex max-w-md flex-col gap-3">
        <FormError error={form.failure} />
        <Field label="Serials left of a product" className="max-w-60" error={form.error('low_stock_threshold')}>
          {(control) => (
            <div className="flex gap-2">
              <Input {...control} {...form.register('low_stock_threshold')} inputMode="numeric" className="max-w-40" />
              <Button type="submit" busy={form.busy} disabled={form.watch('low_stock_threshold').trim() === saved}>
                Save
              </Button>
            </div>
          )}
        </Field>
      </form>
    </section>
  );
}
