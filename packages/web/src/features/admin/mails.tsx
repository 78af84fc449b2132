import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { api } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import { useTitle } from '../../lib/hooks.ts';
import { keys } from '../../lib/queries/keys.ts';
import { Button } from '../../ui/button.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { TabLink, TabNav } from '../../ui/tabs.tsx';
import { MailCard, mailColumns } from './mail-rows.tsx';
import { Pager, type Place } from './pager.tsx';

export type MailState = 'queued' | 'sent' | 'failed';

interface MailsProps {
  state: MailState | undefined;
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

export function Mails({ state, place, onPlace }: MailsProps) {
  useTitle('Emails');
  const list = useQuery({
    queryKey: keys.admin.mails(state, place.cursor),
    queryFn: ({ signal }) =>
      api.listMails(
        { query: { limit: pageSize, ...(state ? { state } : {}), ...(place.cursor ? { cursor: place.cursor } : {}) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const { data } = list;
  return (
    <>
      <PageHeader title="Emails" guide="running-it">
        Every email sent by Tonerow and its delivery state. Addresses are removed after 30 days.
      </PageHeader>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-2">
        <TabNav label="State">
          {filters.map((filter) => (
            <TabLink
              key={filter.words}
              to="/admin/mails"
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
          <NoMails state={state} later={place.page > 1} onPlace={onPlace} />
        ) : (
          <>
            <DataTable
              caption="Emails"
              columns={mailColumns}
              rows={data?.rows}
              rowKey={(row) => row.id}
              card={(row) => <MailCard row={row} />}
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

interface NoMailsProps {
  state: MailState | undefined;
  later: boolean;
  onPlace: (place: Place) => void;
}

function NoMails({ state, later, onPlace }: NoMailsProps) {
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
