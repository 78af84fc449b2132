import { CreditCard } from 'lucide-react';
import { Badge } from '#ui/badge.tsx';

export interface Card {
  brand: string;
  last4: string;
  exp_month: number;
  exp_year: number;
}

const brands: Record<string, string> = {
  amex: 'American Express',
  diners: 'Diners Club',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
};

const brandName = (brand: string) => brands[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;

/** A card can be charged until its month is over. */
function monthsLeft({ exp_month, exp_year }: Card, now = new Date()): number {
  return (exp_year - now.getUTCFullYear()) * 12 + exp_month - (now.getUTCMonth() + 1);
}

/** `Visa •••• 4242`, and until when it can be charged. */
export function PaymentCard({ card }: { card: Card }) {
  const left = monthsLeft(card);
  const until = `${String(card.exp_month).padStart(2, '0')}/${card.exp_year}`;
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
      <CreditCard className="size-5 shrink-0 text-muted" strokeWidth={1.7} aria-hidden />
      <span className="font-medium">
        {brandName(card.brand)}{' '}
        <span className="figures whitespace-nowrap">
          <span aria-hidden>•••• </span>
          <span className="sr-only">ending in </span>
          {card.last4}
        </span>
      </span>
      <span className="figures text-sm text-muted">
        {left < 0 ? 'Expired' : 'Expires'} {until}
      </span>
      {left < 0 ? (
        <Badge tone="bad" means="It can’t be charged. Enter another card.">
          Expired
        </Badge>
      ) : left < 1 ? (
        <Badge tone="warn" means="It expires at the end of this month. Enter a new card before your next invoice.">
          Expires this month
        </Badge>
      ) : null}
    </span>
  );
}
