import { useInfiniteQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { plural } from '#lib/format/format.ts';
import { cursorPage } from '#lib/lists/trail.ts';
import { useTrail } from '#lib/lists/use-trail.ts';
import { pages } from '#lib/queries/operation.ts';
import type { Serial } from '#lib/types.ts';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { type Column, DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { CodeLink } from '../code-link.tsx';
import { SerialState } from '../serial-state.tsx';

const pageSize = 20;

/** The serials of a batch, each leading to its own page. */
export function BatchSerials({ id }: { id: string }) {
  const box = useRef<HTMLElement>(null);
  const list = useInfiniteQuery(pages('listSerials', { query: { batch_id: id, limit: pageSize } }));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const last = list.data?.pages.at(-1);
  useTrail(
    box,
    last && {
      kind: 'serials',
      list: 'available',
      query: { batch_id: id },
      total: last.total,
      exact: last.total_exact,
      back: 'Batch',
      page: cursorPage(undefined, 0, last.next_cursor),
    },
    rows?.map((row) => row.id),
  );
  return (
    <section ref={box} aria-labelledby="batch-serials" className="mt-8">
      <h2 id="batch-serials" className="figures mb-3 font-semibold">
        Serials
        {list.data ? (
          <span className="ml-2 text-sm font-normal text-muted">
            {last?.total_exact ? null : 'more than '}
            {plural(last?.total ?? 0, 'serial')}
          </span>
        ) : null}
      </h2>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed
            title="The serials couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
            className="py-8"
          />
        ) : rows?.length === 0 ? (
          <Empty title="No serials left">All serials of this batch have been deleted.</Empty>
        ) : (
          <DataTable
            caption="Serials of this batch"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => (
              <div className="flex items-center justify-between gap-3">
                <CodeLink id={row.id} code={row.code} />
                <SerialState row={row} />
              </div>
            )}
          />
        )}
      </Panel>
      {list.hasNextPage ? (
        <div className="mt-4 flex justify-center">
          <ShowMore list={list} size="md" />
        </div>
      ) : null}
    </section>
  );
}

const moment = (iso: string | null) =>
  iso ? <TimeAgo iso={iso} className="text-sm text-muted" /> : <span className="text-muted">–</span>;

const columns: Column<Serial>[] = [
  { key: 'code', header: 'Serial', bar: '190px', cell: (row) => <CodeLink id={row.id} code={row.code} /> },
  { key: 'state', header: 'State', bar: '70px', cell: (row) => <SerialState row={row} /> },
  { key: 'handed', header: 'Handed out', bar: '70px', cell: (row) => moment(row.handed_out_at) },
  { key: 'redeemed', header: 'Redeemed', bar: '70px', cell: (row) => moment(row.redeemed_at) },
];
