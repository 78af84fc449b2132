import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTitle } from '#lib/hooks.ts';
import { type CatalogFilter, catalogDealsQuery } from '#lib/queries/catalog.ts';
import { ownDealRequestsQuery } from '#lib/queries/deals.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { PageHeader } from '#ui/page.tsx';
import { CardList } from './card-list.tsx';
import { CatalogBar } from './catalog-bar.tsx';
import { DealCard } from './deal-card.tsx';
import { OwnRequests } from './own-requests.tsx';
import { RequestDeal } from './request-deal.tsx';

interface MyDealsPageProps {
  filter: CatalogFilter;
  onFilter: (filter: CatalogFilter) => void;
}

/** The deals that developers made for a reseller, those that may still be sold first. */
export function MyDealsPage({ filter, onFilter }: MyDealsPageProps) {
  useTitle('My deals');
  const [asking, setAsking] = useState(false);
  const waiting = useInfiniteQuery(ownDealRequestsQuery).isPending;
  const current = useInfiniteQuery(catalogDealsQuery(filter, 'current')).isPending;
  return (
    <>
      <PageHeader
        title="My deals"
        actions={
          <Button variant="primary" onClick={() => setAsking(true)}>
            Request a Deal
          </Button>
        }
      >
        Deals that developers made for you.
      </PageHeader>
      <RequestDeal open={asking} onOpenChange={setAsking} />
      <OwnRequests />
      {/* below the requests, whose height is not known yet */}
      <div hidden={waiting}>
        <CatalogBar filter={filter} onFilter={onFilter} />
        <Deals
          title="Current"
          state="current"
          filter={filter}
          onFilter={onFilter}
          empty="Deals are serials at a special price that a developer made for you."
        />
        {/* and these below the current ones */}
        <div hidden={current}>
          <Deals
            title="Expired"
            state="expired"
            filter={filter}
            onFilter={onFilter}
            empty="Deals whose promo has expired are kept here."
          />
        </div>
      </div>
    </>
  );
}

interface DealsProps extends MyDealsPageProps {
  title: string;
  state: 'current' | 'expired';
  empty: string;
}

function Deals({ title, state, filter, onFilter, empty }: DealsProps) {
  const list = useInfiniteQuery(catalogDealsQuery(filter, state));
  return (
    <section className="mb-10" aria-label={`${title} deals`}>
      <h2 className="mb-1 text-md font-semibold">{title}</h2>
      <CardList
        list={list}
        what="deal"
        filter={filter}
        onFilter={onFilter}
        card={(row) => <DealCard key={row.id} deal={row} />}
        empty={empty}
        emptyTitle={`No ${state} deals`}
        action={state === 'current' ? <LinkButton to="/reseller/products">See the products</LinkButton> : null}
      />
    </section>
  );
}
