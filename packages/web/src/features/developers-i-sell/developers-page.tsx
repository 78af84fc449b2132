import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { counterpartsFilter, developersQuery } from '#lib/queries/counterparts.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { CounterpartCard } from '#ui/partnerships/counterpart-card.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { type CounterpartListProps, CounterpartsPage } from '#widgets/partnerships/counterparts-page.tsx';
import { type Invitation, InviteDialog } from '#widgets/partnerships/invite-dialog.tsx';

const send = ({ email, message }: Invitation) => api.inviteDeveloper({ body: { email, message } });

/** The developers that a reseller sells for, and where it asks more of them. */
export function DevelopersPage(place: CounterpartListProps) {
  const { past, search } = place;
  const developers = useInfiniteQuery(developersQuery(past, search));
  const [inviting, setInviting] = useState(false);
  const inviteButton = (
    <Button variant="primary" onClick={() => setInviting(true)}>
      Invite Developer
    </Button>
  );
  return (
    <>
      <CounterpartsPage
        {...place}
        title="Developers Hub"
        intro="The developers whose plugins you sell."
        to="/reseller/partners"
        list={developers}
        what="developers"
        actions={inviteButton}
        beside={
          <SaveButton
            file="developers.csv"
            stream={() => api.stream.listPartners({ query: counterpartsFilter(past, search) }, { accept: 'text/csv' })}
            disabled={!developers.data?.pages[0]?.total}
            className="sm:ml-auto"
          >
            Export CSV
          </SaveButton>
        }
        card={(developer) => (
          <CounterpartCard key={developer.partnership_id} counterpart={developer}>
            {developer.status === 'ended' ? (
              <LinkButton
                to="/reseller/transactions"
                search={{ tab: 'transactions', search: developer.company_name }}
                size="sm"
              >
                Transactions<span className="sr-only"> with {developer.company_name}</span>
              </LinkButton>
            ) : (
              <LinkButton to="/reseller/developers/$id" params={{ id: developer.id }} size="sm">
                Profile<span className="sr-only"> of {developer.company_name}</span>
              </LinkButton>
            )}
          </CounterpartCard>
        )}
        empty={
          past
            ? { title: 'No past developers', text: 'Developers whose partnership with you has ended are listed here.' }
            : {
                title: 'No developer partners found yet.',
                text: 'Ask a developer by email to let you sell their plugins, or wait for an invitation under the bell.',
                action: inviteButton,
              }
        }
      />
      <InviteDialog open={inviting} onOpenChange={setInviting} title="Invite Developer" send={send} />
    </>
  );
}
