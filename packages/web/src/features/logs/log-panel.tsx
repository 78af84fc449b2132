import type { ComponentProps, ReactNode } from 'react';
import { Button } from '#ui/button.tsx';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';

interface Words {
  title: string;
  text: string;
}

interface LogPanelProps<Row> {
  log: {
    list: ComponentProps<typeof MoreLine>['list'] & {
      isError: boolean;
      error: unknown;
      refetch: () => unknown;
      isFetching: boolean;
    };
    rows: Row[] | undefined;
  };
  /** What went wrong, as a title. */
  failed: string;
  /** One of its rows, and several where an s is not enough. */
  one: string;
  many?: string;
  /** When nothing has happened yet. */
  nothing: Words;
  /** When a filter hides everything, with what takes it away; undefined without a filter. */
  filtered: (Words & { clear: string; onClear: () => void }) | undefined;
  /** The rows; undefined while they are loaded. */
  children: (rows: Row[] | undefined) => ReactNode;
}

/** The frame of every log: its rows and older ones, or why there are none. */
export function LogPanel<Row>({ log, failed, one, many, nothing, filtered, children }: LogPanelProps<Row>) {
  const { list, rows } = log;
  return (
    <Panel className="overflow-hidden">
      {list.isError && !rows ? (
        <Failed title={failed} error={list.error} retry={list.refetch} retrying={list.isFetching} />
      ) : rows?.length !== 0 ? (
        <>
          {children(rows)}
          {rows ? <MoreLine list={list} shown={rows.length} one={one} many={many} /> : null}
        </>
      ) : filtered ? (
        <Empty title={filtered.title} action={<Button onClick={filtered.onClear}>{filtered.clear}</Button>}>
          {filtered.text}
        </Empty>
      ) : (
        <Empty title={nothing.title}>{nothing.text}</Empty>
      )}
    </Panel>
  );
}
