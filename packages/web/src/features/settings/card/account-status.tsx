import type { ReactNode } from 'react';
import { formatExactMoney, formatMoney, toDollars } from '#lib/format/format.ts';
import type { SubscriptionStatus } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { TextLink } from '#ui/button.tsx';
import { Notice } from '#ui/states.tsx';
import { UtcDay } from '#ui/time-ago.tsx';
import { stateOf } from './account-states.ts';

/** Advice on what a person can do about it. */
const advice: Record<NonNullable<SubscriptionStatus['attention']>, string> = {
  charge_failed: 'We try again in a few days, and at once when you enter another card.',
  confirm_payment: 'Your bank wants you to confirm the payment.',
  uncollectible: 'We have stopped trying. Please contact whoever runs this server.',
  card_needed: 'Your plan needs a card. When you enter one, whatever is due is charged at once.',
  card_expiring: 'Your card expires soon or has expired. Enter a new one before your next invoice.',
};
/** Once the retries are used up. */
const lastAdvice: typeof advice = {
  ...advice,
  charge_failed: 'This card is not tried again. Enter another one, and we try at once.',
};

/** The account's state, what was charged last, and what comes next. */
export function AccountStatus({ status }: { status: SubscriptionStatus }) {
  const { words, tone, means } = stateOf(status.status);
  const { attention } = status;
  // a newer server may know more than this page
  const next = attention && (status.status === 'failed' ? lastAdvice : advice)[attention];
  return (
    <>
      <dl className="figures -mt-px -ml-px grid grid-cols-1 sm:grid-cols-3">
        <Fact name="Account status">
          <Badge tone={tone} means={means}>
            {words}
          </Badge>
        </Fact>
        <Fact
          name="Last billed"
          note={status.last_amount_cents === null ? undefined : formatMoney(toDollars(status.last_amount_cents))}
        >
          {status.last_billed_at ? <UtcDay iso={status.last_billed_at} /> : 'Nothing yet'}
        </Fact>
        <Fact name="Next billed" note={`${formatExactMoney(toDollars(status.next_amount_cents))} so far`}>
          <UtcDay iso={status.next_billed_at} /> (UTC)
        </Fact>
      </dl>
      {next ? (
        <div className="px-5 pb-5">
          <Notice tone={tone === 'bad' ? 'bad' : 'warn'}>
            {status.amount_due > 0 ? (
              <>
                <strong className="font-semibold">
                  {formatMoney(toDollars(status.amount_due))} could not be charged.
                </strong>{' '}
                {status.error ? `${status.error} ` : ''}
              </>
            ) : null}
            {next}
            {attention === 'confirm_payment' && status.invoice_id ? (
              <>
                {' '}
                <TextLink
                  to="/dashboard/settings/card"
                  search={{ invoice: status.invoice_id }}
                  reloadDocument
                  preload={false}
                >
                  Confirm the payment
                </TextLink>
              </>
            ) : null}
          </Notice>
        </div>
      ) : null}
    </>
  );
}

function Fact({ name, note, children }: { name: string; note?: string | undefined; children: ReactNode }) {
  return (
    <div className="min-w-0 px-5 py-4">
      <dt className="text-sm text-muted">{name}</dt>
      <dd className="mt-1 font-medium">{children}</dd>
      {note ? <dd className="text-sm text-muted">{note}</dd> : null}
    </div>
  );
}
