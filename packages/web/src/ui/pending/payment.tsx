import { Link, linkOptions } from '@tanstack/react-router';
import { CreditCard } from 'lucide-react';
import { formatMoney, toDollars } from '#lib/format/format.ts';
import type { SubscriptionStatus } from '#lib/types.ts';

interface Words {
  title: string;
  detail: string;
}

/** Describes what a developer should do something about; null when a newer server knows more than this page. */
function wordsOf({ attention, amount_due, error }: SubscriptionStatus): Words | null {
  const amount = formatMoney(toDollars(amount_due));
  if (attention === 'charge_failed')
    return { title: `${amount} could not be charged`, detail: error ?? 'Check your card.' };
  if (attention === 'confirm_payment')
    return {
      title: `Your bank asks you to confirm a payment of ${amount}`,
      detail: 'It takes a minute, in your browser.',
    };
  if (attention === 'uncollectible')
    return { title: `${amount} are still unpaid`, detail: 'We have stopped trying to charge your card.' };
  if (attention === 'card_needed') {
    return amount_due > 0
      ? { title: `${amount} could not be charged`, detail: 'There is no card on file.' }
      : { title: 'Your plan needs a card', detail: 'There is no card on file.' };
  }
  if (attention === 'card_expiring')
    return { title: 'Your card expires soon or has expired', detail: 'Enter a new one before your next invoice.' };
  return null;
}

/** The trouble with the account's payments, shown for as long as it lasts. */
export function PendingPayment({
  status,
  onFollow,
}: {
  status: SubscriptionStatus;
  onFollow: (() => void) | undefined;
}) {
  const words = wordsOf(status);
  if (!words) return null;
  return (
    <>
      <h2 className="border-t border-line px-4 pt-3.5 pb-1 text-sm font-semibold">Billing</h2>
      <div className="mx-1.5 mb-1.5 flex items-start gap-3 rounded-md px-2.5 py-2 hover:bg-hover">
        <CreditCard className="mt-[3px] size-4 shrink-0 text-bad" aria-hidden />
        <div className="min-w-0 flex-1">
          <Link
            {...(status.attention === 'confirm_payment' && status.invoice_id
              ? linkOptions({ to: '/dashboard/settings/card', search: { invoice: status.invoice_id } })
              : linkOptions({ to: '/dashboard/settings', hash: 'billing' }))}
            onClick={onFollow}
            className="figures line-clamp-2 rounded-sm font-medium focus-visible:-outline-offset-2"
          >
            {words.title}
          </Link>
          <p className="line-clamp-2 text-sm wrap-anywhere text-muted">{words.detail}</p>
        </div>
      </div>
    </>
  );
}
