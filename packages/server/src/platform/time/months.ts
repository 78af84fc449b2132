// Months of bills and statements are UTC. A month is its first day, `2026-03-01`, so that it compares and is stored as a day.

/** The month of a moment. */
export const monthOf = (moment: Date): string => `${moment.toISOString().slice(0, 7)}-01`;

/** `2026-03`, as the API has it, of a month, or of a day or moment in it. */
export const shortMonth = (text: string): string => text.slice(0, 7);

/** The month after one. */
export function nextMonth(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`;
}

/** The bounds of a month, the second one exclusive. */
export const boundsOf = (month: string): [string, string] => [`${month}T00:00:00Z`, `${nextMonth(month)}T00:00:00Z`];
