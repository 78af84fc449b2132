import { useQuery } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { Button } from '#ui/button.tsx';
import { Pagination } from '#ui/lists/pagination.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { AdminTabs } from '../admin-tabs.tsx';
import { Differences } from './differences.tsx';
import { LogFilters } from './log-filters.tsx';
import { LogCard, logColumns } from './log-rows.tsx';
import { everyEntry, inLogs, type LogFilter, logsQuery } from './queries.ts';
import { logEntries } from './words.ts';

const PAGE = 20;

interface BillingLogsProps {
  filter: LogFilter;
  onFilter: (filter: LogFilter) => void;
  page: number;
  onPage: (page: number) => void;
}

/** What all developers were charged, and what was decided about it. */
export function BillingLogs({ filter, onFilter, page, onPage }: BillingLogsProps) {
  useTitle('Billing logs');
  const list = useQuery(logsQuery(filter, page));
  const { data } = list;
  const pages = data ? Math.max(1, Math.ceil(data.total / PAGE)) : page;
  const filtered = Object.values(filter).some((value) => value !== undefined);
  return (
    <>
      <PageHeader
        title="Billing logs"
        actions={
          <>
            <Button onClick={() => list.refetch()} busy={list.isRefetching}>
              <RotateCw className="size-4" aria-hidden />
              Refresh
            </Button>
            <SaveButton
              file="billing-log.csv"
              stream={() => api.stream.listBillingLogs({ query: inLogs(filter) }, { accept: 'text/csv' })}
              disabled={!data || data.total === 0}
            >
              Download CSV
            </SaveButton>
          </>
        }
      >
        All charges and admin decisions. Open an invoice’s number to see its history.
      </PageHeader>
      <AdminTabs />
      <Differences />
      <LogFilters filter={filter} onFilter={onFilter} />
      <Panel className="overflow-hidden">
        {list.isError ? (
          <Failed
            title="Billing logs couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : data?.logs.length === 0 ? (
          page > 1 ? (
            <Empty
              title="Nothing on this page"
              action={<Button onClick={() => onPage(1)}>Go to the first page</Button>}
            >
              There are fewer entries now.
            </Empty>
          ) : filtered ? (
            <Empty
              title="No entry matches"
              action={<Button onClick={() => onFilter(everyEntry)}>Show all entries</Button>}
            >
              No entry matches all of these filters.
            </Empty>
          ) : (
            <Empty title="No billing logs yet">
              The first charges are made when a month (UTC) has ended, if card payments are set up on this server.
            </Empty>
          )
        ) : (
          <>
            <DataTable
              caption="Billing logs"
              columns={logColumns}
              rows={data?.logs}
              rowKey={(row) => row.id}
              card={(row) => <LogCard row={row} />}
              stale={list.isPlaceholderData}
            />
            <Pagination
              page={page}
              pages={pages}
              summary={data ? logEntries(data.total) : ''}
              onPage={onPage}
              back="Prev"
            />
          </>
        )}
      </Panel>
    </>
  );
}
