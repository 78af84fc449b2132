import { formatMoney, plural } from '#lib/format/format.ts';
import { accountZone, sameClock } from '#lib/time/zone.ts';
import type { DealRequest } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { Clocks } from '#ui/partnerships/deal-dates.tsx';
import { Empty, Failed } from '#ui/states.tsx';

/** Above the form: what the reseller asked for. */
export function DealBanner({ request }: { request: DealRequest }) {
  return (
    <Panel className="mb-8 flex flex-wrap items-start justify-between gap-x-8 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-60">
        <p className="font-medium wrap-anywhere">
          {request.reseller_name} asks for {plural(request.quantity, 'serial')} of {request.product_name} at{' '}
          {formatMoney(request.price)}
        </p>
        {request.note ? (
          <p className="mt-1 text-sm wrap-anywhere whitespace-pre-line text-muted">“{request.note}”</p>
        ) : null}
        <p className="mt-2 text-sm text-muted">
          Generating these serials accepts the request. Change the terms below to make a counter-offer.
          {sameClock(request.created_at, request.reseller_time_zone, accountZone())
            ? null
            : ' Dates that you do not change stay as they were asked for.'}
        </p>
      </div>
      <Clocks deal={request} owner={request.reseller_time_zone} className="w-full sm:w-72" />
    </Panel>
  );
}

const toResellers = (
  <LinkButton to="/dashboard/resellers" variant="primary">
    Open your resellers
  </LinkButton>
);

/** Instead of the form, when the request can't be accepted any more. */
export function DealAnswered({ request }: { request: DealRequest }) {
  return (
    <Panel>
      <Empty
        title={
          request.status === 'pending'
            ? 'This request can no longer be accepted'
            : `This request is already ${request.status}`
        }
        action={toResellers}
      >
        {request.status === 'pending'
          ? 'Its product is not published, or you do not work with this reseller at present.'
          : `${request.reseller_name} asked for ${plural(request.quantity, 'serial')} of ${request.product_name}.`}
      </Empty>
    </Panel>
  );
}

export function DealFailed({ error }: { error: unknown }) {
  return (
    <Panel>
      <Failed title="The request couldn't be loaded" error={error} />
      <div className="flex justify-center pb-8">{toResellers}</div>
    </Panel>
  );
}
