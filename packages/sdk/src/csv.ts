/** The values that a cell of a CSV can hold. */
export type CsvCell = string | number | boolean | null | undefined;

const RISKY = /^[=+\-@\t\r]/;

/** A text that a spreadsheet would run as a formula gets an apostrophe in front. */
function cell(value: CsvCell): string {
  if (typeof value !== 'string') return String(value ?? '');
  const safe = RISKY.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Rows as CSV (RFC 4180), each cell as the server's own exports have it. */
export function toCsv(header: readonly string[], rows: readonly (readonly CsvCell[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}
