/**
 * The number of a statement or an invoice in words such as `Invoice 2026-0007`, as it was given: in capitals, with its zeros.
 * Null where there is none. Numbers since a restore have a series between: `2026-RT4K2-0007`.
 */
export function statementNumberIn(words: string): string | null {
  const found = /(?:^|[\s#№])(\d{4})-(?:([a-z0-9]{1,20})-)?(\d{1,12})[.,]?$/iu.exec(words.trim());
  if (!found) return null;
  const [, year, series, count = ''] = found;
  return [year, ...(series ? [series.toUpperCase()] : []), count.padStart(4, '0')].join('-');
}
