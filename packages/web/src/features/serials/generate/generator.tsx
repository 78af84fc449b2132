import { useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { productQuery } from '../../../lib/queries/products.ts';
import { refreshAfter } from '../../../lib/queries/refresh.ts';
import { Loading } from '../../../ui/mark.tsx';
import { GeneratorForm } from './generator-form.tsx';
import type { Batch } from './stream-batch.ts';

const SuccessPanel = lazy(() => import('./success-panel.tsx').then((module) => ({ default: module.SuccessPanel })));

/** The form, then a panel with what was made; Exit goes back to an empty form. */
export function Generator({ productId }: { productId: string | undefined }) {
  const queryClient = useQueryClient();
  const [made, setMade] = useState<{ batch: Batch; product: string } | null>(null);
  const preset = useQuery({ ...productQuery(productId ?? ''), enabled: productId !== undefined });

  if (made) {
    return (
      <Suspense fallback={<Loading />}>
        <SuccessPanel {...made} onExit={() => setMade(null)} />
      </Suspense>
    );
  }
  if (productId !== undefined && preset.isPending) return <Loading />;
  return (
    <GeneratorForm
      product={preset.data ? { id: preset.data.id, name: preset.data.name } : null}
      onMade={(batch, product) => {
        setMade({ batch, product });
        window.scrollTo({ top: 0 });
        refreshAfter(queryClient, 'serialsGenerated');
      }}
    />
  );
}
