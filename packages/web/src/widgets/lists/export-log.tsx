import { api } from '#lib/api.ts';
import type { AnyFilter } from '#lib/lists/list-filter.ts';
import type { PagedId } from '#lib/queries/operation.ts';
import type { LogAt } from './log.tsx';
import { SaveButton } from './save-button.tsx';

interface ExportLogProps<Id extends PagedId, Filter extends AnyFilter> {
  log: LogAt<Id, Filter>;
  className?: string;
}

type Stream = (input: object, options: { accept: 'text/csv' }) => Promise<Response>;

/** Saves everything that matches the filter. */
export function ExportLog<Id extends PagedId, Filter extends AnyFilter>(props: ExportLogProps<Id, Filter>) {
  const { log, className = '' } = props;
  const { of, query, rows } = log;
  const stream = api.stream as unknown as Record<string, Stream>;
  return (
    <SaveButton
      file={of.csv ?? ''}
      stream={() => stream[of.operation]?.({ query }, { accept: 'text/csv' }) ?? Promise.reject(new Error('no file'))}
      disabled={!rows?.length}
      className={className}
    >
      Export CSV
    </SaveButton>
  );
}
