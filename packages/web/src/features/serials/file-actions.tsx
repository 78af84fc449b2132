import { Download, Upload } from 'lucide-react';
import { lazy, type ReactNode, useState } from 'react';
import { api } from '../../lib/api.ts';
import { Button } from '../../ui/button.tsx';
import { Later } from '../../ui/later.tsx';
import type { ImportKind } from './import-serials.tsx';
import { useExport } from './use-export.ts';

const ImportSerials = lazy(() => import('./import-serials.tsx').then((module) => ({ default: module.ImportSerials })));

const demoNames = { redeemed: 'Demo-Redeemed-Serials.csv', available: 'Available-Serials-Demo.csv' };

/** Import CSV and Download Demo; the export of the list comes as a child. */
export function FileActions({ kind, children }: { kind: ImportKind; children: ReactNode }) {
  const [importing, setImporting] = useState(false);
  const demo = useExport(
    demoNames[kind],
    () => api.stream.downloadDemoCsv({ path: { kind } }, { accept: 'text/csv' }),
    "The demo file couldn't be downloaded.",
  );
  return (
    <div className="flex flex-wrap gap-2 max-sm:[&>button]:flex-1 max-sm:[&>button]:px-2.5 max-sm:[&>button]:text-sm">
      <Button onClick={() => setImporting(true)}>
        <Upload className="-ml-0.5 size-4" aria-hidden />
        Import CSV
      </Button>
      <Button onClick={() => demo.mutate()} busy={demo.isPending}>
        Download Demo
      </Button>
      {children}
      <Later when={importing}>
        <ImportSerials kind={kind} open={importing} onOpenChange={setImporting} onDemo={() => demo.mutate()} />
      </Later>
    </div>
  );
}

export function ExportButton({ children, busy, onClick, disabled, title }: ExportButtonProps) {
  return (
    <Button onClick={onClick} busy={busy ?? false} disabled={disabled} title={title}>
      <Download className="-ml-0.5 size-4" aria-hidden />
      {children}
    </Button>
  );
}

interface ExportButtonProps {
  children: ReactNode;
  busy?: boolean;
  disabled?: boolean;
  title?: string;
  onClick?: () => void;
}
