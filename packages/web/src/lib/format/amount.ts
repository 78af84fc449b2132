/** Either a decimal point or a decimal comma, of at most two digits. */
const PLAIN = /^\d+([.,]\d{1,2})?$/;
const AMERICAN = /^\d{1,3}(,\d{3})+(\.\d{1,2})?$/;
/** Only with its cents: `1.234` alone may as well be a slip in a smaller amount. */
const EUROPEAN = /^\d{1,3}(\.\d{3})+,\d{1,2}$/;

/** An amount in dollars as people type or paste it: `49`, `49,99`, `$1,234.50`, `1.234,50`. Null when it is none. */
export function readAmount(text: string): number | null {
  const typed = text.replace(/[\s$]/g, '');
  if (PLAIN.test(typed)) return Number(typed.replace(',', '.'));
  if (AMERICAN.test(typed)) return Number(typed.replaceAll(',', ''));
  if (EUROPEAN.test(typed)) return Number(typed.replaceAll('.', '').replace(',', '.'));
  return null;
}

/** `1234.50`: for a field that is typed in, and for files, whatever the reader's country. */
export const plainAmount = (dollars: number) => dollars.toFixed(2);

/** Prices have at most seven digits before their cents. */
export const isPrice = (text: string) => (readAmount(text) ?? Number.POSITIVE_INFINITY) < 10_000_000;

/** Why a commission in percent can't be taken. */
export const rateMistake = (text: string) =>
  !(/^\d+(\.\d{1,2})?$/.test(text.trim()) && Number(text) <= 100) && 'Enter a percentage from 0 to 100, such as 12.5.';
