/** What is chosen of a list: whatever is as usual is undefined, empty or `all`. */
export type AnyFilter = Record<string, string | undefined>;

/** Which filters narrow the list. @param usual what an address without any of them means */
export const setIn = (filter: AnyFilter, usual: AnyFilter) =>
  Object.keys(filter).filter((key) => (filter[key] ?? '') !== (usual[key] ?? ''));

/** A filter as the server takes it: without what is as usual. */
export const queryOf = (filter: AnyFilter): Record<string, string> =>
  Object.fromEntries(
    // somebody may search for the word
    Object.entries(filter).flatMap(([key, value]) =>
      value && (value !== 'all' || key === 'search') ? [[key, value]] : [],
    ),
  );
