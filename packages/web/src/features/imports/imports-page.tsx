import { Link } from '@tanstack/react-router';
import { useTitle } from '#lib/hooks.ts';
import type { ImportSummary } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { LinkButton } from '#ui/button.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { PageHeader } from '#ui/page.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { TryIt } from '#ui/try-it.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { DiscardImport } from './discard-import.tsx';
import { NewImport } from './new-import.tsx';
import { UndoImport } from './undo-import.tsx';
import { countsOf, kindWords, stateOf } from './words.ts';

function FileLink({ row }: { row: ImportSummary }) {
  return (
    <Link
      to="/dashboard/imports/$importId"
      params={{ importId: row.id }}
      search={{}}
      title={row.file_name}
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
    >
      {row.file_name}
    </Link>
  );
}

function StateBadge({ row }: { row: ImportSummary }) {
  const { word, tone, means } = stateOf(row);
  return (
    <Badge tone={tone} means={row.error ?? means}>
      {word}
    </Badge>
  );
}

/** The next step of an import, if it has one. */
function Next({ row }: { row: ImportSummary }) {
  if (row.state === 'open') {
    return (
      <span className="inline-flex gap-1.5">
        <DiscardImport of={row} size="sm" />
        <LinkButton to="/dashboard/imports/$importId" params={{ importId: row.id }} search={{}} size="sm">
          Continue
        </LinkButton>
      </span>
    );
  }
  return <UndoImport of={row} size="sm" />;
}

const columns: Column<ImportSummary>[] = [
  {
    key: 'file',
    header: 'File',
    bar: '160px',
    cell: (row) => (
      <span className="block max-w-56 truncate xl:max-w-80">
        <FileLink row={row} />
      </span>
    ),
  },
  { key: 'kind', header: 'What', bar: '120px', cell: (row) => kindWords[row.kind] },
  { key: 'state', header: 'State', bar: '80px', cell: (row) => <StateBadge row={row} /> },
  {
    key: 'counts',
    header: 'Result',
    bar: '140px',
    cell: (row) => <span className="figures text-sm text-muted">{countsOf(row)}</span>,
  },
  {
    key: 'at',
    header: 'When',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.started_at} className="text-sm text-muted" />,
  },
  { key: 'next', header: 'Next', quiet: true, className: 'text-right', bar: '70px', cell: (row) => <Next row={row} /> },
];

function ImportCard({ row }: { row: ImportSummary }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          <FileLink row={row} />
        </span>
        <StateBadge row={row} />
      </div>
      <p className="figures text-sm text-muted">
        {kindWords[row.kind]} · {countsOf(row)}
      </p>
      <div className="flex items-center justify-between gap-3 text-sm text-muted">
        <TimeAgo iso={row.started_at} />
        <Next row={row} />
      </div>
    </div>
  );
}

const importLog = defineLog({
  title: 'Imports',
  one: 'import',
  operation: 'listImports',
  pageSize: 20,
  filters: {},
  columns,
  Card: ImportCard,
  empty: {
    title: 'Nothing imported yet',
    none: 'Choose a file above: a CSV, an Excel workbook, or an export of the system that you come from.',
  },
  skeletonRows: 4,
});

/** Files that came in, those that wait to be, and the way to bring another one. */
export function ImportsPage() {
  useTitle('Imports');
  const log = useLog(importLog);
  return (
    <>
      <PageHeader title="Imports" guide="moving-in">
        Bring serials and customers from any system: what is in a file is found out, shown and checked before anything
        is imported, and an import can be taken back.
      </PageHeader>
      <NewImport />
      <section className="mt-8" aria-label="Imports so far">
        <h2 className="mb-3 font-semibold">Imports so far</h2>
        <Log log={log} />
      </section>
      <div className="mt-6">
        <TryIt line="tonerow import sales.csv">The same in the terminal.</TryIt>
      </div>
    </>
  );
}
