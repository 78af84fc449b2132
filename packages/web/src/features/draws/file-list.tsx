import { plural } from '#lib/format/format.ts';
import type { StockFile } from '#lib/types.ts';
import { LinkButton, TextLink } from '#ui/button.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { ExportLog } from '#widgets/lists/export-log.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';

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

const fileLog = defineLog({
  title: 'Files',
  caption: 'Downloaded files',
  one: 'file',
  operation: 'listStockDownloads',
  pageSize: 20,
  filters: {},
  columns,
  Card: FileCard,
  csv: 'stock_downloads.csv',
  empty: {
    title: 'No files downloaded yet',
    none: 'A shop without an API can sell codes from a CSV. Each one that you download appears here.',
    action: (
      <LinkButton to="/reseller/dashboard" variant="primary">
        See your serials
      </LinkButton>
    ),
  },
});

/** The files of codes that a reseller has downloaded, newest first. */
export function FileList() {
  const log = useLog(fileLog);
  return (
    <>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-6 gap-y-3">
        <p className="max-w-2xl text-sm text-muted">
          Codes in files stay in stock until they are handed out or redeemed, but count as in circulation.
        </p>
        <ExportLog log={log} />
      </div>
      <Log log={log} />
    </>
  );
}
