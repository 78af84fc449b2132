import { X } from 'lucide-react';
import { api } from '#lib/api.ts';
import { queryOf } from '#lib/lists/list-filter.ts';
import { q } from '#lib/queries/operation.ts';
import { Button, LinkButton } from '#ui/button.tsx';
import type { Filtering } from '#ui/lists/narrowed.tsx';
import { kindOf } from '#widgets/lists/choice-filters.tsx';
import { defineList } from '#widgets/lists/list.tsx';
import { type RedeemedFilter, redeemedFilters } from '../list-filters.ts';
import { BulkActions } from './bulk-actions.tsx';
import { columns, RedeemedCard } from './redeemed-rows.tsx';

export const redeemedList = defineList({
  name: 'redeemed',
  title: 'Redeemed serials',
  one: 'serial',
  counted: 'redeemed serial',
  operation: 'listRedeemedSerials',
  filters: redeemedFilters,
  order: '-redeemed_at',
  search: { placeholder: 'Search name, email, serial, product, date...', label: 'Search serials' },
  kinds: [
    kindOf.words('status', 'Status', {
      active: 'Active',
      download_limit: 'Limit reached',
      seats_taken: 'Seats full',
      revoked: 'Revoked',
    }),
    kindOf.named('product', 'Product', 'None'),
    kindOf.named('reseller', 'Reseller', 'Your own sales'),
    kindOf.named('batch', 'Batch', 'No tag'),
    kindOf.country,
  ],
  counts: (filter) => q('listRedeemedChoices', { query: queryOf(filter) }),
  More: OneCustomer,
  columns,
  Card: RedeemedCard,
  nameOf: (row) => row.code,
  Actions: BulkActions,
  csv: {
    file: 'redeemed_serials.csv',
    read: (query) => api.stream.listRedeemedSerials({ query }, { accept: 'text/csv' }),
  },
  trail: { kind: 'serials', list: 'redeemed' },
  empty: {
    title: 'No serials found',
    none: 'A serial appears here when a customer redeems it. Generate some and hand them out, or import what you sold elsewhere.',
    action: (
      <LinkButton to="/dashboard/serials/generator" variant="primary">
        Generate serials
      </LinkButton>
    ),
    filtered: () => 'No redeemed serial matches the search, the dates and the filters.',
  },
  // new redemptions have their own notice
  fresh: true,
});

/** Customers that another screen has chosen. */
function OneCustomer({ filter, onFilter }: Filtering<RedeemedFilter>) {
  return filter.customer ? (
    <Button className="text-sm!" onClick={() => onFilter({ customer: undefined })}>
      {filter.customer.includes(',') ? 'Some customers' : 'One customer'}
      <X className="-mr-1 size-3.5" aria-label="Show all customers" />
    </Button>
  ) : null;
}
