import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { cn } from '../cn.ts';
import { fadeClass, useBeyond } from '../scroll-edges.ts';

export interface Column<T> {
  key: string;
  header: string;
  /** The server's name for sorting by this column, if it can. */
  sort?: string;
  /** A person may hide it. */
  optional?: boolean;
  /** Optional, and hidden until a person chooses it. */
  extra?: boolean;
  /** Hides the header's text where the cell explains itself. */
  quiet?: boolean;
  className?: string;
  /** The width of the gray bar while loading, such as `60%`. */
  bar?: string;
  cell: (row: T) => ReactNode;
}

/** The rendered rows of a long list, and the space that the others take. */
export interface Slice {
  first: number;
  total: number;
  before: number;
  after: number;
  measure: (row: Element | null) => void;
}

interface DataTableProps<T> {
  caption: string;
  columns: Column<T>[];
  rows: T[] | undefined;
  rowKey: (row: T) => string;
  /** The same row as a card, where there is no room for columns. Without it the table scrolls inside itself. */
  card?: (row: T) => ReactNode;
  skeletonRows?: number;
  /** Two lines in a row. */
  tall?: boolean;
  /** When the rows are a part of more. */
  slice?: Slice | undefined;
  /** The class of a highlighted row. */
  rowClass?: (row: T) => string | false;
  /** While newer rows load, the older ones stay, paler. */
  stale?: boolean;
  /** As in the URL: `total`, or `-total` for the largest first. */
  sort?: { by: string; onSort: (by: string) => void };
  /** The head stays below the bar above it. The box around the table must not clip by scrolling. */
  sticky?: boolean;
  className?: string;
}

export function DataTable<T>({
  caption,
  columns,
  rows,
  rowKey,
  card,
  skeletonRows = 8,
  tall = false,
  slice,
  rowClass,
  stale = false,
  sort,
  sticky = false,
  className,
}: DataTableProps<T>) {
  const box = useRef<HTMLElement>(null);
  const beyond = useBeyond(box);
  // a box that scrolls sideways holds a sticky head fast, so it scrolls only where its columns need it
  const stays = sticky && !beyond;
  const height = tall ? 'h-[79px]' : 'h-14';
  return (
    <div
      data-table
      tabIndex={-1}
      className={cn('@container transition-opacity outline-none', stale && 'opacity-60', className)}
      aria-busy={!rows || stale}
    >
      {card ? (
        <ul className="divide-y divide-line @3xl:hidden" aria-label={caption}>
          {slice?.before ? <li aria-hidden style={{ height: slice.before }} /> : null}
          {rows
            ? rows.map((row, index) => (
                <li
                  key={rowKey(row)}
                  ref={slice?.measure}
                  data-index={slice && slice.first + index}
                  aria-posinset={slice && slice.first + index + 1}
                  aria-setsize={slice?.total}
                  className={cn('p-4 transition-colors', rowClass?.(row))}
                >
                  {card(row)}
                </li>
              ))
            : Array.from({ length: 4 }, (_, index) => (
                <li key={index} className="flex flex-col gap-2 p-4">
                  <span className="skeleton h-4 w-1/2" />
                  <span className="skeleton h-5 w-4/5" />
                  <span className="skeleton h-4 w-1/3" />
                </li>
              ))}
          {slice?.after ? <li aria-hidden style={{ height: slice.after }} /> : null}
        </ul>
      ) : null}
      <section
        ref={box}
        data-beyond={beyond}
        className={cn(!stays && 'relative overflow-x-auto', fadeClass, card && '@max-3xl:hidden')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={caption}
      >
        <table className="w-full border-collapse text-left" aria-rowcount={slice && slice.total + 1}>
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-line">
              {columns.map((column) => (
                <th
                  key={column.key}
                  scope="col"
                  aria-sort={sortOf(column, sort?.by)}
                  className={cn(
                    'h-10 px-2.5 text-xs font-medium whitespace-nowrap text-muted first:pl-5 last:pr-5',
                    stays && 'sticky top-26 z-10 bg-surface shadow-[inset_0_-1px_var(--line)]',
                    column.className,
                  )}
                >
                  {column.quiet ? (
                    <span className="sr-only">{column.header}</span>
                  ) : sort && column.sort ? (
                    <SortButton column={column} sort={sort} />
                  ) : (
                    column.header
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            <Room height={slice?.before} columns={columns.length} />
            {rows
              ? rows.map((row, index) => (
                  <tr
                    key={rowKey(row)}
                    ref={slice?.measure}
                    data-index={slice && slice.first + index}
                    aria-rowindex={slice && slice.first + index + 2}
                    className={cn('group transition-colors hover:bg-canvas', rowClass?.(row))}
                  >
                    {columns.map((column) => (
                      <td
                        key={column.key}
                        className={cn(height, 'px-2.5 align-middle first:pl-5 last:pr-5', column.className)}
                      >
                        {column.cell(row)}
                      </td>
                    ))}
                  </tr>
                ))
              : Array.from({ length: skeletonRows }, (_, index) => (
                  <tr key={index}>
                    {columns.map((column) => (
                      <td key={column.key} className={cn(height, 'px-2.5 first:pl-5 last:pr-5', column.className)}>
                        <span
                          className="skeleton block h-4 in-[.text-right]:ml-auto"
                          style={{ width: column.bar ?? '70%' }}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
            <Room height={slice?.after} columns={columns.length} />
          </tbody>
        </table>
      </section>
    </div>
  );
}

type Sort = NonNullable<DataTableProps<never>['sort']>;

function sortOf<T>({ sort }: Column<T>, by: string | undefined) {
  if (!sort || by === undefined) return undefined;
  if (by === sort) return 'ascending';
  return by === `-${sort}` ? 'descending' : 'none';
}

/** Turns the order of its column around. */
function SortButton<T>({ column, sort: { by, onSort } }: { column: Column<T>; sort: Sort }) {
  const state = sortOf(column, by);
  const Icon = state === 'ascending' ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      onClick={() => onSort(by === `-${column.sort}` ? (column.sort ?? '') : `-${column.sort}`)}
      className="group/sort inline-flex items-center gap-1 rounded-sm align-middle hover:text-text in-[.text-right]:flex-row-reverse"
    >
      {column.header}
      <Icon
        className={cn(
          'size-3.5',
          state === 'none' && 'opacity-0 group-hover/sort:opacity-100 group-focus-visible/sort:opacity-100',
        )}
        aria-hidden
      />
    </button>
  );
}

/** The space of the rows that are not rendered. */
function Room({ height, columns }: { height: number | undefined; columns: number }) {
  return height ? (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  ) : null;
}
