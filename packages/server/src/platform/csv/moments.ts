/**
 * A column of moments as CSV has them: ISO 8601 on the account's clock with the clock's offset, `Z` in UTC, so that the day is
 * the one that screens show, and importing the file gives the same moments. For an export with this `timeZone`.
 */
export function csvMoment(column: string, timeZone: string, precision: 's' | 'ms' = 'ms'): string {
  const seconds = precision === 'ms' ? 'SS.MS' : 'SS';
  const offset = timeZone === 'UTC' ? '"Z"' : 'TZH:TZM';
  return `to_char(${column}, 'YYYY-MM-DD"T"HH24:MI:${seconds}${offset}')`;
}
