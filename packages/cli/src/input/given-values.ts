/** What was given: without the entries that are undefined, which an optional property may not be. */
export function given<T extends object>(values: T) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
