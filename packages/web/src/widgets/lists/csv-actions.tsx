import { Upload } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { useAsked } from '#lib/keyboard/palette-requests.ts';
import { Button } from '#ui/button.tsx';
import { Later } from '#ui/dialogs/lazy-mount.tsx';
import type { ImportKind } from './csv-import.tsx';
import { useSave } from './use-save.ts';

const CsvImport = lazy(() => import('./csv-import.tsx').then((module) => ({ default: module.CsvImport })));

const demoNames: Record<ImportKind, string> = {
  available: 'Available-Serials-Demo.csv',
  redeemed: 'Demo-Redeemed-Serials.csv',
  customers: 'customers_demo.csv',
};

/** Import CSV and Download Demo; the export of the list comes as a child. One row, on a phone too. */
export function CsvActions({ kind, children }: { kind: ImportKind; children: ReactNode }) {
  const [importing, setImporting] = useState(false);
  const demo = useSave(
    demoNames[kind],
    () => api.stream.downloadDemoCsv({ path: { kind } }, { accept: 'text/csv' }),
    "The demo file couldn't be downloaded.",
  );
  useAsked('import', () => setImporting(true));
  return (
    <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:[&>button]:h-8 max-sm:[&>button]:flex-1 max-sm:[&>button]:px-2 max-sm:[&>button]:text-sm">
      <Button onClick={() => setImporting(true)}>
        <Upload className="-ml-0.5 size-4" aria-hidden />
        Import CSV
      </Button>
      <Button onClick={() => demo.mutate()} busy={demo.isPending}>
        Download Demo
      </Button>
      {children}
      <Later when={importing}>
        <CsvImport kind={kind} open={importing} onOpenChange={setImporting} onDemo={() => demo.mutate()} />
      </Later>
    </div>
  );
}
