import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../lib/api.ts';
import { saveFile } from '../../lib/download.ts';
import { useLive } from '../../lib/live.ts';
import { refreshAfter } from '../../lib/queries/refresh.ts';
import type { ImportAnswer } from '../../lib/types.ts';
import { formOf, upload } from '../../lib/upload.ts';
import { ImportPanel } from '../../ui/import-panel.tsx';
import { notify } from '../../ui/toast.ts';

interface ImportCustomersProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDemo: () => void;
}

export function ImportCustomers({ open, onOpenChange, onDemo }: ImportCustomersProps) {
  const queryClient = useQueryClient();
  const [lines, setLines] = useState<number>();
  useLive(({ type, data }) => {
    if (type === 'import' && data.kind === 'customers') setLines(data.lines);
  }, open);

  const report = async (id: string) => {
    try {
      const response = await api.stream.downloadImportReport({ path: { id } });
      saveFile('rejected_lines.csv', [await response.blob()]);
    } catch (error) {
      notify.error("The rejected lines couldn't be downloaded.", error);
    }
  };
  return (
    <ImportPanel
      open={open}
      onOpenChange={onOpenChange}
      title="Import customers"
      what="customers"
      hint="Email is required. First Name, Last Name and Signup Date are optional."
      lines={lines}
      send={(file, { dryRun, signal, onProgress }) => {
        setLines(undefined);
        return upload<ImportAnswer>('/api/customers/import', formOf(file), {
          signal,
          onProgress,
          ...(dryRun ? { query: { dry_run: true } } : {}),
        });
      }}
      onDemo={onDemo}
      onReport={report}
      onDone={() => refreshAfter(queryClient, 'customersImported')}
    />
  );
}
