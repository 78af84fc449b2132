import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Ellipsis, Pause, Pencil, Play, RefreshCw, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { formatCount, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { ofAddress } from '#lib/navigation/of-address.tsx';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import { useAccount } from '#lib/session/session.ts';
import type { Webhook } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { BackLink, Button } from '#ui/button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { Confirm } from '#ui/dialogs/confirm.tsx';
import { Menu } from '#ui/menus/menu.tsx';
import { MenuItems } from '#ui/menus/row-menu.tsx';
import { PageHeader, SectionHead } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { Address } from './address.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { useWebhookLinks } from './links.ts';
import { ReplayDialog } from './replay-dialog.tsx';
import { RotateDialog } from './rotate-dialog.tsx';
import { TestButton } from './test-button.tsx';
import { VerifyCode } from './verify-code.tsx';
import { WebhookDialog } from './webhook-dialog.tsx';
import { webhookQuery } from './webhook-queries.ts';
import { WeekBar } from './week-bar.tsx';
import { eventWords, healthOf, offHint } from './words.ts';

/** An endpoint: how it does, what was sent to it, and how a receiver checks that. */
function WebhookPage({ id }: { id: string }) {
  useTitle('Webhook');
  const links = useWebhookLinks();
  const found = useQuery(webhookQuery(id));
  return (
    <>
      <BackLink to={links.list} className="mb-5">
        Webhooks
      </BackLink>
      <OneThing query={found} found={found.data} what="webhook">
        {(webhook) => <Endpoint webhook={webhook} />}
      </OneThing>
    </>
  );
}

export const WebhookScreen = ofAddress(WebhookPage);

type Asked = 'change' | 'rotate' | 'replay' | 'delete';

function Endpoint({ webhook }: { webhook: Webhook }) {
  const [asked, ask] = useState<Asked | null>(null);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const links = useWebhookLinks();
  const isReseller = useAccount()?.is_reseller ?? false;
  const { id, url, description, events, enabled, replayable } = webhook;
  const health = healthOf(webhook);
  const turn = useMutation({
    mutationFn: (on: boolean) => api.updateWebhook({ path: { id }, body: { enabled: on } }),
    onSuccess: async (_, on) => {
      notify.success(on ? 'Switched on.' : 'Paused. Events are recorded, each for 30 days.', {
        undo: () => turn.mutate(!on),
      });
      await refreshAfter(queryClient, 'webhooksChanged');
    },
    onError: (error, on) => notify.failed(`The webhook couldn't be ${on ? 'switched on' : 'paused'}`, error),
  });
  const remove = useMutation({
    mutationFn: () => api.deleteWebhook({ path: { id } }),
    onSuccess: async () => {
      await navigate({ to: links.list });
      notify.success('Webhook deleted.');
      await refreshAfter(queryClient, 'webhooksChanged');
    },
    onError: (error) => notify.failed("The webhook couldn't be deleted", error),
  });
  const open = (what: Asked) => (next: boolean) => ask(next ? what : null);
  return (
    <>
      <PageHeader
        title={description || new URL(url).host}
        actions={
          <>
            <TestButton webhook={webhook} />
            <Button onClick={() => turn.mutate(!enabled)} busy={turn.isPending}>
              {enabled ? (
                <Pause className="-ml-0.5 size-4" aria-hidden />
              ) : (
                <Play className="-ml-0.5 size-4" aria-hidden />
              )}
              {enabled ? 'Pause' : 'Switch on'}
            </Button>
            <Menu
              buttonClass="grid size-9 place-items-center rounded-md border border-line-strong bg-surface text-muted hover:bg-hover hover:text-text"
              face={
                <>
                  <Ellipsis className="size-4" aria-hidden />
                  <span className="sr-only">More for this webhook</span>
                </>
              }
            >
              <MenuItems
                items={[
                  { icon: Pencil, label: 'Change', act: () => ask('change') },
                  {
                    icon: RefreshCw,
                    label: webhook.signature === 'v1' ? 'Rotate the secret' : 'Rotate the key',
                    act: () => ask('rotate'),
                  },
                  { icon: Trash2, label: 'Delete', bad: true, act: () => ask('delete') },
                ]}
              />
            </Menu>
          </>
        }
      >
        <Address url={url} />
      </PageHeader>
      {health.tone === 'bad' || health.tone === 'warn' || !enabled ? (
        <div className="mb-6">
          <Notice tone={health.tone === 'bad' ? 'bad' : 'warn'}>
            <strong className="font-semibold">{health.word}.</strong> {health.detail}
          </Notice>
        </div>
      ) : null}
      <FactsPanel
        facts={[
          [
            'State',
            <Badge key="state" tone={health.tone} means={health.detail}>
              {health.word}
            </Badge>,
          ],
          [
            'Last seven days (UTC)',
            <div key="week" className="w-40 max-w-full">
              <WeekBar days={webhook.days} />
            </div>,
          ],
          ['Events', eventWords(events)],
          ['Signature', webhook.signature === 'v1' ? 'v1, with a secret' : 'v1a, with a public key'],
          [
            'Public key',
            webhook.public_key ? (
              <code key="public" className="font-mono text-xs break-all">
                {webhook.public_key}
              </code>
            ) : null,
          ],
          ['Codes of serials', webhook.include_codes ? 'Included' : 'Left out'],
          ['Names and addresses of customers', isReseller ? null : webhook.include_personal ? 'Included' : 'Left out'],
          [
            'Last success',
            webhook.last_success_at ? <TimeAgo key="last_success_at" iso={webhook.last_success_at} /> : 'Never',
          ],
          [
            'Failing since',
            webhook.first_failure_at ? <TimeAgo key="first_failure_at" iso={webhook.first_failure_at} /> : null,
          ],
          ['Off since', webhook.disabled_at ? <TimeAgo key="disabled_at" iso={webhook.disabled_at} /> : null],
          [
            'The old secret signs until',
            webhook.rotates_until ? <TimeAgo key="rotates" iso={webhook.rotates_until} /> : null,
          ],
          ['Waiting', webhook.waiting > 0 ? formatCount(webhook.waiting) : null],
        ]}
      />
      <section aria-labelledby="deliveries" className="mb-10">
        <SectionHead
          id="deliveries"
          title="Deliveries"
          hint="Each event of the last 30 days that this webhook asks for."
        >
          <Button size="sm" disabled={!enabled} title={enabled ? undefined : offHint} onClick={() => ask('replay')}>
            {replayable === 0 ? 'Replay events' : `Replay ${plural(replayable, 'undelivered event')}`}
          </Button>
        </SectionHead>
        <DeliveryList webhookId={id} />
      </section>
      <section aria-labelledby="verify">
        <SectionHead
          id="verify"
          title="Verify what arrives"
          hint="Over the very bytes of the body: one that was parsed and printed again does not verify."
        />
        <VerifyCode webhook={webhook} />
      </section>
      <WebhookDialog open={asked === 'change'} onOpenChange={open('change')} webhook={webhook} />
      <RotateDialog open={asked === 'rotate'} onOpenChange={open('rotate')} webhook={webhook} />
      <ReplayDialog open={asked === 'replay'} onOpenChange={open('replay')} webhook={webhook} />
      <Confirm
        open={asked === 'delete'}
        onOpenChange={open('delete')}
        title="Delete this webhook?"
        action="Delete"
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <p title={url} className="line-clamp-2 break-all">
          {url}
        </p>
        <p>Nothing more is sent there, and its deliveries are gone. Events stay in the feed for 30 days.</p>
      </Confirm>
    </>
  );
}
