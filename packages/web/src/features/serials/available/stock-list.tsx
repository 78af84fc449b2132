import { Link, linkOptions } from '@tanstack/react-router';
import { Ban, Boxes, Copy, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formatMoney } from '#lib/format/format.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { ownKeys } from '#lib/queries/own-keys.ts';
import type { Serial } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { copyNoted } from '#ui/buttons/copy-noted.ts';
import type { Picked } from '#ui/lists/list-frame.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { type AvailableFilter, availableFilters } from '../list-filters.ts';
import { serialsCsv } from '../serial-csv.ts';
import { SerialState } from '../serial-state.tsx';
import { type StockAction, StockChange } from '../stock-change.tsx';

const perCall = 1000;

/** The list shows available serials if no state is chosen. */
const shown = (filter: AvailableFilter) => (filter.status ? filter : { ...filter, state: 'available' });

interface BulkActionsProps {
  picked: Picked<Serial>;
  filter: AvailableFilter;
  exportAll: ReactNode;
}

function BulkActions({ picked, filter, exportAll }: BulkActionsProps) {
  const { rows, everything, clear } = picked;
  const [asked, setAsked] = useState<StockAction | null>(null);
  const ids = rows.map(({ id }) => id);
  const run = async (action: StockAction, dry_run: boolean) => {
    if (everything)
      return [await api.changeMatchingSerials({ body: { action, filter: queryOf(shown(filter)), dry_run } })];
    const done = [];
    for (let at = 0; at < ids.length; at += perCall)
      done.push(await api.changeSerials({ body: { action, ids: ids.slice(at, at + perCall), dry_run } }));
    return done;
  };
  const save = () => saveFile('serials.csv', [serialsCsv(rows)]);
  return (
    <>
      <Button size="sm" onClick={() => setAsked('revoke')}>
        Revoke
      </Button>
      <Button size="sm" onClick={() => setAsked('reassign')} className="max-sm:hidden">
        Reassign
      </Button>
      <Button size="sm" onClick={() => setAsked('delete')}>
        Delete…
      </Button>
      {everything ? (
        exportAll
      ) : (
        <Button size="sm" onClick={save}>
          <span>
            Export<span className="max-md:sr-only"> selected</span>
          </span>
        </Button>
      )}
      <StockChange
        action={asked}
        about={everything ? filter : ids}
        run={run}
        onClose={() => setAsked(null)}
        onDone={clear}
      />
    </>
  );
}

function ToSerial({ row }: { row: Serial }) {
  return (
    <Link
      to="/dashboard/serials/$serialId"
      params={{ serialId: row.id }}
      data-row-link
      className="rounded-[3px] decoration-line-strong underline-offset-4 hover:underline"
    >
      <SerialCode code={row.code} />
    </Link>
  );
}

function RowActions({ row }: { row: Serial }) {
  const [asked, setAsked] = useState<StockAction | null>(null);
  return (
    <>
      <RowMenu
        label={`Actions for ${row.code}`}
        items={[
          { icon: Copy, label: 'Copy serial', act: () => copyNoted(row.code) },
          {
            icon: Boxes,
            label: 'Open batch',
            to: linkOptions({ to: '/dashboard/batches/$batchId', params: { batchId: row.batch_id } }),
          },
          {
            icon: row.revoked ? Undo2 : Ban,
            label: row.revoked ? 'Reassign…' : 'Revoke…',
            act: () => setAsked(row.revoked ? 'reassign' : 'revoke'),
          },
          !row.redeemed_at && !row.handed_out_at && { icon: Trash2, label: 'Delete…', act: () => setAsked('delete') },
        ]}
      />
      <StockChange
        action={asked}
        about={row.id}
        run={async (action, dry_run) => [await api.changeSerials({ body: { action, ids: [row.id], dry_run } })]}
        onClose={() => setAsked(null)}
        onDone={() => undefined}
      />
    </>
  );
}

const columns: Column<Serial>[] = [
  { key: 'serial', header: 'Serial', bar: '190px', cell: (row) => <ToSerial row={row} /> },
  { key: 'status', header: 'Status', bar: '72px', cell: (row) => <SerialState row={row} /> },
  {
    key: 'product',
    header: 'Product',
    bar: '140px',
    className: 'w-full',
    cell: (row) => (
      <span className="line-clamp-2 min-w-24 wrap-anywhere" title={row.product_name}>
        {row.product_name}
      </span>
    ),
  },
  {
    key: 'batch',
    header: 'Batch',
    optional: true,
    bar: '80px',
    cell: (row) => (
      <Link
        to="/dashboard/batches/$batchId"
        params={{ batchId: row.batch_id }}
        className="block max-w-40 truncate rounded-sm text-sm text-muted hover:text-text hover:underline 2xl:max-w-80"
        title={row.batch_tag ?? undefined}
      >
        {row.batch_tag ?? 'No tag'}
      </Link>
    ),
  },
  {
    key: 'promo',
    header: 'Promo',
    optional: true,
    bar: '48px',
    className: 'text-right',
    cell: (row) => <span className="figures">{row.promo_price === null ? '–' : formatMoney(row.promo_price)}</span>,
  },
  {
    key: 'expires',
    header: 'Expires',
    optional: true,
    bar: '72px',
    className: '@max-[1000px]:hidden',
    cell: (row) => (
      <span className="text-sm whitespace-nowrap text-muted">
        {row.expires_at ? <Day edge="end" iso={row.expires_at} /> : 'Never'}
      </span>
    ),
  },
  {
    key: 'made',
    header: 'Made',
    optional: true,
    bar: '72px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-0! pr-3! text-right',
    cell: (row) => <RowActions row={row} />,
  },
];

function StockCard({ row, pick }: { row: Serial; pick: ReactNode }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-center gap-1">
        {pick}
        <span className="min-w-0 flex-1 overflow-x-auto">
          <ToSerial row={row} />
        </span>
        <RowActions row={row} />
      </div>
      <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 text-sm text-muted">
        <span className="min-w-0 wrap-anywhere">{row.product_name}</span>
        <SerialState row={row} />
      </div>
      <div className="flex flex-wrap justify-between gap-3 text-sm text-muted">
        <span className="min-w-0 wrap-anywhere">{row.batch_tag ?? 'No tag'}</span>
        <TimeAgo iso={row.created_at} />
      </div>
    </div>
  );
}

export const stockList = defineList({
  name: 'available',
  title: 'Available serials',
  one: 'serial',
  operation: 'listSerials',
  pageSize: 20,
  filters: availableFilters,
  query: shown,
  search: { placeholder: 'The beginning of a serial...', label: 'Search serials' },
  kinds: [
    kindOf.words('status', 'Status', {
      available: 'Available',
      handed_out: 'Handed out',
      expired: 'Expired',
      redeemed: 'Redeemed',
      revoked: 'Revoked',
    }),
    kindOf.named('product', 'Product', 'None'),
    kindOf.named('reseller', 'Reseller', 'Your own stock'),
    kindOf.named('batch', 'Batch', 'No tag'),
  ],
  counts: (filter) => ({
    queryKey: ownKeys.serialChoices(filter),
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      const query = queryOf(filter);
      // until states are chosen, the list shows what is available, and so do the counts; but not those of the states
      const [all, available] = await Promise.all([
        api.listSerialChoices({ query }, { signal }),
        filter.status ? null : api.listSerialChoices({ query: { ...query, state: 'available' } }, { signal }),
      ]);
      return { ...(available ?? all), status: all.status };
    },
  }),
  columns,
  Card: StockCard,
  nameOf: (row) => row.code,
  Actions: BulkActions,
  csv: { file: 'serials.csv', read: (query) => api.stream.listSerials({ query }, { accept: 'text/csv' }) },
  trail: { kind: 'serials', list: 'available' },
  empty: {
    title: 'No serials found',
    none: 'Unredeemed serials are listed here. Generate or import some.',
    action: (
      <LinkButton to="/dashboard/serials/generator" variant="primary">
        Generate serials
      </LinkButton>
    ),
    filtered: () =>
      'No serial matches the search, the dates and the filters. A search here is for the beginning of a code.',
  },
});
