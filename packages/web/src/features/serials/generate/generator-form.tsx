import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { toQuantity } from '#lib/format/quantity.ts';
import { useAttempt } from '#lib/hooks.ts';
import type { DealRequest } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { useSavedForm } from '#widgets/forms/use-saved-form.ts';
import { serialsCsv } from '../serial-csv.ts';
import { DealBanner } from './deal-banner.tsx';
import { GeneratorFields } from './generator-fields.tsx';
import { GeneratorProgress } from './generator-progress.tsx';
import {
  blankGenerator,
  generatorPaths,
  generatorSchema,
  toGenerateRequest,
  type GeneratorForm as Values,
} from './generator-schema.ts';
import { type Batch, generateStreamed, largestJson } from './stream-batch.ts';

interface GeneratorFormProps {
  product: { id: string; name: string } | null;
  /** The reseller's request that the batch accepts, and the form with its terms. */
  deal?: { request: DealRequest; form: Values } | undefined;
  /** `starts`: the first day on which they can be redeemed; empty: today. */
  onMade: (batch: Batch, product: string, starts: string) => void;
}

export function GeneratorForm({ product, deal, onMade }: GeneratorFormProps) {
  const [progress, setProgress] = useState<number | null>(null);
  const attempt = useAttempt();
  const form = useSavedForm<Values, Batch>({
    values: deal?.form ?? { ...blankGenerator, product },
    resolver: zodResolver(generatorSchema),
    rename: generatorPaths,
    onFields: () => notify.error('Serial generation failed.'),
    save: (values) => {
      const body = toGenerateRequest(values, deal);
      const made = attempt(body, async (idempotencyKey) => {
        if (body.quantity > largestJson) {
          setProgress(0);
          return generateStreamed(body, idempotencyKey, setProgress);
        }
        const { count, serials } = await api.generateSerials({ body }, { idempotencyKey });
        const rows = serials.map((serial) => ({ ...serial, product_name: values.product?.name ?? '' }));
        return { count, codes: serials.map(({ code }) => code), csv: [serialsCsv(rows)] };
      });
      return made.finally(() => setProgress(null));
    },
    onSaved: (batch, values) => {
      form.reset(values);
      onMade(batch, values.product?.name ?? '', values.promo_start);
    },
  });
  const { isDirty } = form.formState;
  const quantity = toQuantity(form.watch('quantity'));

  if (progress !== null) {
    return (
      <>
        <GeneratorProgress done={progress} total={quantity} />
        <UnsavedGuard dirty={() => true} />
      </>
    );
  }
  return (
    <form {...form.frame} aria-labelledby="generator-title">
      <h2 id="generator-title" className="mb-6 text-lg font-semibold tracking-[-0.02em]">
        Serial Generator
      </h2>
      {deal ? <DealBanner request={deal.request} /> : null}
      <GeneratorFields form={form} />
      <div className="flex flex-col gap-4 border-t border-line pt-6 lg:pl-[260px]">
        <FormError title="Serial generation failed." error={form.failure} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" variant="primary" busy={form.busy}>
            {quantity >= 1 && quantity <= 1_000_000 ? `Generate ${plural(quantity, 'serial')}` : 'Generate serials'}
          </Button>
          {quantity > largestJson && quantity <= 1_000_000 ? (
            <p className="text-sm text-muted">
              More than {formatCount(largestJson)}: keep this page open until they have all arrived.
            </p>
          ) : null}
        </div>
      </div>
      <UnsavedGuard dirty={() => isDirty && !form.busy} />
    </form>
  );
}
