import { useTitle } from '#lib/hooks.ts';
import type { SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import { Days } from '#ui/lists/days.tsx';
import { Filters } from '#ui/lists/filters.tsx';
import { PageHeader } from '#ui/page.tsx';
import { ExportLog } from '#widgets/lists/export-log.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { AuditCard, auditColumns } from './audit-rows.tsx';
import { actionWords } from './audit-words.ts';
import { auditSearch } from './searches.ts';

const auditLog = defineLog({
  title: 'The audit log',
  caption: 'Audit log',
  one: 'entry',
  many: 'entries',
  operation: 'listAuditLog',
  pageSize: 50,
  filters: auditSearch,
  choices: [{ by: 'action', label: 'Action', all: 'All actions', words: actionWords, className: 'w-full sm:w-64' }],
  More: Days,
  columns: auditColumns,
  Card: AuditCard,
  csv: 'audit_log.csv',
  empty: {
    title: 'Nothing yet',
    none: 'What is done in this account from now on appears here.',
    filteredTitle: 'Nothing matches',
    filtered: () => 'No such entry in this period.',
    clear: 'Clear the filters',
  },
  tall: true,
});

/** Shows who did what in the account, and from where. */
export function AuditLog() {
  useTitle('Audit log');
  const log = useLog(auditLog, useSearchHere<SearchOf<typeof auditSearch>>());
  return (
    <>
      <PageHeader title="Audit log" actions={<ExportLog log={log} />}>
        Sign-ins, credentials, profile changes, transfers, refunds, exports, bulk changes and deletions of the last
        year.
      </PageHeader>
      <SettingsTabs />
      <Filters at={log} />
      <Log log={log} />
    </>
  );
}
