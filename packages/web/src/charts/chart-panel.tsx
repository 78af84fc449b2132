import { useMutation } from '@tanstack/react-query';
import { ChartLine, Download, TableProperties } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { IconButton } from '#ui/button.tsx';
import { cn } from '#ui/cn.ts';
import { Panel } from '#ui/page.tsx';
import { notify } from '#ui/toast.ts';
import { csvOf } from './chart-csv.ts';
import { ChartTable } from './chart-table.tsx';
import { partColor } from './palette.ts';
import { type ChartData, type ChartKind, hasParts, isHorizontal } from './types.ts';

const ChartCanvas = lazy(() => import('./canvas.tsx').then((module) => ({ default: module.ChartCanvas })));

/** As many bars as fit without crowding; the table has the rest. */
const mostBars = 7;

interface ChartPanelProps {
  title: string;
  /** The total that the chart breaks down. */
  figure?: string | undefined;
  hint?: ReactNode;
  kind: ChartKind;
  /** Undefined while loading, which shows a skeleton of the same size. */
  data: ChartData | undefined;
  /** The chart's content in a sentence. */
  label: string;
  /** A file of the server, where it has more than the chart; otherwise the chart's own table. */
  csv?: { file: string; stream: () => Promise<Response> };
  /** Instead of the drawing when there is nothing to draw. */
  empty?: string | undefined;
  className?: string;
}

/** A chart with its heading, its table behind a toggle, and one height in every state. */
export function ChartPanel({ title, figure, hint, kind, data, label, csv, empty, className }: ChartPanelProps) {
  const save = useMutation({
    mutationFn: async (own: ChartData) =>
      csv ? saveFile(csv.file, [await (await csv.stream()).blob()]) : saveFile(fileOf(title), [csvOf(own)]),
    onError: (error) => notify.error('Export failed.', error),
  });
  const [table, setTable] = useState(false);
  const cut = isHorizontal(kind) && data !== undefined && data.points.length > mostBars;
  const drawn = useMemo(() => (data && cut ? { ...data, points: data.points.slice(0, mostBars) } : data), [data, cut]);
  const waiting = <div className="skeleton size-full" />;
  return (
    <Panel className={cn('flex flex-col p-5 print:break-inside-avoid', className)}>
      <div className="mb-4 flex min-h-[52px] items-start justify-between gap-3">
        <div className="min-w-0">
          <h3 className="text-sm font-medium text-muted">{title}</h3>
          {data ? (
            <p className="figures flex flex-wrap items-baseline gap-x-2 text-lg font-semibold tracking-[-0.02em]">
              {figure}
              {hint || cut ? (
                <span className="text-sm font-normal tracking-normal text-muted">
                  {hint ?? `the first ${mostBars} of ${data.points.length}`}
                </span>
              ) : null}
            </p>
          ) : (
            <span className="skeleton mt-1 block h-5 w-28" />
          )}
        </div>
        {data && !empty ? (
          <div className="-mt-1 -mr-1.5 flex print:hidden">
            <IconButton
              label={`Save ${title.toLowerCase()} as CSV`}
              onClick={() => save.mutate(data)}
              disabled={save.isPending}
            >
              <Download aria-hidden />
            </IconButton>
            <IconButton
              label={table ? `Show ${title.toLowerCase()} as chart` : `Show ${title.toLowerCase()} as table`}
              onClick={() => setTable(!table)}
            >
              {table ? <ChartLine aria-hidden /> : <TableProperties aria-hidden />}
            </IconButton>
          </div>
        ) : null}
      </div>
      {hasParts(kind) && data && !empty && !table ? <Legend data={data} /> : null}
      <div className="h-[232px]">
        {!data || !drawn ? (
          waiting
        ) : empty ? (
          <p className="grid size-full place-items-center rounded-md border border-dashed border-line-strong px-6 text-center text-sm text-balance text-muted">
            {empty}
          </p>
        ) : table ? (
          <ChartTable data={data} caption={title} />
        ) : (
          <Suspense fallback={waiting}>
            <ChartCanvas kind={kind} data={drawn} label={label} />
          </Suspense>
        )}
      </div>
    </Panel>
  );
}

const fileOf = (title: string) => `${title.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.csv`;

/** Names the series of each color. The figures are in the table. */
function Legend({ data }: { data: ChartData }) {
  return (
    <ul className="mb-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted" aria-label="Colors">
      {data.columns.slice(1).map((column, index) => (
        <li key={index} className="flex max-w-44 items-center gap-1.5">
          <span
            className="size-2.5 shrink-0 rounded-[3px] print:[print-color-adjust:exact]"
            style={{ background: partColor(index, column.others === true) }}
            aria-hidden
          />
          <span className="truncate">{column.name}</span>
        </li>
      ))}
    </ul>
  );
}
