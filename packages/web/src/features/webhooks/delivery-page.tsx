import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronDown, RotateCw } from 'lucide-react';
import { api } from '#lib/api.ts';
import { formatRelative } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { ofAddress } from '#lib/navigation/of-address.tsx';
import { refreshAfter } from '#lib/queries/freshness/refresh.ts';
import type { WebhookAttempt, WebhookDeliveryDetail } from '#lib/types.ts';
import { Badge, Tag } from '#ui/badge.tsx';
import { BackLink, Button } from '#ui/button.tsx';
import { CodeBlock } from '#ui/details/code-block.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { FactsPanel } from '#ui/details/facts.tsx';
import { PageHeader, Panel, SectionHead } from '#ui/page.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { notify } from '#ui/toast.ts';
import { Address } from './address.tsx';
import { useWebhookLinks } from './links.ts';
import { deliveryQuery, webhookQuery } from './webhook-queries.ts';
import { explainError, offHint, outcomeOf, reasonOf, stateTones, stateWords } from './words.ts';

/** One event at one endpoint: what was sent, each attempt and its answer, and when the next one is. */
function DeliveryPage({ id, deliveryId }: { id: string; deliveryId: string }) {
  useTitle('Delivery');
  const links = useWebhookLinks();
  const found = useQuery(deliveryQuery(deliveryId));
  // read at the same time, so that a notice about it does not push the page down later
  const isOff = useQuery(webhookQuery(id)).data?.enabled === false;
  return (
    <>
      <BackLink to={links.one} params={{ id }} className="mb-5">
        Webhook
      </BackLink>
      <OneThing query={found} found={found.data} what="delivery">
        {(delivery) => <Delivery delivery={delivery} isOff={isOff} />}
      </OneThing>
    </>
  );
}

export const DeliveryScreen = ofAddress(DeliveryPage);

function Delivery({ delivery, isOff }: { delivery: WebhookDeliveryDetail; isOff: boolean }) {
  const queryClient = useQueryClient();
  const { id, type, state, next_attempt_at } = delivery;
  const again = useMutation({
    mutationFn: () => api.retryWebhookDelivery({ path: { id } }),
    onSuccess: async () => {
      notify.success('It will be sent again.');
      await refreshAfter(queryClient, 'webhooksChanged');
    },
    onError: (error) => notify.failed("It couldn't be sent again", error),
  });
  return (
    <>
      <PageHeader
        title={type}
        actions={
          <Button
            variant="primary"
            onClick={() => again.mutate()}
            busy={again.isPending}
            disabled={isOff}
            title={isOff ? offHint : undefined}
          >
            <RotateCw className="-ml-0.5 size-4" aria-hidden />
            Send again
          </Button>
        }
      >
        {reasonOf(delivery)}
      </PageHeader>
      {isOff ? (
        <div className="mb-6">
          <Notice tone="warn">The webhook is off. Switch it on to send this again.</Notice>
        </div>
      ) : null}
      <FactsPanel
        facts={[
          [
            'State',
            <Badge key="state" tone={stateTones[state]} means={reasonOf(delivery)}>
              {stateWords[state]}
            </Badge>,
          ],
          ['Last answer', outcomeOf(delivery)],
          ['Happened', <TimeAgo key="at" iso={delivery.created_at} />],
          ['Delivered', delivery.delivered_at ? <TimeAgo key="delivered" iso={delivery.delivered_at} /> : null],
          ['Next attempt', next_attempt_at ? <TimeAgo key="next" iso={next_attempt_at} /> : null],
          ['Address', <Address key="url" url={delivery.url} />],
          [
            'webhook-id',
            <code key="id" className="font-mono text-xs break-all">
              {delivery.event_id}
            </code>,
          ],
          ['Sent by hand', delivery.is_test ? 'Yes, as a test' : null],
        ]}
      />
      <section aria-labelledby="body" className="mb-8">
        <SectionHead id="body" title="Body" hint="The same bytes at each attempt. Copy takes them as they are sent." />
        <CodeBlock title="JSON, formatted" code={printed(delivery.body)} copyText={delivery.body} />
      </section>
      <section aria-labelledby="attempts">
        <SectionHead id="attempts" title="Attempts" hint="Newest first. Up to ten in about three days, more by hand." />
        {delivery.history.length === 0 ? (
          <Panel className="px-5 py-4 text-muted">Nothing was sent yet.</Panel>
        ) : (
          <ol className="flex flex-col gap-3">
            {delivery.history.map((attempt) => (
              <li key={attempt.n}>
                <Attempt attempt={attempt} open={attempt.n === delivery.history[0]?.n} />
              </li>
            ))}
          </ol>
        )}
      </section>
    </>
  );
}

const triggerWords: Record<WebhookAttempt['trigger'], string> = {
  schedule: '',
  manual: 'Sent by hand',
  replay: 'Replayed',
};

function Attempt({ attempt, open }: { attempt: WebhookAttempt; open: boolean }) {
  const { n, status, error, trigger, duration_ms } = attempt;
  return (
    <Panel>
      <details open={open} className="group">
        <summary className="flex min-h-12 cursor-pointer list-none flex-wrap items-center gap-x-4 gap-y-1 px-5 py-2.5 [&::-webkit-details-marker]:hidden">
          <ChevronDown
            className="-mr-2 -ml-1 size-4 text-muted transition-transform group-open:rotate-180"
            aria-hidden
          />
          <span className="figures font-medium">Attempt {n}</span>
          <Tag tone={error === null ? 'good' : 'bad'}>{status === null ? 'No answer' : `HTTP ${status}`}</Tag>
          <span className="text-sm text-muted">{error === null ? 'Accepted' : explainError(error)}</span>
          <span className="figures text-sm text-muted">{duration_ms} ms</span>
          {triggerWords[trigger] ? <span className="text-sm text-muted">{triggerWords[trigger]}</span> : null}
          {/* a summary is a button itself, so the moment can be copied below */}
          <time dateTime={attempt.started_at} className="figures ml-auto text-sm text-muted">
            {formatRelative(attempt.started_at)}
          </time>
        </summary>
        <div className="flex min-w-0 flex-col gap-4 border-t border-line p-5">
          <p className="text-sm text-muted">
            Started <TimeAgo iso={attempt.started_at} />
          </p>
          <CodeBlock title="Request headers" code={headersText(attempt.request_headers)} />
          {attempt.response_headers ? <CodeBlock title="Answer" code={headersText(attempt.response_headers)} /> : null}
          {attempt.response_text ? (
            <CodeBlock title="Beginning of the answer’s body" code={attempt.response_text} />
          ) : null}
        </div>
      </details>
    </Panel>
  );
}

const headersText = (headers: Record<string, string>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');

/** Easier to read; what is copied stays byte by byte. */
function printed(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
