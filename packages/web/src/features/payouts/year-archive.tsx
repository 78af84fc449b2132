import { Archive } from 'lucide-react';
import { api } from '#lib/api.ts';
import type { PayoutSide } from '#lib/queries/payouts.ts';
import { Button } from '#ui/button.tsx';
import { useSave } from '#widgets/lists/use-save.ts';

/** All statements of a year for the accountant, in one click. */
export function YearArchive({ side, year }: { side: PayoutSide; year: number }) {
  const query = { year };
  const save = useSave(
    `statements-${year}.zip`,
    () =>
      side === 'reseller'
        ? api.stream.downloadPayoutArchive({ query }, { accept: 'application/zip' })
        : api.stream.downloadDeveloperPayoutArchive({ query }, { accept: 'application/zip' }),
    "The archive couldn't be downloaded.",
  );
  return (
    <Button onClick={() => save.mutate()} busy={save.isPending}>
      <Archive className="size-4" aria-hidden />
      Archive of {year}
    </Button>
  );
}
