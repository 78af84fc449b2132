import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import { ChoiceSelect } from '#ui/forms/choice-select.tsx';
import { SearchInput } from '#ui/forms/search-input.tsx';
import { FilterRow, searchClass } from '#ui/lists/filter-row.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { PageHeader } from '#ui/page.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { RequestCard, requestColumns } from './request-rows.tsx';
import { useLog } from './use-log.ts';

export type StatusClass = '2xx' | '3xx' | '4xx' | '5xx';

export interface RequestFilter {
  status: StatusClass | undefined;
  credential: string | undefined;
  path: string;
}

interface RequestLogProps {
  reseller: boolean;
  filter: RequestFilter;
  onFilter: (filter: RequestFilter) => void;
}

const noFilter: RequestFilter = { status: undefined, credential: undefined, path: '' };
const statuses: Record<StatusClass, string> = {
  '2xx': 'Succeeded (2xx)',
  '3xx': 'Redirected (3xx)',
  '4xx': 'Refused (4xx)',
  '5xx': 'Failed (5xx)',
};

/** What scripts and plugins asked with the account's credentials, and how they were answered. */
export function RequestLog({ reseller, filter, onFilter }: RequestLogProps) {
  useTitle('Requests');
  const query = {
    ...(filter.status ? { status: filter.status } : {}),
    ...(filter.credential ? { credential_id: filter.credential } : {}),
    ...(filter.path ? { route: filter.path } : {}),
  };
  const log = useLog('listApiRequests', { query: { ...query, limit: 50 } });
  const credentials = Object.fromEntries(
    (log.first?.credentials ?? []).map(({ id, credential, name }) => [
      id,
      `${credential === 'plugin_key' ? 'Key' : 'Token'} ${name ?? id}`,
    ]),
  );
  const filtered = filter.status !== undefined || filter.credential !== undefined || filter.path !== '';
  return (
    <>
      <PageHeader
        title="Requests"
        actions={
          <SaveButton
            file="requests.csv"
            stream={() => api.stream.listApiRequests({ query }, { accept: 'text/csv' })}
            disabled={!log.rows?.length}
          >
            Export CSV
          </SaveButton>
        }
      >
        Made with {reseller ? 'access tokens' : 'access tokens and plugin keys'} in the last 7 days, at most 10,000. Up
        to 120 a minute are listed one by one
        {reseller ? '' : ', of plugins 10 that were answered and 10 that were refused'}; one line counts the rest of
        that minute.
      </PageHeader>
      <SettingsTabs />
      <FilterRow
        chosen={(filter.status ? 1 : 0) + (filter.credential ? 1 : 0)}
        onClear={() => onFilter({ ...noFilter, path: filter.path })}
        search={
          <SearchInput
            value={filter.path}
            onChange={(path) => onFilter({ ...filter, path })}
            placeholder="Part of the path..."
            label="Path"
            className={searchClass}
          />
        }
      >
        <ChoiceSelect
          label="Status"
          all="All statuses"
          words={statuses}
          value={filter.status}
          onChange={(status) => onFilter({ ...filter, status })}
          className="w-full sm:w-48"
        />
        <ChoiceSelect
          label="Credential"
          all="All tokens and keys"
          words={credentials}
          value={filter.credential}
          onChange={(credential) => onFilter({ ...filter, credential })}
          className="w-full sm:w-56"
        />
      </FilterRow>
      <GrowingPanel
        list={log.list}
        rows={log.rows}
        failed="Requests couldn't be loaded"
        one="request"
        nothing={{ title: 'No requests yet', text: 'Requests from scripts and plugins appear here.' }}
        filtered={
          filtered
            ? {
                title: 'Nothing matches',
                text: 'No request in the last 7 days matches.',
                clear: 'Clear the filters',
                onClear: () => onFilter(noFilter),
              }
            : undefined
        }
      >
        {(rows) => (
          <DataTable
            caption="Requests"
            columns={requestColumns}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => <RequestCard row={row} />}
            stale={log.list.isPlaceholderData}
            tall
          />
        )}
      </GrowingPanel>
    </>
  );
}
