import { useQuery } from '@tanstack/react-query';
import { countryName } from '#lib/format/country.ts';
import { everyResellerQuery } from '#lib/queries/counterparts.ts';
import { Select } from '#ui/forms/select.tsx';
import { FilterRow } from '#ui/lists/filter-row.tsx';
import { ProductFilter } from '#widgets/product-picker.tsx';
import { everywhereQuery } from './analytics-query.ts';
import { type AnalyticsFilter, type AnalyticsPart, unfiltered } from './view.ts';

interface FiltersProps {
  part: AnalyticsPart;
  filter: AnalyticsFilter;
  onFilter: (filter: AnalyticsFilter) => void;
}

/**
 * Filters for the figures below: a product, a reseller and a country, which combine. Stock has no country, machines no
 * reseller.
 */
export function Filters({ part, filter, onFilter }: FiltersProps) {
  const resellers = useQuery(everyResellerQuery);
  const countries = useQuery(everywhereQuery(unfiltered));
  const { reseller, country } = filter;
  const known = (resellers.data ?? []).some(({ id }) => id === reseller);
  const codes = (countries.data ?? []).flatMap((each) => each.country ?? []);
  const listed = [...new Set(country && country !== 'none' ? [...codes, country] : codes)].sort((a, b) =>
    countryName(a).localeCompare(countryName(b)),
  );
  return (
    <fieldset className="print:hidden" aria-label="Filters">
      <FilterRow
        chosen={[filter.product, part !== 'plugins' && reseller, part === 'sales' && country].filter(Boolean).length}
        onClear={() => onFilter(unfiltered)}
      >
        <ProductFilter
          product={filter.product}
          onProduct={(product) => onFilter({ ...filter, product })}
          className="w-full sm:w-60"
        />
        {part === 'plugins' ? null : (
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
        )}
        {part === 'sales' ? (
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
        ) : null}
      </FilterRow>
      {resellers.isError || countries.isError ? (
        <p role="alert" className="mb-4 text-sm text-bad">
          Some filters couldn't be loaded.
        </p>
      ) : null}
    </fieldset>
  );
}
