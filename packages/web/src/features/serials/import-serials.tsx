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

export type ImportKind = 'redeemed' | 'available';

const kinds = {
  redeemed: {
    title: 'Import redeemed serials',
    path: '/api/serials/import-redeemed',
    columns:
      'Serial, Product and Email are required. First Name, Last Name, Total Price, Purchase Date, Downloads, Revoked, Reseller and Country are optional.',
  },
  available: {
    title: 'Import available serials',
    path: '/api/serials/import-available',
    columns:
      'Serial and Product are required. Promo Price, Promo Expires, Active From, Active To, Batch Tag and Notes are optional.',
  },
} as const;

interface ImportSerialsProps {
  kind: ImportKind;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDemo: () => void;
}

export function ImportSerials({ kind, open, onOpenChange, onDemo }: ImportSerialsProps) {
  const queryClient = useQueryClient();
  const { title, path, columns } = kinds[kind];
  const [lines, setLines] = useState<number>();
  useLive(({ type, data }) => {
    if (type === 'import' && data.kind === kind) setLines(data.lines);
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
      title={title}
      what="serials"
      hint={columns}
      lines={lines}
      send={(file, { dryRun, signal, onProgress }) => {
        setLines(undefined);
        return upload<ImportAnswer>(path, formOf(file), {
          signal,
          onProgress,
          ...(dryRun ? { query: { dry_run: true } } : {}),
        });
      }}
      onDemo={onDemo}
      onReport={report}
      onDone={() => refreshAfter(queryClient, 'serialsImported')}
    />
  );
}
