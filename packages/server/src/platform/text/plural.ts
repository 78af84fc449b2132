/** A count with its noun: `1 serial`, `1,000 serials`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? one : many}`;

/** The same without separators in the number: `1 serial`, `1000 serials`. */
export const plainPlural = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`;
