import { useInfiniteQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { plural } from '#lib/format/format.ts';
import { pages } from '#lib/queries/operation.ts';
import type { StockFile } from '#lib/types.ts';
import { LinkButton, TextLink } from '#ui/button.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';

const pageSize = 20;

/** The files of codes that a reseller has downloaded, newest first. */
export function FileList() {
  const list = useInfiniteQuery(pages('listStockDownloads', { query: { limit: pageSize } }));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-2xl text-sm text-muted">
          Codes in files stay in stock until they are handed out or redeemed, but count as in circulation.
        </p>
        <SaveButton
          file="stock_downloads.csv"
          stream={() => api.stream.listStockDownloads({}, { accept: 'text/csv' })}
          disabled={!rows?.length}
        >
          Export CSV
        </SaveButton>
      </div>
      <GrowingPanel
        list={list}
        rows={rows}
        failed="Files couldn't be loaded"
        one="file"
        nothing={{
          title: 'No files downloaded yet',
          text: 'A shop without an API can sell codes from a CSV. Each one that you download appears here.',
          action: (
            <LinkButton to="/reseller/dashboard" variant="primary">
              See your serials
            </LinkButton>
          ),
        }}
      >
        {(shown) => (
          <DataTable
            caption="Downloaded files"
            columns={columns}
            rows={shown}
            rowKey={(row) => row.id}
            card={(row) => <FileCard row={row} />}
          />
        )}
      </GrowingPanel>
    </>
  );
}

const tagsOf = (row: StockFile) => [...new Set(row.batches.flatMap((batch) => batch.batch_tag ?? []))].join(', ');

function Product({ row }: { row: StockFile }) {
  return row.product_name ? (
    <TextLink to="/reseller/products" search={{ product: row.product_id }}>
      {row.product_name}
    </TextLink>
  ) : (
    <span>Deleted product</span>
  );
}

const columns: Column<StockFile>[] = [
  {
    key: 'product',
    header: 'Product',
    bar: '140px',
    cell: (row) => (
      <span className="block max-w-60 truncate" title={row.product_name ?? undefined}>
        <Product row={row} />
      </span>
    ),
  },
  {
    key: 'developer',
    header: 'Developer',
    bar: '110px',
    cell: (row) => <span className="block max-w-48 truncate text-muted">{row.developer_name}</span>,
  },
  {
    key: 'codes',
    header: 'Codes',
    bar: '70px',
    cell: (row) => <span className="figures">{plural(row.codes, 'code')}</span>,
  },
  {
    key: 'tags',
    header: 'Batch tags',
    bar: '90px',
    cell: (row) => <span className="block max-w-48 truncate text-muted">{tagsOf(row) || '–'}</span>,
  },
  {
    key: 'at',
    header: 'Downloaded',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.downloaded_at} className="text-sm text-muted" />,
  },
];

function FileCard({ row }: { row: StockFile }) {
  return (
    <div className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          <Product row={row} />
        </span>
        <span className="figures shrink-0">{plural(row.codes, 'code')}</span>
      </div>
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="wrap-anywhere">
          {row.developer_name}
          {tagsOf(row) ? ` · ${tagsOf(row)}` : ''}
        </span>
        <TimeAgo iso={row.downloaded_at} />
      </div>
    </div>
  );
}
