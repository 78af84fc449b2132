import { useQuery } from '@tanstack/react-query';
import { formatCount, formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { receivedInvitesQuery } from '#lib/queries/invites.ts';
import { dashboardQuery, summaryQuery } from '#lib/queries/sales.ts';
import { useAccount } from '#lib/session/session.ts';
import type { SalesDashboard } from '#lib/types.ts';
import { LinkButton } from '#ui/button.tsx';
import { CopyButton } from '#ui/buttons/copy-button.tsx';
import { Change, previousWords } from '#ui/figures/change.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SerialGroups } from './serial-groups.tsx';

/** The earnings of a reseller, and the stock that they have left to sell. */
export function DashboardPage() {
  useTitle('Dashboard');
  const account = useAccount();
  const dashboard = useQuery(dashboardQuery);
  const { data } = dashboard;
  const lately = useQuery(summaryQuery(30)).data;
  const change = (now: number, before: number | undefined, format: (value: number) => string) => (
    <span>
      {format(now)} in 30 days
      {before === undefined || before === null ? null : (
        <>
          {' '}
          <Change now={now} before={before} format={format} period={previousWords(lately?.previous ?? null)} />
        </>
      )}
    </span>
  );
  return (
    <>
      <PageHeader title={account ? `Welcome, ${account.first_name}` : 'Welcome'}>
        {data && isNew(data) ? 'Your account is ready.' : 'Your sales so far, and what you can sell.'}
      </PageHeader>
      {dashboard.isError ? (
        <Panel>
          <Failed
            title="Your dashboard couldn't be loaded"
            error={dashboard.error}
            retry={dashboard.refetch}
            retrying={dashboard.isFetching}
          />
        </Panel>
      ) : (
        <div aria-busy={!data}>
          <Panel className="overflow-hidden">
            <FigureCards across={3}>
              <FigureCard
                name="Total Redemptions"
                value={data && formatCount(data.stats.totalRedemptions)}
                change={lately && change(lately.total_redemptions, lately.previous?.total_redemptions, formatCount)}
              >
                Of serials you were given
              </FigureCard>
              <FigureCard
                name="Commission Earned"
                value={data && formatMoney(data.stats.totalCommission)}
                change={lately && change(lately.total_commission, lately.previous?.total_commission, formatMoney)}
              >
                Net of refunds
              </FigureCard>
              <FigureCard name="Connected Products" value={data && formatCount(data.stats.connectedProducts)}>
                Of developers you work with
              </FigureCard>
              <FigureCard name="Available Serials" value={data && formatCount(data.stats.availableSerials)}>
                {data ? `In ${plural(data.serialGroups.filter((group) => group.remaining > 0).length, 'product')}` : ''}
                {data?.stats.notForSaleSerials
                  ? ` · ${formatCount(data.stats.notForSaleSerials)} more not for sale now`
                  : ''}
              </FigureCard>
              <FigureCard name="Sold, Not Redeemed" value={data && formatCount(data.stats.handedOutSerials)}>
                Handed out by your shop
              </FigureCard>
              <FigureCard name="In Files" value={data && formatCount(data.stats.serialsInFiles)}>
                Available ones that you downloaded
              </FigureCard>
            </FigureCards>
          </Panel>
          {data && isNew(data) ? (
            <Beginning />
          ) : (
            <SerialGroups groups={data?.serialGroups} total={data?.groups_total ?? 0} />
          )}
        </div>
      )}
    </>
  );
}

/** Before the first developer. */
function Beginning() {
  const account = useAccount();
  const invites = useQuery(receivedInvitesQuery(true)).data?.total ?? 0;
  return (
    <Panel className="mt-8">
      <Empty
        title={invites > 0 ? `${plural(invites, 'invitation')} for you` : 'Work with developers'}
        action={
          <>
            <LinkButton to="/reseller/partners" search={{}} {...(invites > 0 ? {} : { variant: 'primary' })}>
              Invite Developer
            </LinkButton>
            {account ? <CopyButton text={account.email} label="Copy my email" className="h-9" /> : null}
          </>
        }
      >
        {invites > 0
          ? 'Open the bell above to answer. Once you accept, the developer’s products and your commission appear here.'
          : 'Invitations arrive under the bell. Developers invite you with the email address of this account, or you ask them. Their products and your commission will appear here.'}
      </Empty>
    </Panel>
  );
}

const isNew = ({ stats, serialGroups }: SalesDashboard) =>
  stats.totalRedemptions === 0 && stats.connectedProducts === 0 && serialGroups.length === 0;
