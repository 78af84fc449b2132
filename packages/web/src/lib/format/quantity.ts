/**
 * A whole number as people type it: `10000`, `10,000`, `10.000` and `10 000`. NaN for everything else, so that `1.5` is
 * not taken for 15.
 */
export function toQuantity(text: string): number {
  const typed = text.trim();
  const isWhole = /^\d+$/.test(typed) || /^\d{1,3}([,. ’\u00a0\u202f]\d{3})+$/.test(typed);
  return isWhole ? Number(typed.replace(/\D/g, '')) : Number.NaN;
}
