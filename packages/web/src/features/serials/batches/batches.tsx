import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Boxes, Tags } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { cursorPage } from '#lib/lists/trail.ts';
import { viewFilter } from '#lib/lists/view-filter.ts';
import { q } from '#lib/queries/operation.ts';
import type { Batch } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CursorPages } from '#ui/lists/cursor-pages.tsx';
import { FilterBar, isFiltered, noFilter } from '#ui/lists/filter-bar.tsx';
import { ListFrame, type Picked } from '#ui/lists/list-frame.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { menuItemClass } from '#ui/menus/menu.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { Parts } from '#ui/parts.tsx';
import { Empty } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { chosenIn } from '#widgets/lists/choice-filters.tsx';
import { useTask } from '#widgets/lists/use-save.ts';
import { ViewsMenu } from '#widgets/lists/views-menu.tsx';
import { type StockAction, StockChange } from '../stock-change.tsx';
import { hasChosen, type StockFilter, stockQuery, unchosen } from '../stock-filter.ts';
import { BatchFilters, batchKinds } from '../stock-filters.tsx';
import { BatchBar, inState } from './batch-share.tsx';
import { StartsBadge } from './starts-badge.tsx';

interface BatchesProps {
  filter: StockFilter;
  sort: BatchSort;
  page: number;
  cursor: string | undefined;
  /** Another order comes with the filter of a view. */
  onFilter: (filter: StockFilter, sort?: string) => void;
  onSort: (by: string) => void;
  onPage: (page: number, cursor?: string) => void;
  onCreate: () => void;
}

export type BatchSort = NonNullable<NonNullable<Parameters<typeof api.listBatches>[0]>['query']>['sort'];

const pageSize = 20;

export function Batches({ filter, sort, page, cursor, onFilter, onSort, onPage, onCreate }: BatchesProps) {
  const { batch: _, ...query } = stockQuery(filter);
  const list = useQuery({
    ...q('listBatches', {
      query: { limit: pageSize, ...query, ...(sort ? { sort } : {}), ...(cursor ? { cursor } : {}) },
    }),
    placeholderData: keepPreviousData,
  });
  const { data } = list;
  return (
    <>
      <FilterBar
        filter={filter}
        onFilter={(next) => onFilter({ ...filter, ...next })}
        placeholder="Search product, tag, reseller..."
        label="Search batches"
        choices={<BatchFilters filter={filter} onFilter={onFilter} />}
        chosen={chosenIn(batchKinds, filter)}
        onClear={() => onFilter({ ...filter, ...unchosen, dateRange: 'all' })}
      />
      <ListFrame
        table="batches"
        caption="Batches"
        one="batch"
        many="batches"
        failed="Batches couldn't be loaded"
        list={list}
        rows={data?.rows}
        rowKey={(row) => row.id}
        nameOf={(row) => `${row.product_name}${row.batch_tag ? `, ${row.batch_tag}` : ''}`}
        columns={columns}
        card={(row, pick) => <BatchCard row={row} pick={pick} />}
        sort={{ by: sort ?? '-created_at', onSort }}
        which={JSON.stringify(query)}
        matching={data && { total: data.total, exact: true }}
        actions={(picked) => <BulkActions picked={picked} query={query} />}
        views={(columns) => (
          <ViewsMenu
            list="batches"
            filter={viewFilter(query, sort)}
            columns={columns}
            onApply={({ sort: order = '', ...view }) => onFilter({ ...noFilter, ...unchosen, ...view }, order)}
          />
        )}
        trail={
          data && {
            kind: 'batches',
            list: 'batches',
            query: { ...query, ...(sort ? { sort } : {}) },
            total: data.total,
            exact: true,
            page: cursorPage(cursor, (page - 1) * pageSize, data.next_cursor),
          }
        }
        empty={<NoBatches filter={filter} later={page > 1} onFilter={onFilter} onFirst={() => onPage(1)} />}
        footer={
          data ? (
            <CursorPages
              data={data}
              pageSize={pageSize}
              one="batch"
              many="batches"
              page={page}
              cursor={cursor}
              onPage={onPage}
            />
          ) : null
        }
        onCreate={onCreate}
        skeletonRows={8}
      />
    </>
  );
}

/** So many a filter may name. */
const MOST = 50;

type BatchQuery = Omit<ReturnType<typeof stockQuery>, 'batch'>;

/** The ids of all batches that match, in parts as large as a filter may be. */
async function partsOf({ rows, everything }: Picked<Batch>, query: BatchQuery): Promise<string[]> {
  const ids = everything ? [] : rows.map(({ id }) => id);
  if (everything)
    for await (const { id } of api.paginate.listBatches({ query: { ...query, limit: 100 } })) ids.push(id);
  return Array.from({ length: Math.ceil(ids.length / MOST) }, (_, part) =>
    ids.slice(part * MOST, (part + 1) * MOST).join(','),
  );
}

/** What can be done with the serials of the batches that were picked, or of all that match. */
function BulkActions({ picked, query }: { picked: Picked<Batch>; query: BatchQuery }) {
  const [asked, setAsked] = useState<StockAction | null>(null);
  const save = useTask(async () => {
    const files = [];
    for (const batch of await partsOf(picked, query))
      files.push(await (await api.stream.listSerials({ query: { batch } }, { accept: 'text/csv' })).text());
    // one head is enough
    saveFile(
      'serial_batches.csv',
      files.map((file, at) => (at === 0 ? file : file.slice(file.indexOf('\n') + 1))),
    );
  }, 'Export failed.');
  const run = async (action: StockAction, dry_run: boolean) => {
    const done = [];
    for (const batch of await partsOf(picked, query))
      done.push(await api.changeMatchingSerials({ body: { action, filter: { batch, status: '-redeemed' }, dry_run } }));
    return done;
  };
  return (
    <>
      <Button size="sm" onClick={() => setAsked('revoke')}>
        Revoke the unredeemed
      </Button>
      <Button size="sm" onClick={() => setAsked('delete')} className="max-sm:hidden">
        Delete the unredeemed…
      </Button>
      <Button size="sm" busy={save.isPending} onClick={() => save.mutate()}>
        Export<span className="max-md:sr-only"> their serials</span>
      </Button>
      <StockChange
        asked={asked}
        about={[picked.everything ? query : picked.rows.map(({ id }) => id)]}
        run={run}
        onClose={() => setAsked(null)}
        onDone={picked.clear}
      />
    </>
  );
}

interface NoBatchesProps {
  filter: StockFilter;
  later: boolean;
  onFilter: (filter: StockFilter) => void;
  onFirst: () => void;
}

function NoBatches({ filter, later, onFilter, onFirst }: NoBatchesProps) {
  if (later) {
    return (
      <Empty title="Nothing on this page" action={<Button onClick={onFirst}>Go to the first page</Button>}>
        There are fewer batches now.
      </Empty>
    );
  }
  return isFiltered(filter) || hasChosen({ ...filter, batch: undefined }) ? (
    <Empty
      title="No batches found"
      action={<Button onClick={() => onFilter({ ...noFilter, ...unchosen })}>Clear the search</Button>}
    >
      No batch matches this product, tag or reseller.
    </Empty>
  ) : (
    <Empty
      title="No batches yet"
      action={
        <LinkButton to="/dashboard/serials" search={{ tab: 'generator' }} variant="primary">
          Generate serials
        </LinkButton>
      }
    >
      Serials you generate or import together are kept as a batch here, with their current state.
    </Empty>
  );
}

function BatchActions({ row }: { row: Batch }) {
  return (
    <RowMenu label={`Actions for ${row.product_name}${row.batch_tag ? `, ${row.batch_tag}` : ''}`}>
      <Link to="/dashboard/batches/$batchId" params={{ batchId: row.id }} className={menuItemClass}>
        <Boxes aria-hidden />
        Open batch
      </Link>
      <Link
        to="/dashboard/serials"
        search={{ tab: 'available', view: 'list', batch: row.id }}
        className={menuItemClass}
      >
        <Tags aria-hidden />
        Show available serials
      </Link>
      <Link to="/dashboard/serials" search={{ batch: row.id }} className={menuItemClass}>
        <Tags aria-hidden />
        Show redeemed serials
      </Link>
    </RowMenu>
  );
}

function Name({ row }: { row: Batch }) {
  return (
    <Link
      to="/dashboard/batches/$batchId"
      params={{ batchId: row.id }}
      data-row-link
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
      title={row.product_name}
    >
      {row.product_name}
      <span className="sr-only">
        , {plural(row.quantity, 'serial')}
        {row.batch_tag ? `, ${row.batch_tag}` : ''}
      </span>
    </Link>
  );
}

const figure = (text: string) => <span className="figures">{text}</span>;

const columns: Column<Batch>[] = [
  {
    key: 'product',
    header: 'Product',
    sort: 'product',
    bar: '140px',
    className: 'w-2/5',
    cell: (row) => (
      <>
        <span className="line-clamp-2 min-w-32 wrap-anywhere">
          <Name row={row} />
        </span>
        <StartsBadge batch={row} />
      </>
    ),
  },
  {
    key: 'tag',
    header: 'Tag',
    sort: 'tag',
    optional: true,
    bar: '80px',
    className: 'w-1/5',
    cell: (row) => (
      <span className="block max-w-40 truncate 2xl:max-w-80" title={row.batch_tag ?? undefined}>
        {row.batch_tag ?? (row.origin === 'import' ? <span className="text-muted">Imported</span> : '–')}
      </span>
    ),
  },
  {
    key: 'reseller',
    header: 'Reseller',
    sort: 'reseller',
    optional: true,
    bar: '90px',
    className: 'w-1/5',
    cell: (row) => (
      <span className="block max-w-36 truncate text-muted 2xl:max-w-72" title={row.reseller_name ?? undefined}>
        {row.reseller_name ?? '–'}
      </span>
    ),
  },
  {
    key: 'made',
    header: 'Made',
    sort: 'created_at',
    optional: true,
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
  {
    key: 'quantity',
    header: 'Quantity',
    sort: 'quantity',
    optional: true,
    className: 'text-right',
    cell: (row) => figure(formatCount(row.quantity)),
  },
  { key: 'open', header: 'Open', optional: true, className: 'text-right', cell: (row) => figure(inState(row, 'open')) },
  {
    key: 'redeemed',
    header: 'Redeemed',
    optional: true,
    className: 'text-right',
    cell: (row) => figure(inState(row, 'redeemed')),
  },
  {
    key: 'revoked',
    header: 'Revoked',
    optional: true,
    className: 'text-right',
    cell: (row) => figure(inState(row, 'revoked')),
  },
  {
    key: 'actions',
    header: 'Actions',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-0! pr-3! text-right',
    cell: (row) => <BatchActions row={row} />,
  },
];

function BatchCard({ row, pick }: { row: Batch; pick: ReactNode }) {
  const parts = [row.origin === 'import' ? 'Imported' : null, row.reseller_name].filter(Boolean);
  return (
    <div className="flex flex-col gap-2.5">
      <div className="flex items-start justify-between gap-1">
        {pick}
        <span className="flex min-w-0 flex-1 flex-col items-start gap-1 pt-1.5 wrap-anywhere">
          <Name row={row} />
          <StartsBadge batch={row} />
        </span>
        <BatchActions row={row} />
      </div>
      {row.batch_tag ? <p className="text-sm wrap-anywhere text-muted">{row.batch_tag}</p> : null}
      <BatchBar batch={row} />
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="truncate">{parts.join(' · ')}</span>
        <TimeAgo iso={row.created_at} />
      </div>
      <p className="figures text-sm text-muted">
        <span className="whitespace-nowrap">{plural(row.quantity, 'serial')}:</span>{' '}
        <Parts
          separator=","
          of={[
            `${inState(row, 'open')} open`,
            row.handed_out > 0 && `${inState(row, 'handed_out')} handed out`,
            `${inState(row, 'redeemed')} redeemed`,
            `${inState(row, 'revoked')} revoked`,
          ]}
        />
      </p>
    </div>
  );
}
