import { zodResolver } from '@hookform/resolvers/zod';
import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { api } from '#lib/api.ts';
import { describeError, showFieldErrors } from '#lib/errors.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { toQuantity } from '#lib/format/quantity.ts';
import { useAttemptKey, useOnce } from '#lib/hooks.ts';
import { endSessionOn401 } from '#lib/query.ts';
import type { DealRequest } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { UnsavedGuard } from '#ui/forms/unsaved.tsx';
import { FormError } from '#ui/states.tsx';
import { notify } from '#ui/toast.ts';
import { batchCsv } from './batch-csv.ts';
import { DealBanner } from './deal-banner.tsx';
import { GeneratorFields } from './generator-fields.tsx';
import { GeneratorProgress } from './generator-progress.tsx';
import {
  blankGenerator,
  generatorFields,
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
  const [failure, setFailure] = useState<unknown>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const attempt = useAttemptKey();
  const form = useForm<Values>({
    defaultValues: deal?.form ?? { ...blankGenerator, product },
    resolver: zodResolver(generatorSchema),
  });
  const { isDirty, isSubmitting } = form.formState;
  const quantity = toQuantity(form.watch('quantity'));

  const generate = useOnce(async (values: Values) => {
    setFailure(null);
    const body = toGenerateRequest(values, deal);
    const idempotencyKey = attempt.keyFor(body);
    const name = values.product?.name ?? '';
    try {
      let batch: Batch;
      if (body.quantity > largestJson) {
        setProgress(0);
        batch = await generateStreamed(body, idempotencyKey, setProgress);
      } else {
        const answer = await api.generateSerials({ body }, { idempotencyKey });
        batch = {
          count: answer.count,
          codes: answer.serials.map((serial) => serial.code),
          csv: [batchCsv(answer.serials, name)],
        };
      }
      attempt.answered();
      form.reset(values);
      onMade(batch, name, values.promo_start);
    } catch (error) {
      endSessionOn401(error);
      attempt.answered(describeError(error).status ?? 0);
      if (!showFieldErrors(error, form.setError, generatorFields, generatorPaths)) setFailure(error);
      else notify.error('Serial generation failed.');
    } finally {
      setProgress(null);
    }
  });

  if (progress !== null) {
    return (
      <>
        <GeneratorProgress done={progress} total={quantity} />
        <UnsavedGuard dirty={() => true} />
      </>
    );
  }
  return (
    <form onSubmit={form.handleSubmit(generate)} noValidate aria-labelledby="generator-title">
      <h2 id="generator-title" className="mb-6 text-lg font-semibold tracking-[-0.02em]">
        Serial Generator
      </h2>
      {deal ? <DealBanner request={deal.request} /> : null}
      <GeneratorFields form={form} />
      <div className="flex flex-col gap-4 border-t border-line pt-6 lg:pl-[260px]">
        <FormError title="Serial generation failed." error={failure} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" variant="primary" busy={isSubmitting}>
            {quantity >= 1 && quantity <= 1_000_000 ? `Generate ${plural(quantity, 'serial')}` : 'Generate serials'}
          </Button>
          {quantity > largestJson && quantity <= 1_000_000 ? (
            <p className="text-sm text-muted">
              More than {formatCount(largestJson)}: keep this page open until they have all arrived.
            </p>
          ) : null}
        </div>
      </div>
      <UnsavedGuard dirty={() => isDirty && !isSubmitting} />
    </form>
  );
}
