import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { formatCount } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { Shop } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { BackLink, LinkButton } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Parts } from '#ui/parts.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { TryIt } from '#ui/try-it.tsx';
import { healthOf, missedText } from '../health.ts';
import { kindWords } from '../kinds.ts';
import { useShopLinks } from '../links.ts';
import { shopsQuery } from '../shop-queries.ts';

/** The shops whose sales become serials. */
export function ShopsPage() {
  useTitle('Shops');
  const links = useShopLinks();
  const list = useQuery(shopsQuery);
  const rows = list.data?.shops;
  const connect = (className?: string) => (
    <LinkButton to={links.create} search={{}} variant="primary" className={className}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Connect a shop
    </LinkButton>
  );
  return (
    <>
      {links.parent ? (
        <BackLink to={links.parent} className="mb-5">
          Tools
        </BackLink>
      ) : null}
      {/* the buttons keep their place while the list loads */}
      <PageHeader
        title="Shops"
        guide="shops"
        actions={
          <>
            {connect(rows?.length ? '' : 'invisible max-lg:hidden')}
            <LinkButton to={links.orders} search={{}}>
              Orders
            </LinkButton>
          </>
        }
      >
        A sale in your shop becomes serials, and a refund takes them back.
      </PageHeader>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed title="Shops couldn't be loaded" error={list.error} retry={list.refetch} retrying={list.isFetching} />
        ) : !rows ? (
          <ShopsSkeleton />
        ) : rows.length === 0 ? (
          <Empty title="No shops yet" action={connect()}>
            Paste one address and one secret into your shop. From then on each paid order gives its customer serials.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {rows.map((shop) => (
              <ShopRow key={shop.id} shop={shop} />
            ))}
          </ul>
        )}
      </Panel>
      {rows ? (
        <div className="mt-6">
          <TryIt line="tonerow shops record fair-17 --line GLIDE:1:49.00 --email nina@example.com">
            Records a sale without a shop: from a form, a fair, or a program of yours.
          </TryIt>
        </div>
      ) : null}
    </>
  );
}

function ShopRow({ shop }: { shop: Shop }) {
  const links = useShopLinks();
  const { tone, word, detail } = healthOf(shop);
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-4 hover:bg-canvas">
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={links.one}
            params={{ id: shop.id }}
            search={{}}
            className="line-clamp-2 min-w-0 rounded-[3px] font-medium wrap-anywhere decoration-line-strong underline-offset-4 hover:underline"
          >
            {shop.name}
          </Link>
          <Badge tone={tone} means={detail}>
            {word}
          </Badge>
          {shop.mode === 'test' ? <Tag>Test</Tag> : null}
        </p>
        <p className="mt-0.5 text-sm wrap-anywhere text-muted">
          <Parts
            separator=" ·"
            of={[
              kindWords[shop.kind].name,
              shop.unmapped > 0 && `${formatCount(shop.unmapped)} unmapped`,
              shop.waiting > 0 && `${formatCount(shop.waiting)} waiting`,
              missedText(shop) !== null && `${missedText(shop)} not reported`,
            ]}
          />
        </p>
      </div>
      <p className="shrink-0 text-sm text-muted">
        {shop.last_event_at ? (
          <>
            Last report <TimeAgo iso={shop.last_event_at} />
          </>
        ) : (
          'Nothing came yet'
        )}
      </p>
    </li>
  );
}

function ShopsSkeleton() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading shops</span>
      {[0, 1].map((row) => (
        <div key={row} className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-4">
          <div className="flex flex-1 basis-80 flex-col gap-2">
            <span className="skeleton h-5 w-2/5" />
            <span className="skeleton h-4 w-1/4" />
          </div>
          <span className="skeleton h-4 w-28" />
        </div>
      ))}
    </div>
  );
}
