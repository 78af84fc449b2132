import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { counterpartsFilter, resellersQuery } from '#lib/queries/counterparts.ts';
import type { Reseller } from '#lib/types.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, LinkButton } from '#ui/button.tsx';
import { CounterpartCard } from '#ui/partnerships/counterpart-card.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { type CounterpartListProps, CounterpartsPage } from '#widgets/partnerships/counterparts-page.tsx';
import { ReceivedDealRequests } from '#widgets/partnerships/received-deal-requests.tsx';
import { InviteReseller } from './invite-reseller.tsx';

/** The developer's resellers, and the invitations to more of them. */
export function ResellersPage(place: CounterpartListProps) {
  const { past, search } = place;
  const resellers = useInfiniteQuery(resellersQuery(past, search));
  const [inviting, setInviting] = useState<{ claim: Reseller | null } | null>(null);
  const inviteButton = (
    <Button variant="primary" onClick={() => setInviting({ claim: null })}>
      Invite reseller
    </Button>
  );
  return (
    <>
      <CounterpartsPage
        {...place}
        title="Resellers"
        intro="The shops that sell your plugins for a commission."
        to="/dashboard/resellers"
        list={resellers}
        what="resellers"
        actions={
          <>
            <SaveButton
              file="resellers.csv"
              stream={() =>
                api.stream.listResellers({ query: counterpartsFilter(past, search) }, { accept: 'text/csv' })
              }
            >
              Export CSV
            </SaveButton>
            {inviteButton}
          </>
        }
        card={(reseller) => (
          <CounterpartCard key={reseller.id} counterpart={reseller} badge={<LowStock reseller={reseller} />}>
            {reseller.status === 'named' ? (
              <Button size="sm" onClick={() => setInviting({ claim: reseller })}>
                Invite<span className="sr-only"> {reseller.company_name}</span>
              </Button>
            ) : null}
            <LinkButton to="/dashboard/resellers/$id" params={{ id: reseller.id }} size="sm">
              Profile<span className="sr-only"> of {reseller.company_name}</span>
            </LinkButton>
          </CounterpartCard>
        )}
        empty={
          past
            ? { title: 'No past resellers', text: 'Resellers whose partnership has ended are listed here.' }
            : {
                title: 'No reseller partners found yet.',
                text: 'Invite a reseller by email. They sell your serials once they accept.',
                action: inviteButton,
              }
        }
      >
        <ReceivedDealRequests />
      </CounterpartsPage>
      <InviteReseller
        open={inviting !== null}
        onOpenChange={(open) => {
          if (!open) setInviting(null);
        }}
        claim={inviting?.claim ?? null}
      />
    </>
  );
}

function LowStock({ reseller }: { reseller: Reseller }) {
  const { low_stock_products: low } = reseller;
  return low > 0 ? (
    <Badge tone="warn" means="Fewer serials are left for them than you asked to be warned at. Generate more.">
      {low === 1 ? '1 product low' : `${low} products low`}
    </Badge>
  ) : null;
}
