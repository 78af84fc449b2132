import type { ComponentProps, ReactNode } from 'react';
import { Panel } from '../page.tsx';
import { Failed } from '../states.tsx';
import { MoreLine } from './more-line.tsx';

interface GrowingPanelProps extends Omit<ComponentProps<typeof MoreLine>, 'shown'> {
  list: ComponentProps<typeof MoreLine>['list'] & {
    isError: boolean;
    error: unknown;
    refetch: () => unknown;
    isFetching: boolean;
  };
  rows: readonly unknown[] | undefined;
  /** What went wrong, as a title. */
  failed: string;
  /** Why there are no rows. */
  empty: ReactNode;
  /** The rows, or their place while they are loaded. */
  children: ReactNode;
}

/** The frame of a list that more is added to: its rows and further ones, or why there are none. */
export function GrowingPanel({ list, rows, failed, empty, children, ...line }: GrowingPanelProps) {
  return (
    <Panel className="overflow-hidden">
      {list.isError && !rows ? (
        <Failed title={failed} error={list.error} retry={list.refetch} retrying={list.isFetching} />
      ) : rows?.length === 0 ? (
        empty
      ) : (
        <>
          {children}
          {rows ? <MoreLine list={list} shown={rows.length} {...line} /> : null}
        </>
      )}
    </Panel>
  );
}
