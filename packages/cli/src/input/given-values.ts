/** The given values, without undefined entries: an optional property may not be undefined. */
export function given<T extends object>(values: T) {
  const set = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as { [Key in keyof T]?: Exclude<T[Key], undefined> };
}
