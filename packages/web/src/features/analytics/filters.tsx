import { useQuery } from '@tanstack/react-query';
import { countryName } from '../../lib/country.ts';
import { everyResellerQuery } from '../../lib/queries/partners.ts';
import { Button } from '../../ui/button.tsx';
import { Select } from '../../ui/select.tsx';
import { ProductFilter } from '../../widgets/product-picker.tsx';
import { everywhereQuery } from './analytics-query.ts';
import { type AnalyticsFilter, isFiltered, unfiltered } from './view.ts';

interface FiltersProps {
  filter: AnalyticsFilter;
  onFilter: (filter: AnalyticsFilter) => void;
}

/** What all figures below are about: a product, a reseller and a country, which combine. */
export function Filters({ filter, onFilter }: FiltersProps) {
  const resellers = useQuery(everyResellerQuery);
  const countries = useQuery(everywhereQuery(unfiltered));
  const { reseller, country } = filter;
  const known = (resellers.data ?? []).some(({ id }) => id === reseller);
  const codes = (countries.data ?? []).flatMap((each) => each.country ?? []);
  const listed = [...new Set(country && country !== 'none' ? [...codes, country] : codes)].sort((a, b) =>
    countryName(a).localeCompare(countryName(b)),
  );
  return (
    <fieldset className="mb-6 flex flex-wrap gap-2 print:hidden" aria-label="Filters">
      <ProductFilter
        product={filter.product}
        onProduct={(product) => onFilter({ ...filter, product })}
        className="w-full sm:w-60"
      />
      <Select
        aria-label="Reseller"
        value={reseller}
        onChange={(event) => onFilter({ ...filter, reseller: event.target.value })}
        className="w-full sm:w-52"
      >
        <option value="">All sales</option>
        <option value="none">Your own sales</option>
        {reseller && reseller !== 'none' && !known ? (
          <option value={reseller}>{resellers.data ? 'Former reseller' : '…'}</option>
        ) : null}
        {(resellers.data ?? []).map(({ id, company_name }) => (
          <option key={id} value={id}>
            {company_name}
          </option>
        ))}
      </Select>
      <Select
        aria-label="Country"
        value={country}
        onChange={(event) => onFilter({ ...filter, country: event.target.value })}
        className="w-full sm:w-52"
      >
        <option value="">All countries</option>
        {listed.map((code) => (
          <option key={code} value={code}>
            {countryName(code)}
          </option>
        ))}
        <option value="none">Unknown</option>
      </Select>
      {isFiltered(filter) ? (
        <Button variant="ghost" onClick={() => onFilter(unfiltered)}>
          Clear filters
        </Button>
      ) : null}
      {resellers.isError || countries.isError ? (
        <p role="alert" className="w-full text-sm text-bad">
          Some filters couldn't be loaded.
        </p>
      ) : null}
    </fieldset>
  );
}
