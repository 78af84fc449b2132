import { formatMoney, formatUtcDay } from '#lib/format/format.ts';
import type { Invoice } from '#lib/types.ts';
import { TextLink } from '#ui/button.tsx';
import { Notice } from '#ui/states.tsx';

/** Why an invoice is not paid yet, and what can be done about it. */
export function UnpaidNotice({ invoice: { id, state, total, payment } }: { invoice: Invoice }) {
  const { attempts, next_attempt_at: next, last_error: error } = payment;
  if (state === 'uncollectible') {
    return (
      <div className="mb-5">
        <Notice>
          <strong className="font-semibold">{formatMoney(total)} could not be charged.</strong> We have stopped trying.
          Please contact whoever runs this server.
        </Notice>
      </div>
    );
  }
  if (attempts === 0 || (state !== 'open' && state !== 'failed')) return null;
  return (
    <div className="mb-5">
      <Notice tone={state === 'failed' ? 'bad' : 'warn'}>
        <strong className="font-semibold">{formatMoney(total)} could not be charged.</strong> {error}{' '}
        {state === 'open' && next
          ? `${payment.confirm ? 'Confirm the payment with your bank. Otherwise we' : 'We'} try again on ${formatUtcDay(next)} (UTC), and at once when you enter another card.`
          : payment.confirm
            ? 'Confirm the payment with your bank. We do not try this card again by ourselves.'
            : 'This card is not tried again. Enter another one, and we try at once.'}{' '}
        <span className="inline-flex flex-wrap gap-x-4">
          {payment.confirm ? (
            <TextLink to="/dashboard/settings/card" search={{ invoice: id }} reloadDocument preload={false}>
              Confirm the payment
            </TextLink>
          ) : null}
          <TextLink to="/dashboard/settings/card" reloadDocument preload={false}>
            Enter {payment.confirm ? 'another' : 'a'} card
          </TextLink>
        </span>
      </Notice>
    </div>
  );
}
