import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { describeError } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import type { BillingDifference, BillingDifferencePage } from '#lib/types.ts';
import { Button, TextLink } from '#ui/button.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { Panel } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { differencesQuery } from './queries.ts';

const PAGE = 20;

/** What differed when invoices were last compared with Stripe's and with the ledger. */
export function Differences() {
  const [page, setPage] = useState(1);
  const query = useQuery(differencesQuery(page));
  const { data } = query;
  return (
    <section aria-labelledby="reconciliation" className="mb-6">
      {data?.hold ? <OnHold hold={data.hold} /> : null}
      <Panel className="overflow-hidden">
        <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 px-5 py-4">
          <div className="min-w-0">
            <h2 id="reconciliation" className="font-semibold">
              Reconciliation
            </h2>
            {query.isError ? (
              <p role="alert" className="text-sm text-bad">
                The differences couldn’t be loaded: {describeError(query.error).message}
              </p>
            ) : !data ? (
              <span className="skeleton mt-1 block h-4 w-72 max-w-full" />
            ) : (
              <LastRun page={data} />
            )}
          </div>
          {query.isError ? (
            <Button size="sm" onClick={() => query.refetch()} busy={query.isFetching}>
              Try again
            </Button>
          ) : data && data.total > 0 ? (
            <SaveButton
              size="sm"
              file="billing-differences.csv"
              stream={() => api.stream.listBillingDifferences({}, { accept: 'text/csv' })}
            >
              Download differences
            </SaveButton>
          ) : null}
        </div>
        {data && data.total > 0 && !query.isError ? (
          <>
            <ul aria-label="Differences" className="divide-y divide-line border-t border-line">
              {data.differences.map((each) => (
                <DifferenceRow key={`${each.user_id} ${each.statement_id}`} row={each} />
              ))}
            </ul>
            {data.total > PAGE ? (
              <Pagination
                page={page}
                pages={Math.ceil(data.total / PAGE)}
                summary={plural(data.total, 'difference')}
                onPage={setPage}
                back="Prev"
              />
            ) : null}
          </>
        ) : null}
      </Panel>
    </section>
  );
}

/** Charging waits after a restore, until it is released on the server. */
function OnHold({ hold }: { hold: NonNullable<BillingDifferencePage['hold']> }) {
  return (
    <div className="mb-4">
      <Notice tone="warn">
        <strong className="font-semibold">Charging is paused.</strong> This database was set back to a backup{' '}
        <TimeAgo iso={hold.since} />, and what was collected after it is known to Stripe alone.{' '}
        {hold.due > 0 &&
          `${plural(hold.due, 'invoice')} over ${formatMoney(hold.due_cents / 100)} ${hold.due === 1 ? 'is' : 'are'} due. `}
        {hold.reconciled_at
          ? 'Read what differs below, then release it on the server: '
          : 'Compare invoices on the server first: '}
        <code>{hold.reconciled_at ? 'tonerow-server collection release' : 'tonerow-server reconcile'}</code>
      </Notice>
    </div>
  );
}

/** An empty list means something only once they were compared. */
function LastRun({ page: { total, last_run: run, last_finished_at: finished } }: { page: BillingDifferencePage }) {
  const daily = 'Invoices are compared with Stripe’s and with the ledger every day at 05:35 UTC.';
  if (!run) return <p className="text-sm text-muted">Never run yet. {daily}</p>;
  const words = `${plural(total, 'difference')}. Nothing was changed; each is listed until a later run finds it gone.`;
  if (run.error !== null) {
    return (
      <>
        <p role="alert" className="text-sm text-bad">
          The last run, <TimeAgo iso={run.ran_at} />, could not be finished: {run.error}
        </p>
        <p className="text-sm text-muted">
          {finished ? (
            <>
              <TimeAgo iso={finished} />: {total === 0 ? 'nothing differed.' : words}
            </>
          ) : (
            'No run has finished yet.'
          )}
        </p>
      </>
    );
  }
  return (
    <>
      <p className="text-sm text-muted">
        Last run <TimeAgo iso={run.ran_at} />, {plural(run.compared, 'invoice')} compared
        {total === 0 ? ', nothing differs.' : '.'}
        {total === 0 ? <span className="block">{daily}</span> : null}
      </p>
      {total > 0 ? <p className="text-sm text-bad">{words}</p> : null}
    </>
  );
}

function DifferenceRow({ row }: { row: BillingDifference }) {
  return (
    <li className="flex flex-col gap-0.5 px-5 py-3">
      <span className="flex flex-wrap items-baseline gap-x-3">
        {row.number ? (
          <TextLink to="/admin/billing/$id" params={{ id: row.statement_id }} className="figures whitespace-nowrap">
            {row.number}
          </TextLink>
        ) : (
          <span className="font-medium">No invoice here</span>
        )}
        <span className="text-sm break-all text-muted">{row.email ?? `Developer ${row.user_id}`}</span>
      </span>
      <span className="text-sm wrap-anywhere">{row.words}</span>
      {row.stripe_invoice_id ? (
        <span className="font-mono text-xs break-all text-muted">{row.stripe_invoice_id}</span>
      ) : null}
    </li>
  );
}
