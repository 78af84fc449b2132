import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { pendingDealRequestPagesQuery } from '#lib/queries/deals.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { DealRequest } from '#lib/types.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { Panel } from '#ui/page.tsx';
import { Clocks } from '#ui/partnerships/deal-dates.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { WordsDialog } from '../forms/form-dialog.tsx';
import { useSave } from '../lists/use-save.ts';

/** Deals that resellers ask the developer for. Shows nothing while there are none. */
export function ReceivedDealRequests() {
  const list = useInfiniteQuery(pendingDealRequestPagesQuery);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total ?? rows.length;
  const save = useSave('deal-requests.csv', () => api.stream.listDealRequests({}, { accept: 'text/csv' }));
  if (list.isError && !list.data) {
    return (
      <Panel className="mb-8">
        <Failed
          title="Requests for deals couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (rows.length === 0) return null;
  return (
    <section className="mb-8" aria-labelledby="deal-requests">
      <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
        <h2 id="deal-requests" className="font-semibold">
          Requests for deals <span className="figures ml-1 font-normal text-muted">{total}</span>
        </h2>
        <Button size="sm" onClick={() => save.mutate()} busy={save.isPending}>
          Export CSV<span className="sr-only"> of all requests</span>
        </Button>
      </div>
      <Panel>
        <ul className="divide-y divide-line" aria-label="Requests for deals">
          {rows.map((request) => (
            <Row key={request.id} request={request} />
          ))}
        </ul>
        <MoreLine list={list} shown={rows.length} total={total} one="request" />
      </Panel>
    </section>
  );
}

function Row({ request }: { request: DealRequest }) {
  const [declining, setDeclining] = useState(false);
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-4 px-5 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">
          {request.reseller_name} asks for {request.product_name}
        </p>
        <p className="figures text-sm text-muted">
          {plural(request.quantity, 'serial')} at {formatMoney(request.price)} · <TimeAgo iso={request.created_at} />
        </p>
        {request.note ? <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">“{request.note}”</p> : null}
      </div>
      <Clocks deal={request} owner={request.reseller_time_zone} className="w-full sm:w-72" />
      <div className="flex gap-2">
        <LinkButton to="/dashboard/serials/generator" search={{ deal_request: request.id }} variant="primary" size="sm">
          Accept<span className="sr-only"> the request of {request.reseller_name}</span>
        </LinkButton>
        <Button size="sm" onClick={() => setDeclining(true)}>
          Decline<span className="sr-only"> the request of {request.reseller_name}</span>
        </Button>
      </div>
      <Decline request={request} open={declining} onOpenChange={setDeclining} />
    </li>
  );
}

interface DeclineProps {
  request: DealRequest;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

function Decline({ request, ...dialog }: DeclineProps) {
  const queryClient = useQueryClient();
  const decline = async (reason: string) => {
    try {
      await api.declineDealRequest({ path: { id: request.id }, body: { reason } });
      notify.success('Request declined.');
    } finally {
      refreshAfter(queryClient, 'dealRequestsChanged');
    }
  };
  return (
    <WordsDialog
      {...dialog}
      title={`Decline the deal for ${request.product_name}?`}
      label="Reason"
      hint={`${request.reseller_name} reads it.`}
      missing="Enter a reason."
      most={1000}
      action="Decline"
      danger
      failed="The request was not declined."
      keeps
      save={decline}
    />
  );
}
