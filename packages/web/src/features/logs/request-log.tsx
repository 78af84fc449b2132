import { useTitle } from '#lib/hooks.ts';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import { useAccount } from '#lib/session/session.ts';
import { Filters } from '#ui/lists/filters.tsx';
import { PageHeader } from '#ui/page.tsx';
import { ExportLog } from '#widgets/lists/export-log.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { RequestCard, requestColumns } from './request-rows.tsx';
import { requestSearch } from './searches.ts';

const statuses = {
  '2xx': 'Succeeded (2xx)',
  '3xx': 'Redirected (3xx)',
  '4xx': 'Refused (4xx)',
  '5xx': 'Failed (5xx)',
};

const requestLog = defineLog({
  title: 'Requests',
  one: 'request',
  operation: 'listApiRequests',
  pageSize: 50,
  filters: requestSearch,
  as: { credential: 'credential_id', path: 'route' },
  search: { by: 'path', placeholder: 'Part of the path...', label: 'Path' },
  choices: [
    { by: 'status', label: 'Status', all: 'All statuses', words: statuses, className: 'w-full sm:w-48' },
    { by: 'credential', label: 'Credential', all: 'All tokens and keys', className: 'w-full sm:w-56' },
  ],
  columns: requestColumns,
  Card: RequestCard,
  csv: 'requests.csv',
  empty: {
    title: 'No requests yet',
    none: 'Requests from scripts and plugins appear here.',
    filteredTitle: 'Nothing matches',
    filtered: () => 'No request in the last 7 days matches.',
    clear: 'Clear the filters',
  },
  tall: true,
});

/** Requests that scripts and plugins made with the account's credentials, and their responses. */
export function RequestLog() {
  useTitle('Requests');
  const reseller = useAccount()?.is_reseller ?? false;
  const [filter, change] = useSearchHere<SearchOf<typeof requestSearch>>();
  const log = useLog(requestLog, [filter, (next) => change(next, { replace: true })]);
  const credentials = (log.first?.credentials ?? []).map(({ id, credential, name }) => [
    id,
    `${credential === 'plugin_key' ? 'Key' : 'Token'} ${name ?? id}`,
  ]);
  return (
    <>
      <PageHeader title="Requests" actions={<ExportLog log={log} />}>
        Made with {reseller ? 'access tokens' : 'access tokens and plugin keys'} in the last 7 days, at most 10,000. Up
        to 120 a minute are listed one by one
        {reseller ? '' : ', of plugins 10 that were answered and 10 that were refused'}; one line counts the rest of
        that minute.
      </PageHeader>
      <SettingsTabs />
      <Filters at={log} words={{ credential: Object.fromEntries(credentials) }} />
      <Log log={log} />
    </>
  );
}
