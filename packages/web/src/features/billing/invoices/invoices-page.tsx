import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { listInvoicesState } from '@tonerow/sdk/values';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { oneOf } from '#lib/navigation/search-params.ts';
import { billingHistoryQuery, type InvoiceFilter, invoicesQuery } from '#lib/queries/billing.ts';
import { stateWords } from '#ui/billing/invoice-state.tsx';
import { Button } from '#ui/button.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow } from '#ui/lists/filter-row.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { DataTable } from '#ui/lists/table.tsx';
import { Panel } from '#ui/page.tsx';
import { Empty, Failed } from '#ui/states.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { InvoiceCard, invoiceColumns } from './invoice-rows.tsx';

const everyInvoice: InvoiceFilter = { state: undefined, year: undefined };

interface InvoicesPageProps {
  filter: InvoiceFilter;
  onFilter: (filter: InvoiceFilter) => void;
}

/** The account's own invoices: one for each month in which something was used, or the plan had a fee. */
export function InvoicesPage({ filter, onFilter }: InvoicesPageProps) {
  useTitle('Invoices');
  const list = useInfiniteQuery(invoicesQuery(filter));
  const rows = list.data?.pages.flatMap((page) => page.rows);
  const first = list.data?.pages[0];
  const filtered = filter.state !== undefined || filter.year !== undefined;
  return (
    <>
      <FilterRow
        chosen={(filter.year ? 1 : 0) + (filter.state ? 1 : 0)}
        onClear={() => onFilter(everyInvoice)}
        actions={
          <SaveButton
            file={filter.year ? `invoices-${filter.year}.csv` : 'invoices.csv'}
            stream={() => api.stream.listInvoices({ query: { ...filter } }, { accept: 'text/csv' })}
            disabled={!first || first.total === 0}
          >
            Download CSV
          </SaveButton>
        }
      >
        <Filters filter={filter} onFilter={onFilter} />
      </FilterRow>
      <Panel className="overflow-hidden">
        {list.isError && !rows ? (
          <Failed
            title="Invoices couldn't be loaded"
            error={list.error}
            retry={list.refetch}
            retrying={list.isFetching}
          />
        ) : rows?.length === 0 ? (
          <NoInvoices filtered={filtered} onClear={() => onFilter(everyInvoice)} />
        ) : (
          <>
            <FigureCards across={3}>
              <FigureCard name="Invoiced" value={first && formatMoney(first.totals.total)}>
                {first && plural(first.total, 'invoice')}
              </FigureCard>
              <FigureCard name="Paid" value={first && formatMoney(first.totals.paid)}>
                By card or balance
              </FigureCard>
              <FigureCard name="Outstanding" value={first && formatMoney(first.totals.outstanding)}>
                Still to be charged
              </FigureCard>
            </FigureCards>
            <DataTable
              caption="Invoices"
              rows={rows}
              rowKey={(row) => row.id}
              stale={list.isPlaceholderData}
              columns={invoiceColumns}
              card={(row) => <InvoiceCard invoice={row} />}
              className="border-t border-line"
            />
          </>
        )}
      </Panel>
      {rows?.length && list.hasNextPage ? (
        <p className="mt-4 flex justify-center">
          <ShowMore list={list} />
        </p>
      ) : null}
    </>
  );
}

function Filters({ filter, onFilter }: InvoicesPageProps) {
  const history = useQuery(billingHistoryQuery);
  const years = new Set(history.data?.map(({ month }) => Number(month.slice(0, 4))));
  if (filter.year) years.add(filter.year);
  return (
    <>
      <Select
        aria-label="Year"
        className="w-full sm:w-36"
        value={filter.year ?? ''}
        onChange={(event) => onFilter({ ...filter, year: Number(event.target.value) || undefined })}
      >
        <option value="">All years</option>
        {[...years]
          .sort((a, b) => b - a)
          .map((year) => (
            <option key={year} value={year}>
              {year}
            </option>
          ))}
      </Select>
      <Select
        aria-label="State"
        className="w-full sm:w-52"
        value={filter.state ?? ''}
        onChange={({ target: { value } }) => onFilter({ ...filter, state: oneOf(listInvoicesState)(value) })}
      >
        <option value="">All states</option>
        {listInvoicesState.map((state) => (
          <option key={state} value={state}>
            {stateWords(state)}
          </option>
        ))}
      </Select>
    </>
  );
}

function NoInvoices({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <Empty title="No invoice matches" action={<Button onClick={onClear}>Show all invoices</Button>}>
      No invoice is of this year and in this state.
    </Empty>
  ) : (
    <Empty title="No invoices yet">
      On the first of each month (UTC) you get an invoice for the month before, if something was redeemed or your plan
      has a fee.
    </Empty>
  );
}
