import { useQuery } from '@tanstack/react-query';
import { isStatus } from '#lib/errors.ts';
import { useTitle } from '#lib/hooks.ts';
import { resellerQuery } from '#lib/queries/counterparts.ts';
import { BackLink, LinkButton, TextLink } from '#ui/button.tsx';
import { Panel } from '#ui/page.tsx';
import { CounterpartProfile, ProfileSkeleton } from '#ui/partnerships/counterpart-profile.tsx';
import { Empty, Failed, Notice } from '#ui/states.tsx';
import { ResellerStock } from '#widgets/partnerships/reseller-stock.tsx';
import { StockDownloads } from '#widgets/sales/stock-downloads.tsx';
import { Circulation } from './circulation.tsx';
import { ResellerActions } from './reseller-actions.tsx';
import { StockThreshold } from './stock-threshold.tsx';

/** One reseller, as the developer sees it. */
export function ResellerPage({ id }: { id: string }) {
  const reseller = useQuery(resellerQuery(id));
  useTitle(reseller.data?.company_name ?? 'Reseller');
  return (
    <>
      <BackLink to="/dashboard/resellers" search={{}} className="mb-5">
        Resellers
      </BackLink>
      {reseller.data ? (
        <CounterpartProfile
          counterpart={reseller.data}
          side="developer"
          actions={<ResellerActions reseller={reseller.data} />}
        >
          <ResellerStock id={id} side="developer" />
          {reseller.data.merged_into ? (
            <div className="mt-6">
              <Notice tone="plain">
                This reseller has become part of another one, which has its serials now.{' '}
                <TextLink to="/dashboard/resellers/$id" params={{ id: reseller.data.merged_into }}>
                  See that reseller
                </TextLink>
              </Notice>
            </div>
          ) : reseller.data.status === 'ended' ? (
            <div className="mt-6">
              <Notice tone="plain">
                This partnership has ended. Serials that are still out can be redeemed and earn{' '}
                {reseller.data.commission_rate}%.
              </Notice>
            </div>
          ) : (
            <StockThreshold reseller={reseller.data} />
          )}
          <Circulation id={id} />
          <StockDownloads of={{ reseller_id: id }} />
        </CounterpartProfile>
      ) : isStatus(reseller.error, 404) || isStatus(reseller.error, 400) ? (
        <Panel>
          <Empty
            heading="h1"
            title="Reseller not found"
            action={
              <LinkButton to="/dashboard/resellers" search={{}}>
                See your resellers
              </LinkButton>
            }
          >
            The link may be incomplete.
          </Empty>
        </Panel>
      ) : reseller.isError ? (
        <Panel>
          <Failed
            heading="h1"
            title="This reseller couldn't be loaded"
            error={reseller.error}
            retry={reseller.refetch}
            retrying={reseller.isFetching}
          />
        </Panel>
      ) : (
        <ProfileSkeleton />
      )}
    </>
  );
}
