import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { dealAnswersQuery, ownDealRequestsQuery } from '#lib/queries/deals.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { DealRequest } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { MoreLine } from '#ui/lists/more-line.tsx';
import { Panel } from '#ui/page.tsx';
import { Clocks } from '#ui/partnerships/deal-dates.tsx';
import { Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { SaveButton } from '#widgets/lists/save-button.tsx';

/** So many are shown at once: the deals are below. */
const FEW = 5;

/** The newest requests of a reseller, with their answers. Seeing them here takes them off the bell. */
export function OwnRequests() {
  const queryClient = useQueryClient();
  const list = useInfiniteQuery(ownDealRequestsQuery);
  const [all, setAll] = useState(false);
  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  const total = list.data?.pages[0]?.total ?? rows.length;
  const unseen = (useQuery(dealAnswersQuery).data?.total ?? 0) > 0;
  const { mutate: see } = useMutation({
    mutationFn: () => api.seeDealAnswers({}),
    onSuccess: () => refreshAfter(queryClient, 'dealRequestsChanged'),
  });
  useEffect(() => {
    if (unseen) see();
  }, [unseen, see]);
  if (list.isError && !list.data) {
    return (
      <Panel className="mb-10">
        <Failed
          title="Your requests couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  if (list.isPending) {
    return (
      <p role="status" className="mb-10">
        <span className="sr-only">Loading your requests</span>
        <span className="skeleton mb-3 block h-8 w-40" />
        <span className="skeleton block h-44 rounded-lg" />
      </p>
    );
  }
  if (rows.length === 0) return null;
  return (
    <section className="mb-10" aria-labelledby="own-requests">
      <div className="mb-3 flex items-center justify-between gap-4">
        <h2 id="own-requests" className="text-md font-semibold">
          Your requests
        </h2>
        <SaveButton
          size="sm"
          file="deal_requests.csv"
          stream={() => api.stream.listOwnDealRequests({}, { accept: 'text/csv' })}
        >
          Export CSV<span className="sr-only"> of your requests</span>
        </SaveButton>
      </div>
      <Panel>
        <ul className="divide-y divide-line" aria-label="Your requests">
          {rows.slice(0, all ? rows.length : FEW).map((request) => (
            <Row key={request.id} request={request} />
          ))}
        </ul>
        {rows.length > FEW ? (
          <p className="border-t border-line px-5 py-3">
            <Button size="sm" onClick={() => setAll(!all)} aria-expanded={all}>
              {all ? 'Show fewer' : `Show all ${total}`}
            </Button>
          </p>
        ) : null}
        {all ? <MoreLine list={list} shown={rows.length} total={total} one="request" /> : null}
      </Panel>
    </section>
  );
}

const states = {
  pending: { tone: 'warn', words: 'Pending', means: 'The developer has not answered yet.' },
  accepted: { tone: 'good', words: 'Accepted', means: 'The developer accepted it. Find it under My deals.' },
  declined: { tone: 'bad', words: 'Declined', means: 'The developer declined. You can ask again.' },
  withdrawn: { tone: 'plain', words: 'Withdrawn', means: 'You withdrew it before it was answered.' },
} as const;
const closedState = {
  tone: 'plain',
  words: 'No longer possible',
  means: 'The product or the partnership has changed since, so it can’t be accepted. Withdraw it.',
} as const;

const priceOf = ({ price, quantity }: { price: number; quantity: number }) =>
  `${plural(quantity, 'serial')} at ${formatMoney(price)}`;

function Row({ request }: { request: DealRequest }) {
  const queryClient = useQueryClient();
  const withdraw = useMutation({
    mutationFn: () => api.withdrawDealRequest({ path: { id: request.id } }),
    onSuccess: () => notify.success('Request withdrawn.'),
    onError: (error) => notify.error('The request was not withdrawn.', error),
    onSettled: () => refreshAfter(queryClient, 'dealRequestsChanged'),
  });
  const { accepted, status } = request;
  const closed = status === 'pending' && !request.is_open;
  const { tone, words, means } = closed ? closedState : states[status];
  const asked = priceOf(request);
  return (
    <li className="flex flex-wrap items-start gap-x-6 gap-y-3 px-5 py-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">{request.product_name}</p>
        <p className="figures text-sm text-muted">
          {request.developer_name} · {asked}
        </p>
        {accepted && priceOf(accepted) !== asked ? (
          <p className="figures mt-1 text-sm">
            Accepted with <strong className="font-medium">{priceOf(accepted)}</strong>
          </p>
        ) : null}
        {request.answer ? (
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line">“{request.answer}”</p>
        ) : request.note ? (
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-muted">{request.note}</p>
        ) : null}
      </div>
      <Clocks
        deal={accepted ?? request}
        owner={accepted ? request.developer_time_zone : request.reseller_time_zone}
        className="w-full sm:w-72"
      />
      <div className="flex w-full items-center justify-between gap-3 sm:w-36 sm:flex-col sm:items-end">
        <Badge tone={tone} means={means}>
          {words}
        </Badge>
        {status === 'pending' ? (
          <Button size="sm" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>
            Withdraw<span className="sr-only"> the request for {request.product_name}</span>
          </Button>
        ) : (
          <TimeAgo iso={request.answered_at ?? request.created_at} className="text-sm text-muted" />
        )}
      </div>
    </li>
  );
}
