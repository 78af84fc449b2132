import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { toCsv } from '@tonerow/sdk/csv';
import { Ban, Boxes, Copy, Trash2, Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formatMoney } from '#lib/format/format.ts';
import { useCopy } from '#lib/hooks.ts';
import { cursorPage } from '#lib/lists/trail.ts';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { q } from '#lib/queries/operation.ts';
import type { Serial } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CursorPages } from '#ui/lists/cursor-pages.tsx';
import { isFiltered, noFilter } from '#ui/lists/filter-bar.tsx';
import { ListFrame, type Picked } from '#ui/lists/list-frame.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { menuItemClass } from '#ui/menus/menu.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Empty } from '#ui/states.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { useSave } from '#widgets/lists/use-save.ts';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { ExportButton } from '../export-button.tsx';
import { SerialState } from '../serial-state.tsx';
import { type StockAction, StockChange } from '../stock-change.tsx';
import { hasChosen, listQuery, type StockFilter, stockQuery, unchosen } from '../stock-filter.ts';

interface StockListProps {
  filter: StockFilter;
  page: number;
  cursor: string | undefined;
  onFilter: (filter: StockFilter) => void;
  onPage: (page: number, cursor?: string) => void;
  onCreate: () => void;
}

const pageSize = 20;
const perCall = 1000;

/** Stock as a table: one line a serial, with filters, and changes of many at once. */
export function StockList({ filter, page, cursor, onFilter, onPage, onCreate }: StockListProps) {
  const list = useQuery({
    ...q('listSerials', { query: { limit: pageSize, ...listQuery(filter), ...(cursor ? { cursor } : {}) } }),
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  return (
    <ListFrame
      table="available serials"
      caption="Serials"
      one="serial"
      failed="Serials couldn't be loaded"
      list={list}
      rows={data?.rows}
      rowKey={(row) => row.id}
      nameOf={(row) => row.code}
      columns={columns}
      card={(row, pick) => <StockCard row={row} pick={pick} />}
      which={JSON.stringify(filter)}
      matching={data && { total: data.total, exact: data.total_exact }}
      actions={(picked) => <BulkActions picked={picked} filter={filter} />}
      views={(columns) => (
        <ViewsMenu
          list="available"
          filter={viewFilter(stockQuery(filter), undefined)}
          columns={columns}
          onApply={(view) => onFilter({ ...noFilter, ...unchosen, ...view })}
        />
      )}
      trail={
        data && {
          kind: 'serials',
          list: 'serials',
          query: listQuery(filter),
          total: data.total,
          exact: data.total_exact,
          page: cursorPage(cursor, (page - 1) * pageSize, data.next_cursor),
        }
      }
      empty={<NoStock filter={filter} later={page > 1} onFilter={onFilter} onFirst={() => onPage(1)} />}
      footer={
        data ? (
          <CursorPages data={data} pageSize={pageSize} one="serial" page={page} cursor={cursor} onPage={onPage} />
        ) : null
      }
      onCreate={onCreate}
    />
  );
}

/** Everything that matches the filter. */
export function StockExport({ filter, size }: { filter: StockFilter; size?: 'sm' }) {
  const save = useSave('serials.csv', () =>
    api.stream.listSerials({ query: listQuery(filter) }, { accept: 'text/csv' }),
  );
  return (
    <ExportButton busy={save.isPending} onClick={() => save.mutate()} {...(size ? { size } : {})}>
      {size ? 'Export all' : 'Export CSV'}
    </ExportButton>
  );
}

function BulkActions({ picked, filter }: { picked: Picked<Serial>; filter: StockFilter }) {
  const { rows, everything, clear } = picked;
  const [asked, setAsked] = useState<StockAction | null>(null);
  const ids = rows.map(({ id }) => id);
  const run = async (action: StockAction, dry_run: boolean) => {
    if (everything) return [await api.changeMatchingSerials({ body: { action, filter: listQuery(filter), dry_run } })];
    const done = [];
    for (let at = 0; at < ids.length; at += perCall)
      done.push(await api.changeSerials({ body: { action, ids: ids.slice(at, at + perCall), dry_run } }));
    return done;
  };
  const save = () => saveFile('serials.csv', [toCsv(header, rows.map(cellsOf))]);
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
        <StockExport filter={filter} size="sm" />
      ) : (
        <Button size="sm" onClick={save}>
          <span>
            Export<span className="max-md:sr-only"> selected</span>
          </span>
        </Button>
      )}
      <StockChange
        asked={asked}
        about={everything ? filter : ids}
        run={run}
        onClose={() => setAsked(null)}
        onDone={clear}
      />
    </>
  );
}

const header = ['Serial', 'Product', 'Promo Price', 'Promo Expires', 'Active From', 'Active To', 'Batch Tag', 'Notes'];
const cellsOf = (row: Serial) => [
  row.code,
  row.product_name,
  row.promo_price?.toString(),
  row.promo_expires,
  row.promo_start,
  row.expires_at,
  row.batch_tag,
  row.notes,
];

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
  const { copy } = useCopy();
  const [asked, setAsked] = useState<StockAction | null>(null);
  const take = async () => {
    if (await copy(row.code)) notify.success(`Copied ${row.code}`);
    else notify.error("Your browser didn't allow copying. Select the text instead.");
  };
  return (
    <>
      <RowMenu label={`Actions for ${row.code}`}>
        <button type="button" className={menuItemClass} onClick={take}>
          <Copy aria-hidden />
          Copy serial
        </button>
        <Link to="/dashboard/batches/$batchId" params={{ batchId: row.batch_id }} className={menuItemClass}>
          <Boxes aria-hidden />
          Open batch
        </Link>
        <button type="button" className={menuItemClass} onClick={() => setAsked(row.revoked ? 'reassign' : 'revoke')}>
          {row.revoked ? <Undo2 aria-hidden /> : <Ban aria-hidden />}
          {row.revoked ? 'Reassign…' : 'Revoke…'}
        </button>
        {row.redeemed_at || row.handed_out_at ? null : (
          <button type="button" className={menuItemClass} onClick={() => setAsked('delete')}>
            <Trash2 aria-hidden />
            Delete…
          </button>
        )}
      </RowMenu>
      <StockChange
        asked={asked}
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

interface NoStockProps {
  filter: StockFilter;
  later: boolean;
  onFilter: (filter: StockFilter) => void;
  onFirst: () => void;
}

function NoStock({ filter, later, onFilter, onFirst }: NoStockProps) {
  if (later) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={onFirst}>Go to the first page</Button>}>
        There are fewer serials now.
      </Empty>
    );
  }
  return isFiltered(filter) || hasChosen(filter) ? (
    <Empty
      title="No serials found"
      action={<Button onClick={() => onFilter({ ...noFilter, ...unchosen })}>Clear the filter</Button>}
    >
      No serial matches the search, the dates and the filters. A search here is for the beginning of a code.
    </Empty>
  ) : (
    <Empty
      title="No serials found"
      action={
        <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
          Generate serials
        </LinkButton>
      }
    >
      Unredeemed serials are listed here. Generate or import some.
    </Empty>
  );
}
