/**
 * A column for COPY … (format csv): a cell that a spreadsheet would run as a formula gets an apostrophe in front. Almost
 * every cell begins with a letter, and is done with one comparison.
 */
export function csvSafe(column: string): string {
  const risky = [...'=+@-\t\r'].map((sign) => sign.charCodeAt(0)).join(', ');
  return `case when ascii(${column}) > 64 then ${column} when ascii(${column}) in (${risky}) then '''' || ${column} else ${column} end`;
}
