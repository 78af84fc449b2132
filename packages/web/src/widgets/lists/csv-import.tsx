import { useQueryClient } from '@tanstack/react-query';
import { importAvailableSerials, importCustomers, importRedeemedSerials } from '@tonerow/sdk/routes';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formOf, upload } from '#lib/files/upload.ts';
import { useLive } from '#lib/live.ts';
import { type Change, refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { TextLink } from '#ui/button.tsx';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { ImportPanel } from '#ui/import/import-panel.tsx';
import { notify } from '#ui/toast.ts';

export type ImportKind = 'available' | 'redeemed' | 'customers';

type ImportRoute = typeof importAvailableSerials | typeof importRedeemedSerials | typeof importCustomers;

const kinds: Record<ImportKind, { title: string; what: string; route: ImportRoute; columns: string; change: Change }> =
  {
    available: {
      title: 'Import available serials',
      what: 'serials',
      route: importAvailableSerials,
      columns:
        'Serial and Product are required. Promo Price, Promo Expires, Active From, Active To, Batch Tag and Notes are optional.',
      change: 'serialsImported',
    },
    redeemed: {
      title: 'Import redeemed serials',
      what: 'serials',
      route: importRedeemedSerials,
      columns:
        'Serial, Product and Email are required. First Name, Last Name, Total Price, Purchase Date, Downloads, Revoked, Reseller and Country are optional.',
      change: 'serialsImported',
    },
    customers: {
      title: 'Import customers',
      what: 'customers',
      route: importCustomers,
      columns: 'Email is required. First Name, Last Name and Signup Date are optional.',
      change: 'customersImported',
    },
  };

interface CsvImportProps {
  kind: ImportKind;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onDemo: () => void;
}

/** Imports a CSV file and shows how far the server has read it. */
export function CsvImport({ kind, open, onOpenChange, onDemo }: CsvImportProps) {
  const queryClient = useQueryClient();
  const { title, what, route, columns, change } = kinds[kind];
  const [lines, setLines] = useState<number>();
  useLive(
    ({ type, data }) => {
      if (type === 'import' && data.kind === kind) setLines(data.lines);
    },
    { enabled: open },
  );

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
      what={what}
      hint={
        <>
          {columns} A file with other columns, of another system or from Excel, is read by the{' '}
          <TextLink to="/dashboard/imports">assistant</TextLink>. <HelpLink guide="moving-in" />
        </>
      }
      lines={lines}
      send={(file, { dryRun, signal, onProgress }) => {
        setLines(undefined);
        return upload(route, formOf(file), { signal, onProgress, ...(dryRun ? { query: { dry_run: true } } : {}) });
      }}
      onDemo={onDemo}
      onReport={report}
      onDone={() => refreshAfter(queryClient, change)}
    />
  );
}
