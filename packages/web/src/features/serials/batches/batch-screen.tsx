import { useQuery } from '@tanstack/react-query';
import { api } from '#lib/api.ts';
import { isStatus } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import type { Batch } from '#lib/types.ts';
import { TextLink } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Failed } from '#ui/states.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { RecordBar } from '#widgets/lists/record-bar.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { StockDownloads } from '#widgets/sales/stock-downloads.tsx';
import { Missing } from '../missing.tsx';
import { BatchFunnel } from './batch-funnel.tsx';
import { BatchSerials } from './batch-serials.tsx';
import { BatchShare } from './batch-share.tsx';
import { ExtendBatch } from './extend-batch.tsx';
import { RevokeRest } from './revoke-rest.tsx';
import { StartsBadge } from './starts-badge.tsx';

export function BatchScreen({ id }: { id: string }) {
  const batch = useQuery(q('getBatch', { path: { id } }));
  useTitle(batch.data ? `Batch of ${batch.data.product_name}` : 'Batch');
  return (
    <>
      <RecordBar kind="batches" id={id} list={{ to: '/dashboard/serials/batches' }} back="Batches" />
      {batch.data ? (
        <Whole batch={batch.data} />
      ) : isStatus(batch.error, 404) || isStatus(batch.error, 400) ? (
        <Missing title="Batch not found" batches>
          It may have been deleted with its group, or the link is incomplete.
        </Missing>
      ) : batch.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This batch couldn't be loaded"
            error={batch.error}
            retry={batch.refetch}
            retrying={batch.isFetching}
          />
        </Panel>
      ) : (
        <Skeleton />
      )}
    </>
  );
}

function Whole({ batch }: { batch: Batch }) {
  return (
    <>
      <PageHeader
        title={batch.product_name}
        actions={
          <>
            <SaveButton
              file="serial_batch_full.csv"
              stream={() => api.stream.listSerials({ query: { batch_id: batch.id } }, { accept: 'text/csv' })}
            >
              Re-export
            </SaveButton>
            <ExtendBatch batch={batch} />
            <RevokeRest batch={batch} />
          </>
        }
      >
        {batch.batch_tag ? `${batch.batch_tag} · ` : ''}
        {plural(batch.quantity, 'serial')} {batch.origin === 'import' ? 'imported' : 'generated'}{' '}
        <StartsBadge batch={batch} />
      </PageHeader>
      <Panel className="p-5 sm:p-6">
        <h2 className="mb-5 font-semibold">Current state</h2>
        <BatchShare batch={batch} />
      </Panel>
      <BatchFunnel id={batch.id} />
      <section className="mt-8">
        <h2 className="mb-1 font-semibold">About this batch</h2>
        <Facts
          facts={[
            [
              'Product',
              <TextLink key="product" to="/dashboard/products/$productId" params={{ productId: batch.product_id }}>
                {batch.product_name}
              </TextLink>,
            ],
            ['Made', <TimeAgo key="made" iso={batch.created_at} />],
            ['Quantity', plural(batch.quantity, 'serial')],
            ['Revoked', batch.revoked ? `${plural(batch.revoked, 'serial')}, redeemed or not` : 'None'],
            ['Tag', batch.batch_tag],
            ['Reseller', batch.reseller_name],
            [
              'Prefix',
              batch.prefix ? (
                <code key="prefix" className="font-mono">
                  {batch.prefix}
                </code>
              ) : null,
            ],
            ['Promo price', batch.promo_price === null ? null : formatMoney(batch.promo_price)],
            ['Promo starts', batch.promo_start ? <Day key="start" edge="start" iso={batch.promo_start} /> : null],
            ['Promo expires', batch.promo_expires ? <Day key="promo" edge="end" iso={batch.promo_expires} /> : null],
            ['Serials expire', batch.expires_at ? <Day key="expires" edge="end" iso={batch.expires_at} /> : 'Never'],
            ['Notes', batch.notes],
            [
              'Batch id',
              <span key="id" className="flex items-center justify-end gap-1">
                <code className="truncate font-mono text-xs text-muted">{batch.id}</code>
                <CopyButton compact text={batch.id} what="the batch id" />
              </span>,
            ],
          ]}
        />
      </section>
      {batch.reseller_id ? <StockDownloads of={{ batch_id: batch.id }} /> : null}
      <BatchSerials id={batch.id} />
    </>
  );
}

function Skeleton() {
  return (
    <div role="status">
      <span className="sr-only">Loading the batch</span>
      <span className="skeleton block h-8 w-64" />
      <span className="skeleton mt-2 mb-6 block h-4 w-40" />
      <span className="skeleton block h-[181px] rounded-lg" />
      <span className="skeleton mt-9 block h-5 w-32" />
    </div>
  );
}
