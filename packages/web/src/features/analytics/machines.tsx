import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { toCsv } from '@tonerow/sdk/csv';
import { Download } from 'lucide-react';
import { useRef, useState } from 'react';
import { saveFile } from '#lib/files/download.ts';
import { formatCount } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import type { MachineAnalytics } from '#lib/types.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { VersionsBySystem } from './versions-by-system.tsx';
import type { SeenDays } from './view.ts';

interface MachinesProps {
  /** The product by its id; empty: all. */
  product: string;
  /** The period of the activations by version and system. */
  seen: SeenDays;
  onSeen: (seen: SeenDays) => void;
}

/** The systems and versions that plugins run on, regardless of the screen's period. */
export function Machines({ product, seen, onSeen }: MachinesProps) {
  const query = useQuery({
    ...q('getMachineAnalytics', { query: product ? { product_id: product } : {} }),
    placeholderData: keepPreviousData,
  });
  const { data } = query;
  return (
    <section aria-labelledby="machines">
      <div className="mb-4 flex flex-wrap items-end justify-between gap-3">
        <div>
          <h2 id="machines" className="font-semibold">
            Machines
          </h2>
          <p className="text-sm text-muted">
            Where your plugins are running, based on checks in the last 30 days{product ? ' of the chosen product' : ''}
            .
          </p>
        </div>
        {data && data.active_machines > 0 ? (
          <IconButton
            label="Save machines as CSV"
            className="print:hidden"
            onClick={() => saveFile('machines.csv', [machinesCsv(data)])}
          >
            <Download aria-hidden />
          </IconButton>
        ) : null}
      </div>
      <Panel className="overflow-hidden p-5">
        {query.isError ? (
          <Failed
            title="Machines couldn't be loaded"
            error={query.error}
            retry={query.refetch}
            retrying={query.isFetching}
            className="py-8"
          />
        ) : !data ? (
          <span className="skeleton block h-40" />
        ) : data.machines === 0 && data.active_machines === 0 ? (
          <p className="text-muted">No machine holds a seat yet. Machines appear here when a plugin is activated.</p>
        ) : (
          <>
            <p className="figures mb-5">
              {formatCount(data.active_machines)} active in 30 days · {formatCount(data.machines)} hold a seat
              <span className="block text-sm text-muted">
                Below, a machine with several serials counts once for each of them.
              </span>
            </p>
            <div className="grid grid-cols-1 gap-8 sm:grid-cols-2">
              <Bars title="Versions" what="versions" rows={data.versions.map((row) => [row.version, row.count])} />
              <Bars title="Operating systems" what="systems" rows={data.systems.map((row) => [row.os, row.count])} />
            </div>
          </>
        )}
      </Panel>
      <VersionsBySystem product={product} seen={seen} onSeen={onSeen} />
    </section>
  );
}

const machinesCsv = ({ versions, systems }: MachineAnalytics) =>
  toCsv(
    ['Kind', 'Name', 'Activations'],
    [
      ...versions.map((row) => ['Version', row.version ?? 'Not reported', row.count]),
      ...systems.map((row) => ['Operating system', row.os ?? 'Not reported', row.count]),
    ],
  );

const firstRows = 8;
/** The server lists no more than this. */
const mostRows = 50;

interface BarsProps {
  title: string;
  /** Plural, for the button that shows the others. */
  what: string;
  rows: [string | null, number][];
}

function Bars({ title, what, rows }: BarsProps) {
  const [all, setAll] = useState(false);
  const list = useRef<HTMLUListElement>(null);
  const showAll = () => {
    setAll(true);
    // the button disappears
    list.current?.focus({ preventScroll: true });
  };
  const shown = all ? rows : rows.slice(0, firstRows);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <div className="min-w-0">
      <h3 className="mb-3 text-sm font-medium text-muted">{title}</h3>
      <ul ref={list} tabIndex={-1} aria-label={title} className="flex flex-col gap-3.5 rounded-sm">
        {shown.map(([name, count]) => (
          <li key={name ?? ''}>
            <div className="flex justify-between gap-4">
              <span className="truncate">{name ?? 'Not reported'}</span>
              <span className="figures">{formatCount(count)}</span>
            </div>
            <div className="mt-1 h-1 rounded-full bg-hover" aria-hidden>
              <div className="h-full min-w-1 rounded-full bg-accent" style={{ width: `${(count / most) * 100}%` }} />
            </div>
          </li>
        ))}
      </ul>
      {rows.length > shown.length ? (
        <Button size="sm" className="mt-5" onClick={showAll}>
          {rows.length < mostRows ? 'Show all' : 'Show'} {formatCount(rows.length)} {what}
        </Button>
      ) : all && rows.length >= mostRows ? (
        <p className="mt-5 text-sm text-muted">
          The {mostRows} most used {what}. There may be more.
        </p>
      ) : null}
    </div>
  );
}
