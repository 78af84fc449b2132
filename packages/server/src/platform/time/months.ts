/** The first day of the month after one, both `YYYY-MM-01`. */
export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
}

/** The bounds of a UTC month, the second one exclusive. */
export const boundsOf = (month: string): [string, string] => [`${month}T00:00:00Z`, `${nextMonth(month)}T00:00:00Z`];
