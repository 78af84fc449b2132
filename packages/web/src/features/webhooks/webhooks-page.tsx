import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { formatCount } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import type { Webhook } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { BackLink, Button } from '#ui/button.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TryIt } from '#ui/try-it.tsx';
import { useWebhookLinks } from './links.ts';
import { WebhookDialog } from './webhook-dialog.tsx';
import { webhooksQuery } from './webhook-queries.ts';
import { WeekBar } from './week-bar.tsx';
import { eventWords, healthOf } from './words.ts';

const most = 10;

/** The addresses that are told what happens. */
export function WebhooksPage() {
  useTitle('Webhooks');
  const list = useQuery(webhooksQuery);
  const [creating, setCreating] = useState(false);
  const full = (list.data?.length ?? 0) >= most;
  const create = (className?: string) => (
    <Button variant="primary" disabled={full} onClick={() => setCreating(true)} className={className}>
      <Plus className="-ml-1 size-4" aria-hidden />
      Add webhook
    </Button>
  );
  const links = useWebhookLinks();
  return (
    <>
      {links.parent ? (
        <BackLink to={links.parent} className="mb-5">
          Tools
        </BackLink>
      ) : null}
      {/* the button keeps its place while the list loads */}
      <PageHeader
        title="Webhooks"
        guide="webhooks"
        actions={create(list.data?.length ? '' : 'invisible max-lg:hidden')}
      >
        Sends events to your own server within seconds: signed, retried when it is down, and replayed with a click.
      </PageHeader>
      {full ? <p className="mb-4 text-sm text-muted">{most} webhooks are the most that an account can have.</p> : null}
      <Panel className="overflow-hidden">
        {list.isError && !list.data ? (
          <Failed
            title="Webhooks couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : !list.data ? (
          <WebhooksSkeleton />
        ) : list.data.length === 0 ? (
          <Empty title="No webhooks yet" action={create()}>
            Add the address of your server, choose the events, and send a test.
          </Empty>
        ) : (
          <ul className="divide-y divide-line">
            {list.data.map((webhook) => (
              <WebhookRow key={webhook.id} webhook={webhook} />
            ))}
          </ul>
        )}
      </Panel>
      {list.data ? (
        <div className="mt-6">
          <TryIt line="tonerow webhooks listen --forward-to http://localhost:3000/webhooks">
            Delivers your events to your own machine while you develop: signed, without a webhook or a tunnel.
          </TryIt>
        </div>
      ) : null}
      <WebhookDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

function WebhookRow({ webhook }: { webhook: Webhook }) {
  const links = useWebhookLinks();
  const { tone, word, detail } = healthOf(webhook);
  const { id, url, description, events, waiting } = webhook;
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-4 hover:bg-canvas">
      <div className="min-w-0 flex-1 basis-80">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Link
            to={links.one}
            params={{ id }}
            title={description ? undefined : url}
            className="line-clamp-2 min-w-0 rounded-[3px] font-medium break-all decoration-line-strong underline-offset-4 hover:underline"
          >
            {description || url}
          </Link>
          <Badge tone={tone} means={detail}>
            {word}
          </Badge>
        </p>
        {description ? (
          <p title={url} className="line-clamp-2 text-sm break-all text-muted">
            {url}
          </p>
        ) : null}
        <p className="mt-0.5 text-sm wrap-anywhere text-muted">
          {eventWords(events)}
          {waiting > 0 ? ` · ${formatCount(waiting)} waiting` : ''}
        </p>
      </div>
      <WeekBar days={webhook.days} className="shrink-0 max-sm:max-w-none sm:w-40" />
    </li>
  );
}

/** Placeholder rows. The content below appears with the real ones, because nobody knows how many there are. */
function WebhooksSkeleton() {
  return (
    <div role="status" className="divide-y divide-line">
      <span className="sr-only">Loading webhooks</span>
      {[0, 1].map((row) => (
        <div key={row} className="flex flex-wrap items-center justify-between gap-x-8 gap-y-3 px-5 py-4">
          <div className="flex flex-1 basis-80 flex-col gap-2">
            <span className="skeleton h-5 w-2/5" />
            <span className="skeleton h-4 w-3/5" />
          </div>
          <span className="skeleton h-9 w-full sm:w-40" />
        </div>
      ))}
    </div>
  );
}
