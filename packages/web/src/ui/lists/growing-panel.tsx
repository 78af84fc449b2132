import type { ComponentProps, ReactNode } from 'react';
import { Button } from '../button.tsx';
import { Panel } from '../page.tsx';
import { Empty, Failed } from '../states.tsx';
import { MoreLine } from './more-line.tsx';

interface Words {
  title: string;
  text: string;
}

interface GrowingPanelProps<Row> {
  list: ComponentProps<typeof MoreLine>['list'] & {
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    isFetching: boolean;
  };
  rows: Row[] | undefined;
  /** How many there are, where the server counts them. */
  total?: number | undefined;
  /** What went wrong, as a title. */
  failed: string;
  /** One of its rows, and several where an s is not enough. */
  one: string;
  many?: string;
  /** When there is nothing yet. */
  nothing: Words & { action?: ReactNode };
  /** When a filter hides everything, with what takes it away; undefined without a filter. */
  filtered?: (Words & { clear: string; onClear: () => void }) | undefined;
  /** The rows; undefined while they are loaded. */
  children: (rows: Row[] | undefined) => ReactNode;
}

/** The frame of a list that more is added to: its rows and further ones, or why there are none. */
export function GrowingPanel<Row>({
  list,
  rows,
  total,
  failed,
  one,
  many,
  nothing,
  filtered,
  children,
}: GrowingPanelProps<Row>) {
  return (
    <Panel className="overflow-hidden">
      {list.isError && !rows ? (
        <Failed title={failed} error={list.error} retry={list.refetch} retrying={list.isFetching} />
      ) : rows?.length !== 0 ? (
        <>
          {children(rows)}
          {rows ? <MoreLine list={list} shown={rows.length} total={total} one={one} many={many} /> : null}
        </>
      ) : filtered ? (
        <Empty title={filtered.title} action={<Button onClick={filtered.onClear}>{filtered.clear}</Button>}>
          {filtered.text}
        </Empty>
      ) : (
        <Empty title={nothing.title} action={nothing.action}>
          {nothing.text}
        </Empty>
      )}
    </Panel>
  );
}
