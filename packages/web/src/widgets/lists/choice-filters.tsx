import { type QueryFunction, type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { countryName } from '#lib/format/country.ts';
import { type Choice, ChoiceFilter } from '#ui/lists/choice-filter.tsx';

/** A value of a filter, with how many rows it leaves. */
interface FoundChoice {
  value: string;
  label: string | null;
  count: number;
  exact: boolean;
}

/** What one filter is called, and its values. */
export interface ChoiceKind<Kind extends string> {
  kind: Kind;
  label: string;
  nameOf: (found: FoundChoice) => string;
}

/** The query of the counts, under the filter of now. */
export interface CountsQuery {
  queryKey: QueryKey;
  queryFn?: (context: never) => unknown;
}

/** Filters that several lists have. @param none the words for rows without one */
export const kindOf = {
  named: <Kind extends string>(kind: Kind, label: string, none: string): ChoiceKind<Kind> => ({
    kind,
    label,
    nameOf: (found) => found.label ?? none,
  }),
  country: {
    kind: 'country' as const,
    label: 'Country',
    nameOf: ({ value }: FoundChoice) => countryName(value),
  },
  words: <Kind extends string>(kind: Kind, label: string, words: Record<string, string>): ChoiceKind<Kind> => ({
    kind,
    label,
    nameOf: ({ value }) => words[value] ?? value,
  }),
};

interface ChoiceFiltersProps<Kind extends string> {
  kinds: readonly ChoiceKind<Kind>[];
  value: Partial<Record<Kind, string | undefined>>;
  onChange: (value: Partial<Record<Kind, string | undefined>>) => void;
  counts: CountsQuery;
}

/** How many of these filters are set. */
export const chosenIn = (kinds: readonly { kind: string }[], value: object): number =>
  kinds.filter(({ kind }) => Boolean((value as Record<string, unknown>)[kind])).length;

/** Filters that combine, with the number of rows that each choice leaves. They are in a `FilterRow`. */
export function ChoiceFilters<Kind extends string>({
  kinds,
  value,
  onChange,
  counts: query,
}: ChoiceFiltersProps<Kind>) {
  const [wanted, setWanted] = useState(false);
  const chosen = chosenIn(kinds, value);
  const counts = useQuery({
    queryKey: query.queryKey,
    queryFn: query.queryFn as QueryFunction<Record<Kind, FoundChoice[]>>,
    // names are needed for what is chosen already
    enabled: wanted || chosen > 0,
    staleTime: 30_000,
    placeholderData: (before) => before,
  });
  return (
    <>
      {kinds.map(({ kind, label, nameOf }) => (
        <ChoiceFilter
          key={kind}
          label={label}
          value={value[kind]}
          choices={counts.data?.[kind].map(
            (each): Choice => ({ value: each.value, label: nameOf(each), count: each.count, exact: each.exact }),
          )}
          failed={counts.isError}
          brief={chosen > 1}
          onOpen={() => {
            setWanted(true);
            if (counts.isError) counts.refetch();
          }}
          onChange={(next) => onChange({ ...value, [kind]: next })}
        />
      ))}
    </>
  );
}
