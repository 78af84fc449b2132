/** A column for COPY … (format csv): a cell that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvSafe(column: string): string {
  return `case when ${column} ~ '^[=+@\\t\\r-]' then '''' || ${column} else ${column} end`;
}
