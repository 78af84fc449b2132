import { useQuery } from '@tanstack/react-query';
import { listInvoicesState } from '@tonerow/sdk/values';
import { api } from '#lib/api.ts';
import { formatMoney, plural } from '#lib/format/format.ts';
import { useTitle } from '#lib/hooks.ts';
import { absent, type SearchOf } from '#lib/navigation/search-params.ts';
import { useSearchHere } from '#lib/navigation/use-search-here.ts';
import { billingHistoryQuery } from '#lib/queries/billing.ts';
import { stateWords } from '#ui/billing/invoice-state.tsx';
import { FigureCard, FigureCards } from '#ui/figures/figure-cards.tsx';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow } from '#ui/lists/filter-row.tsx';
import { Choices } from '#ui/lists/narrowed.tsx';
import { ShowMore } from '#ui/lists/show-more.tsx';
import { defineLog, Log, useLog } from '#widgets/lists/log.tsx';
import { SaveButton } from '#widgets/lists/save-button.tsx';
import { BillingTabs } from '../billing-tabs.tsx';
import { InvoiceCard, invoiceColumns } from './invoice-rows.tsx';
import { invoiceSearch } from './invoice-search.ts';

const words = Object.fromEntries(listInvoicesState.map((state) => [state, stateWords(state)]));

const invoiceLog = defineLog({
  title: 'Invoices',
  one: 'invoice',
  operation: 'listInvoices',
  pageSize: 24,
  filters: invoiceSearch,
  choices: [{ by: 'state', label: 'State', all: 'All states', words, className: 'w-full sm:w-52' }],
  columns: invoiceColumns,
  Card: InvoiceCard,
  empty: {
    title: 'No invoices yet',
    none: 'On the first of each month (UTC) you get an invoice for the month before, if something was redeemed or your plan has a fee.',
    filteredTitle: 'No invoice matches',
    filtered: () => 'No invoice is of this year and in this state.',
    clear: 'Show all invoices',
  },
});

/** The account's own invoices: one for each month in which something was used, or the plan had a fee. */
export function InvoicesPage() {
  useTitle('Invoices');
  const [filter, onFilter] = useSearchHere<SearchOf<typeof invoiceSearch>>();
  const log = useLog(invoiceLog, [filter, onFilter]);
  const { first, list } = log;
  return (
    <>
      <BillingTabs />
      <FilterRow
        chosen={(filter.year ? 1 : 0) + (filter.state ? 1 : 0)}
        onClear={() => onFilter(absent(invoiceSearch))}
        actions={
          <SaveButton
            file={filter.year ? `invoices-${filter.year}.csv` : 'invoices.csv'}
            stream={() => api.stream.listInvoices({ query: filter }, { accept: 'text/csv' })}
            disabled={!first || first.total === 0}
          >
            Download CSV
          </SaveButton>
        }
      >
        <YearSelect year={filter.year} onYear={(year) => onFilter({ year })} />
        <Choices at={log} />
      </FilterRow>
      <Log
        log={log}
        head={
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
        }
        foot={null}
      />
      {list.hasNextPage ? (
        <p className="mt-4 flex justify-center">
          <ShowMore list={list} />
        </p>
      ) : null}
    </>
  );
}

interface YearSelectProps {
  year: number | undefined;
  onYear: (year: number | undefined) => void;
}

function YearSelect({ year, onYear }: YearSelectProps) {
  const history = useQuery(billingHistoryQuery);
  const years = new Set(history.data?.map(({ month }) => Number(month.slice(0, 4))));
  if (year) years.add(year);
  return (
    <Select
      aria-label="Year"
      className="w-full sm:w-36"
      value={year ?? ''}
      onChange={(event) => onYear(Number(event.target.value) || undefined)}
    >
      <option value="">All years</option>
      {[...years]
        .sort((a, b) => b - a)
        .map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
    </Select>
  );
}
