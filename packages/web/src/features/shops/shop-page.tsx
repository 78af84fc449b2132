import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, KeyRound, ListChecks, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { ofAddress } from '#lib/navigation/of-address.tsx';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { Shop } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { BackLink, Button, LinkButton } from '#ui/button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Menu } from '#ui/menus/menu.tsx';
import { MenuItems } from '#ui/menus/row-menu.tsx';
import { PageHeader, SectionHead } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { AddressPanel } from './address-panel.tsx';
import { ConnectSteps } from './connect/connect-steps.tsx';
import { healthOf, missedText } from './health.ts';
import { kindWords } from './kinds.ts';
import { useShopLinks } from './links.ts';
import { apiWords, needsApi } from './list/api-words.ts';
import { CredentialsDialog } from './list/credentials-dialog.tsx';
import { ReportList } from './list/report-list.tsx';
import { RotateDialog } from './list/rotate-dialog.tsx';
import { SettingsDialog } from './list/settings-dialog.tsx';
import { onDisputeWords, onDuplicateWords, onRefundWords } from './list/settings-words.ts';
import { ItemList } from './mapping/item-list.tsx';
import type { shopSearch } from './searches.ts';
import { shopQuery } from './shop-queries.ts';

function ShopPage({ id }: { id: string }) {
  useTitle('Shop');
  const links = useShopLinks();
  const found = useQuery(shopQuery(id));
  return (
    <>
      <BackLink to={links.list} search={{}} className="mb-5">
        Shops
      </BackLink>
      <OneThing query={found} found={found.data} what="shop">
        {(shop) => <Connected shop={shop} />}
      </OneThing>
    </>
  );
}

export const ShopScreen = ofAddress(ShopPage);

type Asked = 'change' | 'rotate' | 'api' | 'delete';

function Connected({ shop }: { shop: Shop }) {
  const [{ unmapped }, change] = useSearchHere<SearchOf<typeof shopSearch>>();
  const [asked, ask] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const links = useShopLinks();
  const { id, name, kind, state } = shop;
  const words = kindWords[kind];
  const isOff = state === 'off';
  const health = healthOf(shop);
  const isNew = shop.last_event_at === null;
  const toggle = useMutation({
    mutationFn: (on: boolean) => (on ? api.resumeShop({ path: { id } }) : api.pauseShop({ path: { id } })),
    onSuccess: async (_, on) => {
      notify.success(on ? 'Resumed. What waited is worked on now.' : 'Paused. What it reports is kept, and waits.', {
        undo: () => toggle.mutate(!on),
      });
      await refreshAfter(queryClient, 'shopChanged');
    },
    onError: (error, on) => notify.failed(`The shop couldn't be ${on ? 'resumed' : 'paused'}`, error),
  });
  const remove = useMutation({
    mutationFn: () => api.deleteShop({ path: { id } }),
    onSuccess: async () => {
      await navigate({ to: links.list, search: {} });
      notify.success('Shop deleted. Its orders and their serials stay.');
      await refreshAfter(queryClient, 'shopChanged');
    },
    onError: (error) => notify.failed("The shop couldn't be deleted", error),
  });
  const compare = useMutation({
    mutationFn: () => api.reconcileShop({ path: { id } }),
    onSuccess: async () => {
      notify.success('The shop’s own list is compared with what came, in a moment.');
      await refreshAfter(queryClient, 'shopChanged');
    },
    onError: (error) => notify.failed("The list couldn't be compared", error),
  });
  const open = (what: Asked) => (next: boolean) => ask(next ? what : null);
  return (
    <>
      <PageHeader
        title={name}
        guide={words.guide}
        actions={
          <>
            <LinkButton to={links.orders} search={{ shop: id }}>
              Its orders
            </LinkButton>
            <Button onClick={() => toggle.mutate(isOff)} busy={toggle.isPending}>
              {isOff ? (
                <Play className="-ml-0.5 size-4" aria-hidden />
              ) : (
                <Pause className="-ml-0.5 size-4" aria-hidden />
              )}
              {isOff ? 'Resume' : 'Pause'}
            </Button>
            <Menu
              buttonClass="grid size-9 place-items-center rounded-md border border-line-strong bg-surface text-muted hover:bg-hover hover:text-text"
              face={
                <>
                  <Ellipsis className="size-4" aria-hidden />
                  <span className="sr-only">More for this shop</span>
                </>
              }
            >
              <MenuItems
                items={[
                  { icon: Pencil, label: 'Settings', act: () => ask('change') },
                  words.secret !== 'none' && {
                    icon: RefreshCw,
                    label: 'Rotate the secret',
                    act: () => ask('rotate'),
                  },
                  apiWords[kind] !== undefined && {
                    icon: KeyRound,
                    label: shop.has_credentials ? 'Change the API access' : 'Open the shop’s API',
                    act: () => ask('api'),
                  },
                  shop.has_credentials && {
                    icon: ListChecks,
                    label: 'Compare with the shop’s list',
                    disabled: compare.isPending,
                    act: () => compare.mutate(),
                  },
                  { icon: Trash2, label: 'Delete', bad: true, act: () => ask('delete') },
                ]}
              />
            </Menu>
          </>
        }
      >
        {words.name}. {words.about}
      </PageHeader>
      {health.tone === 'good' ? null : (
        <div className="mb-6">
          <Notice tone={health.tone === 'accent' ? 'plain' : health.tone}>
            <strong className="font-semibold">{health.word}.</strong> {health.detail}
          </Notice>
        </div>
      )}
      {needsApi(kind) && !shop.has_credentials ? (
        <div className="mb-6">
          <Notice tone="warn">
            <span className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
              <span className="min-w-0 flex-1 basis-64">{apiWords[kind]?.why}</span>
              <Button size="sm" onClick={() => ask('api')}>
                Open its API
              </Button>
            </span>
          </Notice>
        </div>
      ) : null}
      {isNew ? (
        <section aria-labelledby="connect" className="mb-10">
          <SectionHead id="connect" title="Connect it" hint={`Do this in ${words.name}.`} />
          <ConnectSteps shop={shop} onRotate={() => ask('rotate')} />
        </section>
      ) : null}
      <section aria-labelledby="items" className="mb-10">
        <SectionHead
          id="items"
          title="What it sells"
          hint="Map each thing to a product of yours, or to several for a bundle. Orders of what is not mapped wait."
        />
        <ItemList shop={shop} unmapped={unmapped} onUnmapped={(next) => change({ unmapped: next })} />
      </section>
      <section aria-labelledby="facts">
        <SectionHead
          id="facts"
          title="How it is set up"
          hint="What it does with refunds and disputes, and its address."
        />
        <FactsPanel
          facts={[
            [
              'State',
              <Badge key="state" tone={health.tone} means={health.detail}>
                {health.word}
              </Badge>,
            ],
            ['Orders', shop.mode === 'live' ? 'Live' : 'Test: their codes count nowhere'],
            ['Codes come from', shop.delivery === 'us' ? 'Our email' : 'The shop'],
            ['Partly refunded, and redeemed', onRefundWords[shop.on_refund]],
            ['Disputed', onDisputeWords[shop.on_dispute]],
            ['The same sale by another shop', onDuplicateWords[shop.on_duplicate]],
            ['Last report', shop.last_event_at ? <TimeAgo key="last" iso={shop.last_event_at} /> : 'None yet'],
            [
              'Last refused',
              shop.refused_at ? (
                <span key="refused">
                  <TimeAgo iso={shop.refused_at} />
                  {shop.refused_why ? <span className="block text-muted">{shop.refused_why}</span> : null}
                </span>
              ) : null,
            ],
            [
              'The old secret is accepted until',
              shop.rotates_until ? <TimeAgo key="rotates" iso={shop.rotates_until} /> : null,
            ],
            ['The shop’s API', apiWords[kind] === undefined ? null : shop.has_credentials ? 'Open' : 'Not opened'],
            [
              'Its list was compared',
              shop.last_reconciled_at ? <TimeAgo key="compared" iso={shop.last_reconciled_at} /> : null,
            ],
            ['Not reported, 30 days', shop.missed && <Missed key="missed" shop={shop} />],
            ['Connected', <TimeAgo key="created" iso={shop.created_at} />],
          ]}
        />
        <AddressPanel shop={shop} />
      </section>
      <section aria-labelledby="reports">
        <SectionHead id="reports" title="Reports" hint="What came from the shop in the last 90 days, newest first." />
        <ReportList shopId={id} />
      </section>
      <SettingsDialog open={asked === 'change'} onOpenChange={open('change')} shop={shop} />
      <RotateDialog open={asked === 'rotate'} onOpenChange={open('rotate')} shop={shop} />
      <CredentialsDialog open={asked === 'api'} onOpenChange={open('api')} shop={shop} />
      <Confirm
        open={asked === 'delete'}
        onOpenChange={open('delete')}
        title={`Delete ${name}?`}
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p>
          What it reports from now on is refused, also refunds of orders that are here. Its orders and their serials
          stay.
        </p>
        {isOff ? null : <p>Remove the webhook from the shop, too.</p>}
      </Confirm>
    </>
  );
}

/** Sales and refunds that came only from the shop's own list. The webhooks that lost them need a look. */
function Missed({ shop }: { shop: Shop }) {
  const text = missedText(shop);
  if (text === null) return <>Nothing</>;
  return (
    <span className="flex flex-col items-end text-right">
      <span className="first-letter:uppercase">{text}</span>
      <span className="text-muted">
        Found in its own list
        {shop.missed?.last_at ? (
          <>
            , last <TimeAgo iso={shop.missed.last_at} />
          </>
        ) : null}
        . Check the webhooks in the shop.
      </span>
    </span>
  );
}
