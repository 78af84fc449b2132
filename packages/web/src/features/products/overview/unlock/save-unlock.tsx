import { useQueryClient } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import { api } from '#lib/api.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Product } from '#lib/types.ts';
import { Button } from '#ui/button.tsx';
import { useSave } from '#widgets/lists/use-save.ts';

/** Puts its file away: the server notes when. */
export function SaveUnlock({ product }: { product: Pick<Product, 'id' | 'name'> }) {
  const queryClient = useQueryClient();
  const save = useSave(
    `${product.name.replace(/[^\p{L}\p{N}]+/gu, '_')}_unlock.json`,
    () => api.stream.downloadProductUnlock({ path: { id: product.id } }),
    "The unlock couldn't be downloaded.",
  );
  return (
    <Button
      onClick={() => save.mutate(undefined, { onSettled: () => refreshAfter(queryClient, 'unlockChanged') })}
      busy={save.isPending}
    >
      <Download className="-ml-0.5 size-4" aria-hidden />
      Download its file
    </Button>
  );
}
