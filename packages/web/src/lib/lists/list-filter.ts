/** What is chosen of a list: whatever is as usual is undefined, empty or `all`. */
export type AnyFilter = Record<string, string | undefined>;

const isSet = (value: string | undefined) => value !== undefined && value !== '' && value !== 'all';

/** Which filters narrow the list. @param usual what an address without any of them means */
export const setIn = (filter: AnyFilter, usual: AnyFilter) =>
  Object.keys(filter).filter((key) => (filter[key] ?? '') !== (usual[key] ?? ''));

/** A filter as the server takes it: without what is as usual. */
export const queryOf = (filter: AnyFilter): Record<string, string> =>
  Object.fromEntries(Object.entries(filter).flatMap(([key, value]) => (value && isSet(value) ? [[key, value]] : [])));
