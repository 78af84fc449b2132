import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useTitle } from '../../lib/hooks.ts';
import { keys } from '../../lib/queries/keys.ts';
import type { AuditAction } from '../../lib/types.ts';
import { BackLink, Button } from '../../ui/button.tsx';
import { ChoiceSelect } from '../../ui/choice-select.tsx';
import { DateRangeSelect } from '../../ui/filter-bar.tsx';
import { MoreLine } from '../../ui/more-line.tsx';
import { PageHeader, Panel } from '../../ui/page.tsx';
import { Empty, Failed } from '../../ui/states.tsx';
import { DataTable } from '../../ui/table.tsx';
import { SaveButton } from '../../widgets/save-button.tsx';
import { SettingsTabs } from '../../widgets/settings-tabs.tsx';
import { AuditCard, auditColumns } from './audit-rows.tsx';
import { actionWords } from './audit-words.ts';

export interface AuditFilter {
  action: AuditAction | undefined;
  dateRange: string;
}

interface AuditLogProps {
  /** Developers come here by a tab. */
  reseller: boolean;
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

const pageSize = 50;

/** Who did what in the account, from where. */
export function AuditLog({ reseller, filter, onFilter }: AuditLogProps) {
  useTitle('Audit log');
  const query = { ...(filter.action ? { action: filter.action } : {}), dateRange: filter.dateRange };
  const list = useInfiniteQuery({
    queryKey: keys.auditLog(filter),
    queryFn: ({ pageParam, signal }) =>
      api.listAuditLog(
        { query: { ...query, limit: pageSize, ...(pageParam ? { cursor: pageParam } : {}) } },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    placeholderData: keepPreviousData,
    refetchOnMount: 'always',
  });
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const filtered = filter.action !== undefined || filter.dateRange !== 'all';
  return (
    <>
      {reseller ? (
        <BackLink to="/reseller/settings" className="mb-5">
          Settings
        </BackLink>
      ) : null}
      <PageHeader
        title="Audit log"
        actions={
          <SaveButton
            file="audit_log.csv"
            stream={() => api.stream.listAuditLog({ query }, { accept: 'text/csv' })}
            disabled={!rows?.length}
          >
            Export CSV
          </SaveButton>
        }
      >
        Sign-ins, credentials, profile changes, transfers, refunds, exports, bulk changes and deletions of the last
        year.
      </PageHeader>
      <SettingsTabs />
      <div className="mb-4 flex flex-wrap gap-2">
        <ChoiceSelect
          label="Action"
          all="All actions"
          words={actionWords}
          value={filter.action}
          onChange={(action) => onFilter({ ...filter, action })}
          className="w-full sm:w-64"
        />
        <DateRangeSelect
          withAll
          value={filter.dateRange}
          onChange={(dateRange) => onFilter({ ...filter, dateRange })}
        />
      </div>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed
            title="The audit log couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : rows?.length === 0 ? (
          filtered ? (
            <Empty
              title="Nothing matches"
              action={
                <Button onClick={() => onFilter({ action: undefined, dateRange: 'all' })}>Clear the filters</Button>
              }
            >
              Nobody did this in these days.
            </Empty>
          ) : (
            <Empty title="Nothing yet">What is done in this account from now on appears here.</Empty>
          )
        ) : (
          <>
            <DataTable
              caption="Audit log"
              columns={auditColumns}
              rows={rows}
              rowKey={(row) => row.id}
              card={(row) => <AuditCard row={row} />}
              stale={list.isPlaceholderData}
              tall
            />
            {rows ? <MoreLine list={list} shown={rows.length} what="entry" /> : null}
          </>
        )}
      </Panel>
    </>
  );
}
