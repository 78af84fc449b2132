import { q } from '#lib/queries/operation.ts';
import { type TransactionFilter, transactionFilterOf } from '#lib/queries/sales.ts';
import { ChoiceFilters, kindOf } from '#widgets/lists/choice-filters.tsx';
import { adjustmentNames } from './transaction-rows.tsx';

export const transactionKinds = [
  kindOf.named('product', 'Product', 'None'),
  kindOf.named('developer', 'Developer', 'None'),
  kindOf.words('kind', 'Kind', { redemption: 'Redemption', ...adjustmentNames }),
] as const;

interface TransactionFiltersProps {
  filter: TransactionFilter;
  onChosen: (chosen: Pick<TransactionFilter, 'product' | 'developer' | 'kind'>) => void;
}

/** Filters that combine, with the number of transactions that each choice leaves. */
export function TransactionFilters({ filter, onChosen }: TransactionFiltersProps) {
  return (
    <ChoiceFilters
      kinds={transactionKinds}
      value={filter}
      onChange={({ product, developer, kind }) => onChosen({ product, developer, kind })}
      counts={q('listTransactionChoices', { query: transactionFilterOf(filter) })}
    />
  );
}
