/** The filter of a list. A field without a choice is undefined, empty or `all`; a year is a number. */
export type AnyFilter = Record<string, string | number | undefined>;
/** A filter without numbers. */
export type WordFilter = Record<string, string | undefined>;

/** The names of the filters that narrow the list. @param usual the values of an address without any filter */
export const setIn = (filter: AnyFilter, usual: AnyFilter) =>
  Object.keys(filter).filter((key) => (filter[key] ?? '') !== (usual[key] ?? ''));

/** A filter as the server takes it: without what is as usual. */
export const queryOf = (filter: WordFilter): Record<string, string> =>
  Object.fromEntries(
    // somebody may search for the word
    Object.entries(filter).flatMap(([key, value]) =>
      value && (value !== 'all' || key === 'search') ? [[key, value]] : [],
    ),
  );
