import { api } from '#lib/api.ts';
import { useTitle } from '#lib/hooks.ts';
import type { AuditAction } from '#lib/types.ts';
import { ChoiceSelect } from '#ui/forms/choice-select.tsx';
import { DateRangeSelect } from '#ui/lists/filter-bar.tsx';
import { FilterRow } from '#ui/lists/filter-row.tsx';
import { GrowingPanel } from '#ui/lists/growing-panel.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { PageHeader } from '#ui/page.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { SettingsTabs } from '#widgets/settings-tabs.tsx';
import { AuditCard, auditColumns } from './audit-rows.tsx';
import { actionWords } from './audit-words.ts';
import { useLog } from './use-log.ts';

export interface AuditFilter {
  action: AuditAction | undefined;
  dateRange: string;
}

interface AuditLogProps {
  filter: AuditFilter;
  onFilter: (filter: AuditFilter) => void;
}

/** Who did what in the account, from where. */
export function AuditLog({ filter, onFilter }: AuditLogProps) {
  useTitle('Audit log');
  const query = { ...(filter.action ? { action: filter.action } : {}), dateRange: filter.dateRange };
  const log = useLog('listAuditLog', { query: { ...query, limit: 50 } });
  const filtered = filter.action !== undefined || filter.dateRange !== 'all';
  return (
    <>
      <PageHeader
        title="Audit log"
        actions={
          <SaveButton
            file="audit_log.csv"
            stream={() => api.stream.listAuditLog({ query }, { accept: 'text/csv' })}
            disabled={!log.rows?.length}
          >
            Export CSV
          </SaveButton>
        }
      >
        Sign-ins, credentials, profile changes, transfers, refunds, exports, bulk changes and deletions of the last
        year.
      </PageHeader>
      <SettingsTabs />
      <FilterRow
        chosen={(filter.action ? 1 : 0) + (filter.dateRange === 'all' ? 0 : 1)}
        onClear={() => onFilter({ action: undefined, dateRange: 'all' })}
      >
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
      </FilterRow>
      <GrowingPanel
        list={log.list}
        rows={log.rows}
        failed="The audit log couldn't be loaded"
        one="entry"
        many="entries"
        nothing={{ title: 'Nothing yet', text: 'What is done in this account from now on appears here.' }}
        filtered={
          filtered
            ? {
                title: 'Nothing matches',
                text: 'No such entry in this period.',
                clear: 'Clear the filters',
                onClear: () => onFilter({ action: undefined, dateRange: 'all' }),
              }
            : undefined
        }
      >
        {(rows) => (
          <DataTable
            caption="Audit log"
            columns={auditColumns}
            rows={rows}
            rowKey={(row) => row.id}
            card={(row) => <AuditCard row={row} />}
            stale={log.list.isPlaceholderData}
            tall
          />
        )}
      </GrowingPanel>
    </>
  );
}
