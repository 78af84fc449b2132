import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { plural } from '#lib/format/format.ts';
import { q } from '#lib/queries/operation.ts';
import { Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';

const shown = 10;

/** The latest files that resellers took, of one batch or by one reseller; nothing when there are none. */
export function StockDownloads({ of }: { of: { batch_id: string } | { reseller_id: string } }) {
  const list = useQuery(q('listResellerDownloads', { query: { ...of, limit: shown } }));
  if (list.isError) {
    return (
      <Panel className="mt-8">
        <Failed
          title="Downloads couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (!list.data || list.data.rows.length === 0) return null;
  return (
    <section className="mt-8" aria-label="Downloaded files">
      <h2 className="font-semibold">Downloaded files</h2>
      <p className="mb-3 text-sm text-muted">
        Codes in files stay in stock until they are handed out or redeemed, but count as in circulation.
      </p>
      <Panel className="overflow-hidden">
        <ul className="divide-y divide-line">
          {list.data.rows.map((row) => (
            <li key={row.id} className="flex min-h-12 flex-wrap items-center justify-between gap-x-4 px-5 py-2 text-sm">
              <span className="min-w-0 wrap-anywhere">
                {'batch_id' in of ? (
                  <>
                    <Link
                      to="/dashboard/resellers/$id"
                      params={{ id: row.reseller_id }}
                      className="rounded-[3px] font-medium decoration-line-strong underline-offset-4 hover:underline"
                    >
                      {row.reseller_name}
                    </Link>{' '}
                    took <span className="figures">{plural(row.codes, 'code')}</span>
                  </>
                ) : (
                  <>
                    <span className="figures">{plural(row.codes, 'code')}</span> of{' '}
                    <span className="font-medium">{row.product_name ?? 'a deleted product'}</span>
                  </>
                )}
              </span>
              <TimeAgo iso={row.downloaded_at} className="text-muted" />
            </li>
          ))}
        </ul>
      </Panel>
      {list.data.next_cursor ? <p className="mt-2 text-sm text-muted">The latest {shown} files.</p> : null}
    </section>
  );
}
