import { Link } from '@tanstack/react-router';
import { formatCount, plural } from '#lib/format/format.ts';
import { oneOf, type SearchOf, searched } from '#lib/navigation/search-params.ts';
import type { Draw } from '#lib/types.ts';
import { HelpLink } from '#ui/buttons/help-link.tsx';
import { Filters } from '#ui/lists/filters.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import type { Column } from '#ui/lists/table.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { ExportLog } from '#widgets/lists/export-log.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { drawStates, StateBadges, stateWords } from './draw-state.tsx';

function Reference({ row }: { row: Draw }) {
  return (
    <Link
      to="/reseller/draws/$reference"
      params={{ reference: row.reference }}
      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
      title={row.reference}
    >
      {row.reference}
    </Link>
  );
}

const Codes = ({ row }: { row: Draw }) =>
  row.serials.length === 1 ? (
    <code className="font-mono text-sm">{row.serials[0]?.code}</code>
  ) : (
    <span className="figures">{plural(row.quantity, 'code')}</span>
  );

const productOf = (row: Draw) => row.product_name ?? 'Deleted product';

const columns: Column<Draw>[] = [
  {
    key: 'reference',
    header: 'Reference',
    bar: '110px',
    cell: (row) => (
      <span className="block max-w-44 truncate">
        <Reference row={row} />
      </span>
    ),
  },
  {
    key: 'product',
    header: 'Product',
    bar: '140px',
    cell: (row) => (
      <span className="block max-w-52 truncate xl:max-w-72" title={`${productOf(row)}, ${row.developer_name}`}>
        {productOf(row)} <span className="text-muted">· {row.developer_name}</span>
      </span>
    ),
  },
  { key: 'codes', header: 'Codes', bar: '170px', cell: (row) => <Codes row={row} /> },
  { key: 'state', header: 'State', bar: '90px', cell: (row) => <StateBadges draw={row} /> },
  {
    key: 'at',
    header: 'Handed out',
    bar: '80px',
    cell: (row) => <TimeAgo iso={row.created_at} className="text-sm text-muted" />,
  },
];

function DrawCard({ row }: { row: Draw }) {
  return (
    <div className="flex flex-col gap-2">
      <div className="flex items-start justify-between gap-3">
        <span className="min-w-0 wrap-anywhere">
          <Reference row={row} />
        </span>
        <StateBadges draw={row} />
      </div>
      <Codes row={row} />
      <div className="flex justify-between gap-3 text-sm text-muted">
        <span className="wrap-anywhere">
          {productOf(row)} · {row.developer_name}
        </span>
        <TimeAgo iso={row.created_at} />
      </div>
    </div>
  );
}

const filters = { search: searched, state: oneOf(drawStates) };
export type DrawsFilter = SearchOf<typeof filters>;

const drawLog = defineLog({
  title: 'Draws',
  one: 'draw',
  operation: 'listDraws',
  pageSize: 20,
  filters,
  search: { placeholder: 'Search reference or code...', label: 'Search draws' },
  choices: [{ by: 'state', label: 'State', all: 'Any state', words: stateWords, className: 'w-full sm:w-44' }],
  columns,
  Card: DrawCard,
  csv: 'draws.csv',
  empty: {
    title: 'Nothing handed out yet',
    none: 'Your shop can draw a code by API at the moment of sale. Each draw appears here.',
    action: <HelpLink guide="draw-codes">Read how to draw codes</HelpLink>,
    filteredTitle: 'No draws found',
    filtered: () => 'No draw matches this search and state.',
  },
});

interface DrawListProps {
  filter: DrawsFilter;
  onFilter: (changed: Partial<DrawsFilter>) => void;
}

/** What a reseller's shop has handed out, sale by sale. */
export function DrawList({ filter, onFilter }: DrawListProps) {
  const log = useLog(drawLog, [filter, onFilter]);
  const shown = log.rows?.length ?? 0;
  const total = log.first?.total ?? 0;
  return (
    <>
      <Filters at={log} actions={<ExportLog log={log} />} />
      <Log
        log={log}
        foot={
          <p className="figures flex min-h-14 items-center justify-between gap-3 border-t border-line px-5 py-3 text-sm text-muted">
            {shown < total ? `${formatCount(shown)} of ${plural(total, 'draw')}` : plural(total, 'draw')}
            <ShowMore list={log.list} />
          </p>
        }
      />
    </>
  );
}
