import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { listEmailsState } from '@tonerow/sdk/values';
import { RotateCw } from 'lucide-react';
import { plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { q } from '#lib/queries/operation.ts';
import { Button } from '#ui/button.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { TabLink, TabNav } from '#ui/tabs.tsx';
import { AdminTabs } from './admin-tabs.tsx';
import { EmailCard, emailColumns } from './email-rows.tsx';
import { Pager, type Place } from './pager.tsx';

export type EmailState = (typeof listEmailsState)[number];

interface EmailsProps {
  state: EmailState | undefined;
  place: Place;
  onPlace: (place: Place) => void;
}

const pageSize = 50;
const filters = [
  { words: 'All', state: undefined },
  { words: 'Queued', state: 'queued' },
  { words: 'Sent', state: 'sent' },
  { words: 'Failed', state: 'failed' },
] as const;

export function Emails({ state, place, onPlace }: EmailsProps) {
  useTitle('Emails');
  const list = useQuery({
    ...q('listEmails', {
      query: { limit: pageSize, ...(state ? { state } : {}), ...(place.cursor ? { cursor: place.cursor } : {}) },
    }),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const { data } = list;
  return (
    <>
      <PageHeader title="Emails" guide="running-it">
        Every email sent by Tonerow and its delivery state. Addresses are removed after 30 days.
      </PageHeader>
      <AdminTabs />
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <TabNav label="State">
          {filters.map((filter) => (
            <TabLink
              key={filter.words}
              to="/admin/emails"
              search={filter.state ? { state: filter.state } : {}}
              current={state === filter.state}
            >
              {filter.words}
            </TabLink>
          ))}
        </TabNav>
        <Button size="sm" onClick={() => list.refetch()} busy={list.isRefetching}>
          <RotateCw className="size-3.5" aria-hidden />
          Refresh
        </Button>
      </div>
      <Panel className="overflow-hidden">
        {list.isError ? (
          <Failed
            title="Emails couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : data?.rows.length === 0 ? (
          <NoEmails state={state} later={place.page > 1} onPlace={onPlace} />
        ) : (
          <>
            <DataTable
              caption="Emails"
              columns={emailColumns}
              rows={data?.rows}
              rowKey={(row) => row.id}
              card={(row) => <EmailCard row={row} />}
              stale={list.isPlaceholderData}
              tall
            />
            {data ? (
              <Pager
                place={place}
                next={data.next_cursor}
                summary={`${plural(data.rows.length, 'email')} on this page`}
                onPlace={onPlace}
              />
            ) : null}
          </>
        )}
      </Panel>
    </>
  );
}

interface NoEmailsProps {
  state: EmailState | undefined;
  later: boolean;
  onPlace: (place: Place) => void;
}

function NoEmails({ state, later, onPlace }: NoEmailsProps) {
  if (later) {
    const first = <Button onClick={() => onPlace({ page: 1, cursor: undefined })}>Go to the first page</Button>;
    return (
      <Empty title="Nothing on this page" action={first}>
        There are fewer emails now.
      </Empty>
    );
  }
  if (state === 'failed') {
    return <Empty title="No failed emails">Every email so far was accepted by its mail server or is on its way.</Empty>;
  }
  if (state) {
    return <Empty title={`No ${state} emails`}>No email is in this state. See the other tabs for the rest.</Empty>;
  }
  return (
    <Empty title="No emails yet">
      Emails appear here as soon as somebody registers or redeems, or is sent an announcement.
    </Empty>
  );
}
