import type { ReactNode } from 'react';
import { isStatus } from '#lib/errors.ts';
import { cn } from '../cn.ts';
import { Panel } from '../page.tsx';
import { Empty, Failed } from '../states.tsx';

interface OneThingProps<T> {
  query: { error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  found: T | undefined;
  /** The kind of record, in the singular: `invoice`. */
  what: string;
  /** The heights of the two boxes below the title while it loads. */
  boxes?: [string, string];
  children: (found: T) => ReactNode;
}

/** The screen of one thing: the thing itself, or why it is not there, or not yet. */
export function OneThing<T>({ query, found, what, boxes = ['h-28', 'h-56'], children }: OneThingProps<T>) {
  if (found !== undefined) return children(found);
  // an id that is none is refused without a look-up
  if (isStatus(query.error, 404) || isStatus(query.error, 400)) {
    return (
      <Panel>
        <Empty heading="h1" title={`${what[0]?.toUpperCase()}${what.slice(1)} not found`}>
          The link may be incomplete.
        </Empty>
      </Panel>
    );
  }
  if (query.isError) {
    return (
      <Panel>
        <Failed
          heading="h1"
          title={`This ${what} couldn't be loaded`}
          error={query.error}
          retry={query.refetch}
          retrying={query.isFetching}
        />
      </Panel>
    );
  }
  return (
    <div role="status">
      <span className="sr-only">Loading the {what}</span>
      <span className="skeleton block h-10 w-72 max-w-full" />
      <span className={cn('skeleton mt-6 block w-full', boxes[0])} />
      <span className={cn('skeleton mt-6 block w-full', boxes[1])} />
    </div>
  );
}
