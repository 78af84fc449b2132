import type { ComponentType, ReactNode } from 'react';
import { type AnyFilter, setIn } from '#lib/lists/list-filter.ts';
import { absent, type Param } from '#lib/navigation/search-params.ts';
import { Button } from '../button.tsx';
import { ChoiceSelect } from '../forms/choice-select.tsx';
import { Empty } from '../states.tsx';

/** A filter, with what changes it. */
export interface Filtering<Filter> {
  filter: Filter;
  onFilter: (filter: Partial<Filter>) => void;
}

/** The words of choices, in their order. */
type Words = Record<string, string>;

/** The filters of a list, and the reasons why it may be empty. */
export interface Narrowed<Filter extends AnyFilter> {
  /** The filters, as its screen’s address has them. */
  filters: { [Key in keyof Filter]: Param<Filter[Key]> };
  /** The search field. `by` names its filter if that is not `search`. */
  search?: { placeholder: string; label: string; by?: keyof Filter & string };
  /** Filters with one value of a few each. The screen has those words that only the server knows. */
  choices?: readonly { by: keyof Filter & string; label: string; all: string; words?: Words; className: string }[];
  /** Further filters. */
  More?: ComponentType<Filtering<NoInfer<Filter>>>;
  empty: {
    title: string;
    /** Why there is nothing yet, and what to do. */
    none: ReactNode;
    action?: ReactNode;
    /** The title where nothing matches, if it is another one, and why. */
    filteredTitle?: string;
    filtered?: (filter: NoInfer<Filter>) => string;
    /** The words of the button that clears the filters. */
    clear?: string;
  };
}

/** The filters of a list, with their values at a place. */
export interface NarrowedAt<Filter extends AnyFilter> extends Filtering<Filter> {
  of: Narrowed<Filter>;
}

export interface ChoicesProps<Filter extends AnyFilter> {
  at: NarrowedAt<Filter>;
  /** Words of choices that only the server knows, or that depend on who asks. */
  words?: { [Key in keyof Filter]?: Words };
}

export function Choices<Filter extends AnyFilter>({ at, words }: ChoicesProps<Filter>) {
  const { of, filter, onFilter } = at;
  return of.choices?.map((each) => (
    <ChoiceSelect
      key={each.by}
      label={each.label}
      all={each.all}
      words={each.words ?? words?.[each.by] ?? {}}
      value={filter[each.by] as string | undefined}
      onChange={(choice) => onFilter({ ...filter, [each.by]: choice })}
      className={each.className}
    />
  ));
}

/** A few choices above a list, which are in the row on a phone, too. */
export function OpenFilters<Filter extends AnyFilter>(props: ChoicesProps<Filter> & { children?: ReactNode }) {
  return (
    <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="flex flex-wrap gap-2 max-sm:w-full">
        <Choices {...props} />
      </div>
      {props.children}
    </div>
  );
}

/** Nothing matches, with what takes the filters away, or there is nothing yet. */
export function Nothing<Filter extends AnyFilter>({ at: { of, filter, onFilter } }: { at: NarrowedAt<Filter> }) {
  const { title, none, action, filteredTitle = title, filtered, clear = 'Clear the filter' } = of.empty;
  const usual = absent(of.filters);
  if (setIn(filter, usual).length === 0) {
    return (
      <Empty title={title} action={action}>
        {none}
      </Empty>
    );
  }
  return (
    <Empty title={filteredTitle} action={<Button onClick={() => onFilter(usual)}>{clear}</Button>}>
      {filtered?.(filter)}
    </Empty>
  );
}
