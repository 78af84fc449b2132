import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import type { Draw } from '#lib/types.ts';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { SerialCode } from '#ui/serials/serial-code.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { Day, TimeAgo } from '#ui/time-ago.tsx';
import { SaleView } from '#widgets/sales/sale-view.tsx';
import { StateBadge } from './draw-state.tsx';
import { ReturnCodes } from './return-codes.tsx';

/** One sale: the codes that were handed out for it, each with its state. */
export function DrawScreen({ reference }: { reference: string }) {
  const draw = useQuery(q('getDraw', { path: { reference } }));
  useTitle(`Draw ${reference}`);
  return (
    <>
      <BackLink to="/reseller/draws" search={{}} className="mb-4">
        Handed out
      </BackLink>
      {draw.data ? (
        <Whole draw={draw.data} />
      ) : isStatus(draw.error, 404) || isStatus(draw.error, 400) ? (
        <Panel>
          <Empty
            heading="h1"
            title="Draw not found"
            action={
              <LinkButton to="/reseller/draws" search={{}}>
                See all draws
              </LinkButton>
            }
          >
            Your shop has handed nothing out under this reference.
          </Empty>
        </Panel>
      ) : draw.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This draw couldn't be loaded"
            error={draw.error}
            retry={draw.refetch}
            retrying={draw.isFetching}
          />
        </Panel>
      ) : (
        <div role="status">
          <span className="sr-only">Loading the draw</span>
          <span className="skeleton block h-8 w-64 max-w-full" />
          <span className="skeleton mt-3 block h-4 w-40" />
          <span className="skeleton mt-8 block h-40 rounded-lg" />
        </div>
      )}
    </>
  );
}

function Whole({ draw }: { draw: Draw }) {
  return (
    <>
      <PageHeader title={draw.reference} actions={draw.sold_for === null ? <ReturnCodes draw={draw} /> : null}>
        {draw.product_name ?? 'Deleted product'} · {draw.developer_name}
      </PageHeader>
      <Facts
        facts={[
          ['Handed out', <TimeAgo key="at" iso={draw.created_at} />],
          ['Codes', plural(draw.quantity, 'code')],
          ['Tag', draw.batch_tag],
          ['Sold by hand for', draw.sold_for === null ? null : formatMoney(draw.sold_for)],
          ['Note', draw.note],
        ]}
      />
      {draw.sold_for === null ? null : (
        <section className="mt-8 max-w-md" aria-label="Hand it over">
          <h2 className="mb-3 font-semibold">Hand it over</h2>
          <SaleView reference={draw.reference} />
        </section>
      )}
      <section className="mt-8" aria-label="Codes">
        <div className="mb-3 flex items-center justify-between gap-4">
          <h2 className="font-semibold">Codes</h2>
          {draw.serials.length > 1 ? (
            <CopyButton text={draw.serials.map(({ code }) => code).join('\n')} label="Copy all" />
          ) : null}
        </div>
        <Panel className="overflow-hidden">
          <ul className="divide-y divide-line">
            {draw.serials.map((serial) => (
              <li key={serial.code} className="flex min-h-14 flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2">
                <div className="min-w-0 flex-1">
                  <SerialCode code={serial.code} />
                  <Since serial={serial} owner={draw.developer_time_zone} />
                </div>
                <StateBadge state={serial.state} />
                <CopyButton compact text={serial.code} what={serial.code} />
              </li>
            ))}
          </ul>
        </Panel>
      </section>
    </>
  );
}

function Since({ serial, owner }: { serial: Draw['serials'][number]; owner: string }) {
  const at = serial.returned_at ?? serial.redeemed_at;
  if (at) {
    return (
      <p className="text-xs text-muted">
        {serial.returned_at ? 'Returned' : 'Redeemed'} <TimeAgo iso={at} />
      </p>
    );
  }
  return serial.expires_at ? (
    <p className="text-xs text-muted">
      Redeem by <Day iso={serial.expires_at} edge="end" owner={owner} />
    </p>
  ) : null;
}
