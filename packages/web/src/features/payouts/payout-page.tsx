import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount, formatMoney, formatUtcMonth } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { ofAddress } from '#lib/navigation/of-address.tsx';
import { type PayoutSide, payoutQuery } from '#lib/queries/payouts.ts';
import { useAccount } from '#lib/session/session.ts';
import type { PayoutDetail } from '#lib/types.ts';
import { BackLink } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { cn } from '#ui/cn.ts';
import { OneThing } from '#ui/details/detail-frame.tsx';
import { Facts } from '#ui/details/facts.tsx';
import { TotalsPanel } from '#ui/figures/totals-panel.tsx';
import { Notice } from '#ui/states.tsx';
import { TimeAgo } from '#ui/time-ago.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { PayoutMessages } from './payout-messages.tsx';
import { PayoutPayments } from './payout-payments.tsx';
import { PayoutStatusBadge } from './payout-status.tsx';
import { PayoutTransactions } from './payout-transactions.tsx';

/** One statement, as either side sees it. It is also what is printed. */
function PayoutPage({ id }: { id: string }) {
  const side = useAccount()?.is_reseller ? 'reseller' : 'developer';
  const query = useInfiniteQuery(payoutQuery(side, id));
  const payout = query.data?.pages[0];
  useTitle(payout ? `Statement ${payout.number}` : 'Payout');
  return (
    <>
      <span className="print:hidden">
        {side === 'reseller' ? (
          <BackLink to="/reseller/transactions" search={{ tab: 'payouts' }} className="mb-5">
            Payouts
          </BackLink>
        ) : (
          <BackLink to="/dashboard/payouts" search={{}} className="mb-5">
            Payouts
          </BackLink>
        )}
      </span>
      <OneThing query={query} found={payout} what="payout" boxes={['h-28', 'h-72']}>
        {(payout) => (
          <>
            {payout.difference ? (
              <div className="mb-5">
                <Notice>
                  The nightly audit counted this statement differently from the ledger ({payout.difference}). Nothing
                  was changed. Please don’t pay it before whoever runs this server has looked into it.
                </Notice>
              </div>
            ) : null}
            <Statement side={side} payout={payout} />
            <PayoutTransactions
              transactions={(query.data?.pages ?? []).flatMap((page) => page.transactions)}
              list={query}
            />
            <PayoutPayments side={side} payout={payout} />
            <PayoutMessages payout={payout} />
            <Seal payout={payout} />
          </>
        )}
      </OneThing>
    </>
  );
}

export const PayoutScreen = ofAddress(PayoutPage);

function Statement({ side, payout }: { side: PayoutSide; payout: PayoutDetail }) {
  const reads = side === 'reseller';
  const totals: [string, string][] = [
    ['Total redemptions', formatCount(payout.total_redemptions)],
    ['Average price', formatMoney(payout.avg_price)],
    ['Commission rate', `${payout.commission_rate}%`],
    [reads ? 'You owe' : 'Due to you', formatMoney(payout.outstanding)],
  ];
  const { developer, reseller } = payout.parties;
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-[-0.025em]">
            Statement <span className="whitespace-nowrap">{payout.number}</span>
          </h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
            <span>
              {formatUtcMonth(payout.period_start)} (UTC) · {reads ? developer.name : reseller.name}
            </span>
            <PayoutStatusBadge payout={payout} />
          </p>
        </div>
        <PayoutActions side={side} payout={payout} />
      </header>
      <TotalsPanel totals={totals} />
      <Reckoning reads={reads} payout={payout} />
      <section className="mt-8">
        <h2 className="mb-1 font-semibold">Details</h2>
        <Facts
          facts={[
            ['Developer', developer.name],
            ['Reseller', reseller.name],
            ['Developer’s address', developer.address],
            ['Reseller’s address', reseller.address],
            ['Developer’s tax id', developer.tax_id],
            ['Reseller’s tax id', reseller.tax_id],
            ['Rates of the month', ratesOf(payout)],
            ['Month closed', <TimeAgo key="closed" iso={payout.closed_at} />],
            ['Confirmed', payout.confirmed_at ? <TimeAgo key="confirmed" iso={payout.confirmed_at} /> : null],
            ['Paid in full', payout.paid_at ? <TimeAgo key="paid" iso={payout.paid_at} /> : null],
          ]}
        />
        <p className="mt-3 text-sm text-muted">
          Sales count when the serial is redeemed. Months are UTC. These figures never change: a later refund is part of
          the month in which it is made.
        </p>
      </section>
    </>
  );
}

/** From what was sold to what is left to pay, each figure once: what changes nothing is left out. */
function Reckoning({ reads, payout }: { reads: boolean; payout: PayoutDetail }) {
  const adjusted = payout.adjustment_revenue - payout.adjustment_commission;
  const changed = payout.adjustments > 0 || payout.brought_forward !== 0;
  const settled = payout.paid !== 0 || payout.carried !== 0;
  const lines: [label: string, amount: number, sum?: true][] = [
    ['Total revenue', payout.total_revenue],
    [reads ? 'You earned' : 'Reseller earned', -payout.reseller_earned],
    ['Developer owed', payout.developer_owed, true],
    ...(payout.adjustments > 0 ? [['Refunds and adjustments', adjusted] as [string, number]] : []),
    ...(payout.brought_forward === 0 ? [] : [['Brought forward', payout.brought_forward] as [string, number]]),
    ...(changed ? [['Due', payout.due, true] as [string, number, true]] : []),
    ...(payout.paid === 0 ? [] : [['Paid', -payout.paid] as [string, number]]),
    ...(payout.carried === 0 ? [] : [['Carried to a later statement', payout.carried] as [string, number]]),
    ...(settled ? [['Outstanding', payout.outstanding, true] as [string, number, true]] : []),
  ];
  return (
    <section className="mt-8 max-w-lg">
      <h2 className="mb-1 font-semibold">How it adds up</h2>
      <dl className="figures">
        {lines.map(([label, amount, sum]) => (
          <div
            key={label}
            className={cn(
              'flex min-h-10 items-center justify-between gap-4 border-b border-line py-1.5 text-sm',
              sum && 'border-line-strong font-semibold',
            )}
          >
            <dt className={cn(!sum && 'text-muted')}>{label}</dt>
            <dd className="whitespace-nowrap">{formatMoney(amount)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

/** Where the rate changed within the month. */
function ratesOf({ rates }: PayoutDetail): string | null {
  if (rates.length < 2) return null;
  return rates.map((rate) => `${rate.commission_rate}% on ${formatMoney(rate.revenue)}`).join(', ');
}

function Seal({ payout }: { payout: PayoutDetail }) {
  return (
    <section className="mt-8">
      <h2 className="mb-1 font-semibold">Seal</h2>
      <p className="max-w-2xl text-sm text-muted">
        This digest covers every figure and row, and the statement before.{' '}
        <code className="font-mono text-xs">tonerow payouts verify</code> recounts it from the CSV without this server.
        Only a digest that the other side holds too proves what was agreed, so compare it with theirs.
      </p>
      <p className="mt-2 flex items-center gap-1">
        <code className="font-mono text-xs break-all">{payout.digest}</code>
        <CopyButton compact text={payout.digest} what="the digest" />
      </p>
    </section>
  );
}
