import { Link, linkOptions } from '@tanstack/react-router';
import { Boxes, Tags } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { api } from '#lib/api.ts';
import { saveFile } from '#lib/files/download.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import type { Batch } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import type { Picked } from '#ui/lists/list-frame.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { RowMenu } from '#ui/menus/row-menu.tsx';
import { Parts } from '#ui/parts.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { useTask } from '#widgets/lists/use-save.ts';
import { type BatchFilter, batchFilters } from '../list-filters.ts';
import { type StockAction, StockChange } from '../stock-change.tsx';
import { BatchBar, inState } from './batch-share.tsx';
import { StartsBadge } from './starts-badge.tsx';

/** So many a filter may name. */
const MOST = 50;

/** The ids of all batches that match, in parts as large as a filter may be. */
async function partsOf({ rows, everything }: Picked<Batch>, query: Record<string, string>): Promise<string[]> {
  const ids = everything ? [] : rows.map(({ id }) => id);
  if (everything)
    for await (const { id } of api.paginate.listBatches({ query: { ...query, limit: 100 } })) ids.push(id);
  return Array.from({ length: Math.ceil(ids.length / MOST) }, (_, part) =>
    ids.slice(part * MOST, (part + 1) * MOST).join(','),
  );
}

/** Actions for the serials of the batches that were picked, or of all that match. */
function BulkActions({ picked, filter }: { picked: Picked<Batch>; filter: BatchFilter }) {
  const query = queryOf(filter);
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
        action={asked}
        about={[picked.everything ? query : picked.rows.map(({ id }) => id)]}
        run={run}
        onClose={() => setAsked(null)}
        onDone={picked.clear}
      />
    </>
  );
}

const nameOf = (row: Batch) => `${row.product_name}${row.batch_tag ? `, ${row.batch_tag}` : ''}`;

function BatchActions({ row }: { row: Batch }) {
  return (
    <RowMenu
      label={`Actions for ${nameOf(row)}`}
      items={[
        {
          icon: Boxes,
          label: 'Open batch',
          to: linkOptions({ to: '/dashboard/batches/$batchId', params: { batchId: row.id } }),
        },
        {
          icon: Tags,
          label: 'Show available serials',
          to: linkOptions({ to: '/dashboard/serials/available', search: { view: 'list', batch: row.id } }),
        },
        {
          icon: Tags,
          label: 'Show redeemed serials',
          to: linkOptions({ to: '/dashboard/serials', search: { batch: row.id } }),
        },
      ]}
    />
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

export const batchList = defineList({
  name: 'batches',
  title: 'Batches',
  one: 'batch',
  many: 'batches',
  operation: 'listBatches',
  pageSize: 20,
  filters: batchFilters,
  order: '-created_at',
  search: { placeholder: 'Search product, tag, reseller...', label: 'Search batches' },
  kinds: [
    kindOf.words('status', 'Status', { open: 'Serials left', used_up: 'Used up', expired: 'Expired' }),
    kindOf.named('product', 'Product', 'None'),
    kindOf.named('reseller', 'Reseller', 'Your own stock'),
  ],
  counts: (filter) => q('listBatchChoices', { query: queryOf(filter) }),
  columns,
  Card: BatchCard,
  nameOf,
  Actions: BulkActions,
  trail: { kind: 'batches', list: 'batches' },
  empty: {
    title: 'No batches yet',
    none: 'Serials you generate or import together are kept as a batch here, with their current state.',
    action: (
      <LinkButton to="/dashboard/serials/generator" variant="primary">
        Generate serials
      </LinkButton>
    ),
    filteredTitle: 'No batches found',
    filtered: () => 'No batch matches the search, the dates and the filters.',
  },
  skeletonRows: 8,
});
