import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { partnersFilter, partnersQuery } from '#lib/queries/partners.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { PageHeader } from '#ui/page.tsx';
import { CounterpartCard } from '#ui/partnerships/counterpart-card.tsx';
import { CounterpartGrid, type CounterpartListProps } from '#ui/partnerships/counterpart-grid.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { type Invitation, InviteDialog } from '#widgets/partnerships/invite-dialog.tsx';
import { SentInvites } from '#widgets/partnerships/sent-invites.tsx';

const send = ({ email, message }: Invitation) => api.inviteDeveloper({ body: { email, message } });

/** The developers that a reseller sells for, and where it asks more of them. */
export function PartnersPage({ past, search, onSearch }: CounterpartListProps) {
  useTitle('Developers Hub');
  const developers = useInfiniteQuery(partnersQuery(past, search));
  const [inviting, setInviting] = useState(false);
  const inviteButton = (
    <Button variant="primary" onClick={() => setInviting(true)}>
      Invite Developer
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Developers Hub"
        actions={past || search || developers.data?.pages[0]?.total ? inviteButton : null}
      >
        The developers whose plugins you sell.
      </PageHeader>
      <TabNav label="Developers Hub" className="mb-6">
        <TabLink to="/reseller/partners" search={{}} current={!past}>
          Current
        </TabLink>
        <TabLink to="/reseller/partners" search={{ past: true }} current={past}>
          Past
        </TabLink>
      </TabNav>
      <div className="mb-5 flex flex-wrap gap-2">
        <SearchInput
          value={search}
          onChange={onSearch}
          placeholder="Search by name..."
          label="Search developers"
          className="w-full sm:max-w-[340px] sm:min-w-60 sm:flex-1"
        />
        <SaveButton
          file="developers.csv"
          stream={() => api.stream.listPartners({ query: partnersFilter(past, search) }, { accept: 'text/csv' })}
          disabled={!developers.data?.pages[0]?.total}
          className="sm:ml-auto"
        >
          Export CSV
        </SaveButton>
      </div>
      <CounterpartGrid
        list={developers}
        what="developers"
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
          search
            ? {
                title: 'No developers found',
                text: 'No name matches this search.',
                action: <Button onClick={() => onSearch('')}>Clear the search</Button>,
              }
            : past
              ? { title: 'No past partners', text: 'Developers whose partnership with you has ended are listed here.' }
              : {
                  title: 'No developer partners found yet.',
                  text: 'Ask a developer by email to let you sell their plugins, or wait for an invitation under the bell.',
                  action: inviteButton,
                }
        }
      />
      {past ? null : <SentInvites />}
      <InviteDialog open={inviting} onOpenChange={setInviting} title="Invite Developer" send={send} />
    </>
  );
}
