import { type ReactNode, useEffect, useRef, useState } from 'react';
import { plural } from '#lib/format/format.ts';
import { useRowKeys } from '#lib/keyboard/row-keys.ts';
import type { TrailPlace } from '#lib/lists/trail.ts';
import { useTrail } from '#lib/lists/use-trail.ts';
import { cn } from '../cn.ts';
import { Panel } from '../page.tsx';
import { Failed } from '../states.tsx';
import { type ColumnChoice, ColumnMenu, useColumns } from './columns.tsx';
import { SelectBox, SelectionBar, useSelection } from './selection.tsx';
import { type Column, DataTable } from './table.tsx';

/** The rows that a person has picked, or everything that matches the filter. */
export interface Picked<T> {
  rows: T[];
  everything: boolean;
  clear: () => void;
}

interface ListFrameProps<T> {
  /** Under which name its hidden columns are remembered. */
  table: string;
  caption: string;
  /** One of its rows, such as `serial`, and several where an s is not enough. */
  one: string;
  many?: string;
  /** The title of the error. */
  failed: string;
  list: {
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    isFetching: boolean;
    isPlaceholderData: boolean;
  };
  rows: T[] | undefined;
  rowKey: (row: T) => string;
  /** The name of the row that a checkbox selects. */
  nameOf: (row: T) => string;
  columns: Column<T>[];
  card: (row: T, pick: ReactNode) => ReactNode;
  sort?: { by: string; onSort: (by: string) => void };
  /** A key of the current filter: when it changes, the selection is cleared. */
  which: string;
  /** How many match in all; exact or a lower bound. With it, all of them can be selected. */
  matching?: { total: number; exact: boolean } | undefined;
  /** Actions for the picked rows. Without them, rows cannot be picked. */
  actions?: (picked: Picked<T>) => ReactNode;
  /** Shown in the bar while nothing is selected. */
  news?: ReactNode;
  /** A menu of views, which know the columns too. */
  views?: (columns: ColumnChoice) => ReactNode;
  empty: ReactNode;
  footer: ReactNode;
  onCreate?: (() => void) | undefined;
  /** Lets the page of a record lead to the next one in the list. */
  trail?: TrailPlace | undefined;
  skeletonRows?: number;
  /** Two lines in a row. */
  tall?: boolean;
}

/** The frame of every long list: bar, columns, selection, keys, and what is there when there is nothing. */
export function ListFrame<T>({
  table,
  caption,
  one,
  many,
  failed,
  list,
  rows,
  rowKey,
  nameOf,
  columns,
  card,
  sort,
  which,
  matching,
  actions,
  news,
  views,
  empty,
  footer,
  onCreate,
  trail,
  skeletonRows = 20,
  tall = false,
}: ListFrameProps<T>) {
  const ticked = useSelection<T>(rowKey);
  const [everything, setEverything] = useState(false);
  const { clear } = ticked;
  // a person who ticks or unticks a row picks rows again, not all that match
  const selection = {
    ...ticked,
    toggle(row: T) {
      setEverything(false);
      ticked.toggle(row);
    },
  };
  const clearAll = () => {
    clear();
    setEverything(false);
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: selected rows may be hidden under another filter
  useEffect(clearAll, [which]);
  const box = useRef<HTMLDivElement>(null);
  useRowKeys(box, { create: onCreate });
  useTrail(box, list.isPlaceholderData ? undefined : trail, rows?.map(rowKey));
  const pick = (row: T, className?: string) => (
    <SelectBox
      label={`Select ${nameOf(row)}`}
      checked={selection.has(row)}
      onChange={() => selection.toggle(row)}
      {...(className ? { className } : {})}
    />
  );
  const own = useColumns(table, columns);
  const select: Column<T> = {
    key: 'select',
    header: 'Select',
    quiet: true,
    bar: '16px',
    className: 'w-10 pl-3! pr-0!',
    cell: (row) => pick(row),
  };
  const tools = (
    <>
      {news}
      {views?.(own)}
      <ColumnMenu {...own} />
    </>
  );

  if (list.isError && !rows) {
    return (
      <Panel>
        <Failed title={failed} error={list.error} retry={list.refetch} retrying={list.isFetching} />
      </Panel>
    );
  }
  const nothing = rows?.length === 0;
  const beyond = matching && rows && matching.total > rows.length ? matching : undefined;
  return (
    <div ref={box}>
      <Panel className="overflow-clip">
        {nothing ? (
          <>
            {views ? (
              <div className="flex min-h-12 items-center justify-end border-b border-line px-2 md:px-3">
                {news}
                {views(own)}
              </div>
            ) : null}
            {empty}
            {news && !views ? <div className="flex justify-center pb-8">{news}</div> : null}
          </>
        ) : (
          <>
            {actions ? (
              <SelectionBar
                sticky
                selection={selection}
                rows={rows ?? []}
                one={one}
                {...(many ? { many } : {})}
                matching={
                  beyond && {
                    words: `${beyond.exact ? '' : 'more than '}${plural(beyond.total, one, many)}`,
                    on: everything,
                    onAll: () => setEverything(true),
                    onClear: () => setEverything(false),
                  }
                }
                actions={actions({ rows: selection.rows, everything, clear: clearAll })}
              >
                {tools}
              </SelectionBar>
            ) : (
              <div
                className={cn(
                  'sticky top-14 z-20 flex min-h-12 items-center justify-end rounded-t-lg border-b border-line bg-surface px-2 md:px-3',
                  // cards have no columns to choose
                  !views && !news && 'max-md:hidden',
                )}
              >
                {tools}
              </div>
            )}
            <DataTable
              caption={caption}
              columns={actions ? [select, ...own.shown] : own.shown}
              {...(sort ? { sort } : {})}
              sticky
              rows={rows}
              rowKey={rowKey}
              card={(row) => card(row, actions ? pick(row, '-ml-2') : null)}
              stale={list.isPlaceholderData}
              skeletonRows={skeletonRows}
              tall={tall}
            />
            <div onClickCapture={(event) => (list.isPlaceholderData ? event.stopPropagation() : undefined)}>
              {/* until its rows are here, the pages of the list before are not those of this one */}
              {footer}
            </div>
          </>
        )}
      </Panel>
    </div>
  );
}
