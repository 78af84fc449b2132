import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { settingsQuery } from '#lib/queries/account.ts';
import { dealRequestQuery } from '#lib/queries/deals.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { productQuery, productsQuery } from '#lib/queries/products.ts';
import { Loading } from '#ui/mark.tsx';
import { DealAnswered, DealFailed } from './deal-banner.tsx';
import { GeneratorForm } from './generator-form.tsx';
import { generatorForDeal } from './generator-schema.ts';
import type { Batch } from './stream-batch.ts';

const SuccessPanel = lazy(() => import('./success-panel.tsx').then((module) => ({ default: module.SuccessPanel })));

interface GeneratorProps {
  productId: string | undefined;
  /** The reseller's request that the batch accepts. */
  dealRequestId: string | undefined;
}

/** The form, then a panel with what was made; Exit goes back to an empty form. */
export function Generator({ productId, dealRequestId }: GeneratorProps) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ batch: Batch; product: string; starts: string } | null>(null);
  const preset = useQuery({ ...productQuery(productId ?? ''), enabled: productId !== undefined });
  // the list of the picker: with one product there is nothing to pick
  const every = useQuery({ ...productsQuery(''), enabled: productId === undefined && dealRequestId === undefined });

  const asked = useQuery({ ...dealRequestQuery(dealRequestId ?? ''), enabled: dealRequestId !== undefined });
  const settings = useQuery({ ...settingsQuery, enabled: dealRequestId !== undefined });

  const exit = () => {
    setMade(null);
    // the request is accepted: the next batch is another one
    if (dealRequestId) navigate({ to: '/dashboard/serials/generator' });
  };

  if (made) {
    return (
      <Suspense fallback={<Loading />}>
        <SuccessPanel {...made} onExit={exit} />
      </Suspense>
    );
  }
  if (productId !== undefined && preset.isPending) return <Loading />;
  if (every.isLoading) return <Loading />;
  const failed = asked.error ?? settings.error;
  if (failed) return <DealFailed error={failed} />;
  if (dealRequestId && !(asked.data && settings.data)) return <Loading />;
  if (asked.data && !asked.data.is_open) return <DealAnswered request={asked.data} />;
  const deal = asked.data &&
    settings.data && { request: asked.data, form: generatorForDeal(asked.data, settings.data.time_zone) };
  return (
    <GeneratorForm
      deal={deal}
      product={preset.data ? { id: preset.data.id, name: preset.data.name } : onlyOf(every.data?.rows)}
      onMade={(batch, product, starts) => {
        setMade({ batch, product, starts });
        window.scrollTo({ top: 0 });
        refreshAfter(queryClient, 'serialsGenerated');
      }}
    />
  );
}

/** The product of an account that has one. */
function onlyOf(products: { id: string; name: string }[] = []): { id: string; name: string } | null {
  const [only, ...others] = products;
  return only && others.length === 0 ? { id: only.id, name: only.name } : null;
}
