import { ArrowUp } from 'lucide-react';
import { useRef } from 'react';
import { formatCount, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { statusWords } from '#lib/refusal-reasons.ts';
import { listedStatuses } from '#lib/refusal-statuses.ts';
import { BackLink, Button } from '#ui/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow } from '#ui/lists/filter-row.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { PageHeader, Panel } from '#ui/page.tsx';
import { Empty, Failed, FormError } from '#ui/states.tsx';
import { TryIt } from '#ui/try-it.tsx';
import { ProductFilter } from '#widgets/product-picker.tsx';
import { RefusalCard, refusalColumns } from './refusal-rows.tsx';
import { type RefusalFilter, useRefusals } from './use-refusals.ts';
import { useSlice } from './use-slice.ts';

interface RefusalsProps {
  filter: RefusalFilter;
  onFilter: (filter: RefusalFilter) => void;
}

const noFilter: RefusalFilter = { status: undefined, product: '' };

export function Refusals({ filter, onFilter }: RefusalsProps) {
  useTitle('Refusals');
  return (
    <>
      <BackLink to="/developer/tools" className="mb-5">
        Tools
      </BackLink>
      <PageHeader title="Refusals">
        Activations and redemptions refused in the last 7 days, and what to do about them. Unknown serials and wrong
        plugin keys are not listed.
      </PageHeader>
      <FilterRow chosen={(filter.status ? 1 : 0) + (filter.product ? 1 : 0)} onClear={() => onFilter(noFilter)}>
        <Select
          aria-label="Reason"
          value={filter.status ?? ''}
          onChange={(event) =>
            onFilter({ ...filter, status: listedStatuses.find((status) => status === event.target.value) })
          }
          className="w-full sm:w-52"
        >
          <option value="">All reasons</option>
          {listedStatuses.map((status) => (
            <option key={status} value={status}>
              {statusWords(status)}
            </option>
          ))}
        </Select>
        <ProductFilter
          product={filter.product}
          onProduct={(product) => onFilter({ ...filter, product })}
          className="w-full sm:w-60"
        />
      </FilterRow>
      <Log filter={filter} onFilter={onFilter} />
      <div className="mt-6">
        <TryIt line="tonerow license refusals">
          The same list in a terminal, with <code className="font-mono">--json</code> for scripts.
        </TryIt>
      </div>
    </>
  );
}

function Log({ filter, onFilter }: RefusalsProps) {
  const area = useRef<HTMLElement>(null);
  const { list, rows, marked, fresh, freshAndMore, showFresh } = useRefusals(filter, area);
  const { shown, slice } = useSlice(rows ?? [], (row) => row.id, area);
  const show = () => {
    showFresh();
    area.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  };

  if (list.isError && !rows) {
    return (
      <Panel>
        <Failed
          title="Refusals couldn't be loaded"
          error={list.error}
          retry={list.refetch}
          retrying={list.isFetching}
        />
      </Panel>
    );
  }
  return (
    <section ref={area} tabIndex={-1} aria-label="Log" className="rounded-lg outline-none">
      {/* not hidden but clipped, or the line at the top could not stay in sight */}
      <Panel className="overflow-clip">
        <div className="sticky top-14 z-10 flex min-h-12 items-center justify-between gap-x-4 border-b border-line bg-surface px-4 text-sm text-muted md:px-5">
          <span>New ones appear here as they happen.</span>
          <span aria-live="polite" className="shrink-0">
            {fresh > 0 ? (
              <Button size="sm" onClick={show} className="-mr-2">
                <ArrowUp className="-ml-1 size-4" aria-hidden />
                {formatCount(fresh)}
                {freshAndMore ? '+' : ''} new
              </Button>
            ) : marked.size > 0 ? (
              <span className="sr-only">{plural(marked.size, 'new refusal')}</span>
            ) : null}
          </span>
        </div>
        {rows?.length === 0 ? (
          <NoRows filter={filter} onFilter={onFilter} />
        ) : (
          <>
            <DataTable
              caption="Refusals"
              columns={refusalColumns}
              rows={rows && shown}
              slice={slice}
              rowKey={(row) => row.id}
              rowClass={(row) => marked.has(row.id) && 'bg-accent-soft/60'}
              card={(row) => <RefusalCard row={row} />}
              stale={list.isPlaceholderData}
              tall
            />
            {rows ? <More list={list} count={rows.length} /> : null}
          </>
        )}
      </Panel>
    </section>
  );
}

function More({ list, count }: { list: ReturnType<typeof useRefusals>['list']; count: number }) {
  return (
    <div className="figures flex min-h-14 flex-col justify-center gap-3 border-t border-line px-4 py-3 text-sm text-muted md:px-5">
      {list.isFetchNextPageError ? <FormError title="Older ones couldn't be loaded." error={list.error} /> : null}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <span aria-live="polite">
          {list.hasNextPage
            ? `The newest ${plural(count, 'entry', 'entries')}`
            : `${plural(count, 'entry', 'entries')} in the last 7 days`}
        </span>
        {list.hasNextPage ? (
          <Button size="sm" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            {list.isFetchNextPageError ? 'Retry' : 'Load more'}
          </Button>
        ) : null}
      </div>
    </div>
  );
}

function NoRows({ filter, onFilter }: RefusalsProps) {
  if (filter.status || filter.product) {
    return (
      <Empty title="Nothing found" action={<Button onClick={() => onFilter(noFilter)}>Clear the filter</Button>}>
        Nothing was refused for this reason and product in the last 7 days.
      </Empty>
    );
  }
  return (
    <Empty title="Nothing was refused in the last 7 days.">
      Refused activations and redemptions appear here with the reason and what you can do.
    </Empty>
  );
}
