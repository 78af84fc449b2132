import { useQuery } from '@tanstack/react-query';
import { formatMoney, toDollars } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { formatMonth } from '#lib/time/period.ts';
import type { BillingStory } from '#lib/types.ts';
import { InvoiceLines } from '#ui/billing/invoice-lines.tsx';
import { InvoiceStateBadge, paidFacts } from '#ui/billing/invoice-state.tsx';
import { BackLink, TextLink } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { storyQuery } from './queries.ts';
import { StoryActions } from './story-actions.tsx';
import { StoryLog } from './story-log.tsx';

/** Everything about one developer's invoice: what it is for, what was tried, what was decided. */
export function StoryPage({ id }: { id: string }) {
  const query = useQuery(storyQuery(id));
  const story = query.data;
  useTitle(story ? `Invoice ${story.statement.number}` : 'Invoice');
  return (
    <>
      <BackLink to="/admin/billing" search={{}} className="mb-5">
        Billing logs
      </BackLink>
      <OneThing query={query} found={story} what="invoice" boxes={['h-56', 'h-56']}>
        {(found) => <Story story={found} />}
      </OneThing>
    </>
  );
}

const dollars = (cents: number | null) => (cents === null ? null : toDollars(cents));

function Story({ story }: { story: BillingStory }) {
  const { statement, lines, logs } = story;
  const moment = (iso: string | null) => (iso ? <TimeAgo iso={iso} /> : null);
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="figures text-xl font-semibold tracking-[-0.025em]">
            Invoice <span className="whitespace-nowrap">{statement.number}</span>
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
            <span>
              {formatMonth(`${statement.month}-01`)} (UTC) · <span className="break-all">{statement.email}</span>
            </span>
            <InvoiceStateBadge state={statement.state} paidBy={statement.paid_by} />
          </p>
        </div>
        <StoryActions statement={statement} />
      </header>
      {statement.difference ? (
        <div className="mb-5">
          <Notice>
            <strong className="font-semibold">The last reconciliation found a difference:</strong>{' '}
            {statement.difference} Nothing was changed.
          </Notice>
        </div>
      ) : null}
      <section>
        <h2 className="mb-1 font-semibold">Collection</h2>
        <Facts
          facts={[
            ['Amount', formatMoney(toDollars(statement.total_cents))],
            ['Charges so far', statement.attempts],
            ['Month closed', moment(statement.closed_at)],
            ['Next', moment(statement.next_attempt_at)],
            ['First failed', moment(statement.first_failed_at)],
            ['Paid', moment(statement.paid_at)],
            ...paidFacts(statement.paid_by, dollars(statement.charged_cents), dollars(statement.balance_cents)),
            ['Last error', statement.last_error],
            [
              'At Stripe',
              statement.stripe_invoice_id ? (
                <Copyable key="stripe" text={statement.stripe_invoice_id} what="Stripe’s id of the invoice" />
              ) : null,
            ],
            ['Developer ID', <Copyable key="developer" text={statement.user_id} what="the developer’s id" />],
            [
              'Developer',
              <TextLink key="others" to="/admin/billing" search={{ user: statement.user_id }}>
                All entries
              </TextLink>,
            ],
          ]}
        />
      </section>
      <section className="mt-8">
        <h2 className="mb-3 font-semibold">Charges</h2>
        <InvoiceLines
          total={toDollars(statement.total_cents)}
          lines={lines.map(({ unit_cents, amount_cents, ...line }) => ({
            ...line,
            price: dollars(unit_cents),
            amount: toDollars(amount_cents),
          }))}
        />
      </section>
      <section className="mt-8">
        <h2 className="mb-3 font-semibold">Attempts and decisions</h2>
        <StoryLog logs={logs} />
      </section>
    </>
  );
}

function Copyable({ text, what }: { text: string; what: string }) {
  return (
    <span className="flex min-w-0 items-center justify-end gap-1">
      <code className="min-w-0 truncate font-mono text-xs" title={text}>
        {text}
      </code>
      <CopyButton compact text={text} what={what} className="-mr-2" />
    </span>
  );
}
