import { Download } from 'lucide-react';
import { api } from '#lib/api.ts';
import { Button } from '#ui/button.tsx';
import { notify } from '#ui/toast.ts';
import { useSave } from '../lists/use-save.ts';

interface DownloadStockProps {
  id: string;
  deal?: string | undefined;
  /** Names the product where there are several buttons. */
  product?: string;
}

/** Saves the available codes as CSV, which the developer is told about. */
export function DownloadStock({ id, deal, product }: DownloadStockProps) {
  const save = useSave('serials.csv', () =>
    api.stream.downloadStock({ query: { product_id: id, ...(deal ? { deal } : {}) } }, { accept: 'text/csv' }),
  );
  const done = () => notify.success('Downloaded. These codes count as in circulation.');
  return (
    <Button
      size="sm"
      busy={save.isPending}
      onClick={() => save.mutate(undefined, { onSuccess: done })}
      title="These codes count as in circulation: the developer sees that you took them."
    >
      <Download className="-ml-0.5 size-4" aria-hidden />
      Download CSV
      {product ? <span className="sr-only"> of {product}</span> : null}
    </Button>
  );
}
