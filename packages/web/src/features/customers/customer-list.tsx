import { api } from '#lib/api.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { LinkButton } from '#ui/button.tsx';
import { Select } from '#ui/forms/select.tsx';
import type { Filtering } from '#ui/lists/narrowed.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { BulkActions } from './bulk-actions.tsx';
import { CustomerCard, columns } from './customer-rows.tsx';
import { type CustomerFilter, customerFilters } from './list-filters.ts';

export const customerList = defineList({
  name: 'customers',
  title: 'Customers',
  one: 'customer',
  operation: 'listCustomers',
  filters: customerFilters,
  order: '-signup_date',
  search: { placeholder: 'Search name or email...', label: 'Search customers' },
  kinds: [
    kindOf.words('status', 'Status', {
      active: 'With a working serial',
      revoked: 'All serials revoked',
      none: 'No serials',
    }),
    kindOf.named('product', 'Product', 'None'),
    kindOf.named('reseller', 'Reseller', 'Your own sales'),
    kindOf.country,
  ],
  counts: (filter) => q('listCustomerChoices', { query: queryOf(filter) }),
  More: RedeemedIn,
  columns,
  Card: CustomerCard,
  nameOf: (row) => row.email,
  Actions: BulkActions,
  csv: { file: 'customers.csv', read: (query) => api.stream.exportCustomers({ query }, { accept: 'text/csv' }) },
  trail: { kind: 'customers', list: 'customers' },
  empty: {
    title: 'No customers found.',
    none: 'Customers appear here when they redeem a serial. Hand some out, or import your existing customers from a CSV file.',
    action: (
      <LinkButton to="/dashboard/serials/generator" variant="primary">
        Generate serials
      </LinkButton>
    ),
    filtered({ search, dateRange, ...chosen }) {
      if (Object.keys(queryOf(chosen)).length > 0) return 'No customer matches the search, the dates and the filters.';
      return search
        ? `No customer’s name or email address contains “${search}”${dateRange === 'all' ? '' : ' among those who signed up on these days'}. Try a shorter search.`
        : 'Nobody signed up on these days. Try a longer period.';
    },
  },
});

/** When a serial was redeemed. */
function RedeemedIn({ filter: { redeemed }, onFilter }: Filtering<CustomerFilter>) {
  return (
    <Select
      aria-label="Redeemed"
      value={redeemed}
      onChange={(event) => onFilter({ redeemed: event.target.value })}
      className="w-46"
    >
      <option value="all">Redeemed any time</option>
      <option value="1w">Redeemed this week</option>
      <option value="2w">Redeemed in 2 weeks</option>
      <option value="1m">Redeemed in 1 month</option>
      {redeemed.includes('_to_') ? <option value={redeemed}>{redeemed.replace('_to_', ' – ')}</option> : null}
    </Select>
  );
}
