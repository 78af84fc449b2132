import { useInfiniteQuery } from '@tanstack/react-query';
import { formatCount, formatMoney, formatUtcMonth } from '../../lib/format.ts';
import { useTitle } from '../../lib/hooks.ts';
import { type PayoutSide, payoutQuery } from '../../lib/queries/payouts.ts';
import type { PayoutDetail } from '../../lib/types.ts';
import { BackLink } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Facts } from '../../ui/facts.tsx';
import { OneThing } from '../../ui/one-thing.tsx';
import { Panel } from '../../ui/page.tsx';
import { Notice } from '../../ui/states.tsx';
import { TimeAgo } from '../../ui/time-ago.tsx';
import { PayoutActions } from './payout-actions.tsx';
import { PayoutMessages } from './payout-messages.tsx';
import { PayoutPayments } from './payout-payments.tsx';
import { PayoutStatusBadge } from './payout-status.tsx';
import { PayoutTransactions } from './payout-transactions.tsx';

/** One statement, as either side sees it. It is also what is printed. */
export function PayoutPage({ side, id }: { side: PayoutSide; id: string }) {
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
              more={query.hasNextPage}
              onMore={() => query.fetchNextPage()}
              loading={query.isFetchingNextPage}
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

function Statement({ side, payout }: { side: PayoutSide; payout: PayoutDetail }) {
  const reads = side === 'reseller';
  const totals = [
    ['Total redemptions', formatCount(payout.total_redemptions)],
    ['Total revenue', formatMoney(payout.total_revenue)],
    [reads ? 'You earned' : 'Reseller earned', formatMoney(payout.reseller_earned)],
    [reads ? 'You owe' : 'Due to you', formatMoney(payout.outstanding)],
  ];
  const { developer, reseller } = payout.parties;
  const adjusted = payout.adjustment_revenue - payout.adjustment_commission;
  return (
    <>
      <header className="mb-6 flex flex-wrap items-center justify-between gap-x-6 gap-y-4">
        <div className="min-w-0">
          <h1 className="text-xl font-semibold tracking-[-0.025em]">Statement {payout.number}</h1>
          <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted">
            <span>
              {formatUtcMonth(payout.period_start)} (UTC) · {reads ? developer.name : reseller.name}
            </span>
            <PayoutStatusBadge payout={payout} />
          </p>
        </div>
        <PayoutActions side={side} payout={payout} />
      </header>
      <Panel className="p-5 sm:p-6">
        <dl className="figures grid grid-cols-2 gap-x-6 gap-y-5 lg:grid-cols-4">
          {totals.map(([label, value]) => (
            <div key={label} className="min-w-0">
              <dt className="text-sm text-muted">{label}</dt>
              <dd className="mt-1 truncate text-lg font-semibold tracking-[-0.02em]">{value}</dd>
            </div>
          ))}
        </dl>
      </Panel>
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
            ['Average price', formatMoney(payout.avg_price)],
            ['Commission rate', rateOf(payout)],
            ['Developer owed', formatMoney(payout.developer_owed)],
            ['Refunds and adjustments', payout.adjustments > 0 ? formatMoney(adjusted) : null],
            ['Brought forward', payout.brought_forward === 0 ? null : formatMoney(payout.brought_forward)],
            ['Due', formatMoney(payout.due)],
            ['Paid', formatMoney(payout.paid)],
            ['Carried to a later statement', payout.carried === 0 ? null : formatMoney(payout.carried)],
            ['Outstanding', formatMoney(payout.outstanding)],
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

function rateOf({ commission_rate, rates }: PayoutDetail): string {
  if (rates.length < 2) return `${commission_rate}%`;
  return `${commission_rate}% (${rates.map((rate) => `${rate.commission_rate}% on ${formatMoney(rate.revenue)}`).join(', ')})`;
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
